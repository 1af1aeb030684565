use super::Snowflake;
use crate::column_type::ColumnType;
use crate::dialect::Expressions;
use crate::dialect::date_format::{TemplateWords, has_clock, to_template};
use crate::dialect::expressions::{join_steps, may_be_text};
use vitrine_domain::views::{Period, Step};

impl Expressions for Snowflake {
    fn enforces_unique_keys(&self) -> bool {
        false
    }

    fn first_day_of_longer(&self, expr: &str, period: Period, family: ColumnType) -> String {
        let day = self.day_of(expr, family);
        match period {
            // The first day of the week in DATE_TRUNC depends on the account's settings.
            Period::Week => format!("DATEADD('day', 1 - DAYOFWEEKISO({day}), {day})"),
            _ => format!("DATE_TRUNC('{}', {day})", period.name().to_uppercase()),
        }
    }

    fn add_days(&self, day: &str, days: &str) -> String {
        format!("DATEADD('day', {days}, {day})")
    }

    fn add_months(&self, day: &str, months: i64) -> String {
        format!("DATEADD('month', {months}, {day})")
    }

    fn local_time(&self, expr: &str, zone: &str, stored: &str, zoned: bool) -> Option<String> {
        let (zone, stored) = (self.text_literal(zone), self.text_literal(stored));
        Some(match zoned {
            true => format!("CONVERT_TIMEZONE({zone}, {expr})"),
            false => format!("CONVERT_TIMEZONE({stored}, {zone}, {expr})"),
        })
    }

    fn count_steps(&self, from: &str, to: &str, unit: Period) -> String {
        let days = match unit {
            // The first day of the week depends on the account's settings, so that only weeks from Monday to Monday are
            // reliable.
            Period::Week => [from, to].map(|day| self.first_day(day, Period::Week, ColumnType::Date)),
            _ => [from, to].map(str::to_owned),
        };
        format!("DATEDIFF('{}', {})", unit.name(), days.join(", "))
    }

    // Quotients of decimals may have only six decimals.
    fn dividend(&self, expr: &str, _family: ColumnType) -> String {
        format!("CAST({expr} AS DOUBLE)")
    }

    fn truncate_number(&self, expr: &str) -> String {
        format!("TRUNC({expr})")
    }

    fn read_number(&self, expr: &str) -> String {
        format!("TRY_TO_DOUBLE(TRIM({expr}))")
    }

    fn day_to_text(&self, expr: &str) -> String {
        format!("TO_CHAR({expr}, 'YYYY-MM-DD')")
    }

    fn iso_text_to_day(&self, text: &str) -> String {
        format!("TRY_TO_DATE({text}, 'YYYY-MM-DD')")
    }

    fn text_to_moment(&self, expr: &str, format: &str) -> String {
        let function = if has_clock(format) { "TRY_TO_TIMESTAMP_NTZ" } else { "TRY_TO_DATE" };
        let words = TemplateWords { fraction: "FF", short_month: "MON", month: "MMMM" };
        format!("{function}(TRIM({expr}), {})", self.text_literal(&to_template(format, &words)))
    }

    fn contains_condition(&self, expr: &str, wanted: &str) -> String {
        format!("CONTAINS({expr}, {wanted})")
    }

    fn json_path(&self, path: &[Step]) -> String {
        self.text_literal(&join_steps(path, |key| format!("[\"{key}\"]")))
    }

    fn text_at_path(&self, expr: &str, path: &[Step], family: ColumnType) -> String {
        let json = if may_be_text(family) { format!("TRY_PARSE_JSON({expr})") } else { expr.to_owned() };
        format!("CAST(GET_PATH({json}, {}) AS TEXT)", self.json_path(path))
    }

    // An order is required, even a constant one.
    fn row_numbers(&self) -> &'static str {
        "ROW_NUMBER() OVER (ORDER BY NULL)"
    }
}
