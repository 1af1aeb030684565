use super::Bigquery;
use crate::column_type::ColumnType;
use crate::dialect::date_format::has_clock;
use crate::dialect::expressions::may_be_text;
use crate::dialect::{Expressions, NumberTextComparison};
use vitrine_domain::views::{Period, Step};

impl Expressions for Bigquery {
    fn enforces_unique_keys(&self) -> bool {
        false
    }

    fn is_zoned_type(&self, data_type: &str) -> bool {
        data_type.eq_ignore_ascii_case("TIMESTAMP")
    }

    fn text_literal(&self, value: &str) -> String {
        let escaped = value.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n").replace('\r', "\\r");
        format!("'{escaped}'")
    }

    fn number_text_comparison(&self) -> NumberTextComparison {
        NumberTextComparison::Refuses
    }

    fn first_day_of_longer(&self, expr: &str, period: Period, family: ColumnType) -> String {
        format!("DATE_TRUNC({}, {})", self.day_of(expr, family), part_name(period))
    }

    fn add_days(&self, day: &str, days: &str) -> String {
        format!("DATE_ADD({day}, INTERVAL {days} DAY)")
    }

    fn add_months(&self, day: &str, months: i64) -> String {
        format!("DATE_ADD({day}, INTERVAL {months} MONTH)")
    }

    fn local_time(&self, expr: &str, zone: &str, stored: &str, zoned: bool) -> Option<String> {
        let (zone, stored) = (self.text_literal(zone), self.text_literal(stored));
        let moment = if zoned { expr.to_owned() } else { format!("TIMESTAMP({expr}, {stored})") };
        Some(format!("DATETIME({moment}, {zone})"))
    }

    fn count_steps(&self, from: &str, to: &str, unit: Period) -> String {
        format!("DATE_DIFF({to}, {from}, {})", part_name(unit))
    }

    // Percentiles are window functions only.
    fn has_median(&self) -> bool {
        false
    }

    fn truncate_number(&self, expr: &str) -> String {
        format!("SAFE_CAST(TRUNC({expr}) AS INT64)")
    }

    fn read_number(&self, expr: &str) -> String {
        format!("SAFE_CAST(TRIM({expr}) AS FLOAT64)")
    }

    fn iso_text_to_day(&self, text: &str) -> String {
        format!("SAFE.PARSE_DATE('%Y-%m-%d', {text})")
    }

    fn text_to_moment(&self, expr: &str, format: &str) -> String {
        let function = if has_clock(format) { "SAFE.PARSE_DATETIME" } else { "SAFE.PARSE_DATE" };
        format!("{function}({}, TRIM({expr}))", self.text_literal(&format.replace("%S.%f", "%E*S")))
    }

    fn text_at_path(&self, expr: &str, path: &[Step], family: ColumnType) -> String {
        let json = if may_be_text(family) { format!("SAFE.PARSE_JSON({expr})") } else { format!("TO_JSON({expr})") };
        format!("JSON_VALUE({json}, {})", self.json_path(path))
    }

    fn has_typed_lists(&self) -> bool {
        true
    }

    fn list_contains(&self, list: &str, value: &str) -> String {
        format!("{value} IN UNNEST({list})")
    }

    fn list_members_table(&self, list: &str, member: &str, _fields: Option<&[String]>) -> String {
        format!("UNNEST({list}) AS {member}")
    }
}

/// Returns the name of a date part; plain weeks begin on Sunday.
fn part_name(period: Period) -> String {
    if period == Period::Week { "ISOWEEK".to_owned() } else { period.name().to_uppercase() }
}
