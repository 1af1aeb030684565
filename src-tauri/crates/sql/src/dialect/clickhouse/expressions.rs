use super::Clickhouse;
use crate::column_type::ColumnType;
use crate::dialect::date_format::{has_clock, to_mysql_letters};
use crate::dialect::expressions::may_be_text;
use crate::dialect::{Expressions, NumberTextComparison};
use vitrine_domain::views::{Period, Step};

impl Expressions for Clickhouse {
    fn enforces_unique_keys(&self) -> bool {
        false
    }

    // DATE begins with 1970.
    fn day_literal(&self, day: &str) -> String {
        format!("toDate32('{day}')")
    }

    // LOWER folds the case of ASCII letters only.
    fn lower_function(&self) -> &'static str {
        "lowerUTF8"
    }

    fn number_text_comparison(&self) -> NumberTextComparison {
        NumberTextComparison::Refuses
    }

    fn day_of(&self, expr: &str, family: ColumnType) -> String {
        if family == ColumnType::Date { expr.to_owned() } else { format!("toDate32({expr})") }
    }

    // ClickHouse's own functions return a DATE, which begins with 1970.
    fn first_day_of_longer(&self, expr: &str, period: Period, family: ColumnType) -> String {
        let day = self.day_of(expr, family);
        match period {
            Period::Week => format!("subtractDays(toDate32({day}), toDayOfWeek({day}) - 1)"),
            Period::Month => format!("makeDate32(toYear({day}), toMonth({day}), 1)"),
            Period::Quarter => format!("makeDate32(toYear({day}), 3 * toQuarter({day}) - 2, 1)"),
            Period::Year | Period::Day => format!("makeDate32(toYear({day}), 1, 1)"),
        }
    }

    fn add_days(&self, day: &str, days: &str) -> String {
        format!("addDays(toDate32({day}), {days})")
    }

    fn add_months(&self, day: &str, months: i64) -> String {
        format!("addMonths(toDate32({day}), {months})")
    }

    fn count_days(&self, from: &str, to: &str) -> String {
        format!("dateDiff('day', {from}, {to})")
    }

    fn days_to_weeks(&self, days: &str) -> String {
        format!("intDiv({days}, 7)")
    }

    fn count_longer_steps(&self, from: &str, to: &str, unit: Period) -> String {
        format!("dateDiff('{}', {from}, {to})", unit.name())
    }

    fn dividend(&self, expr: &str, _family: ColumnType) -> String {
        format!("toFloat64({expr})")
    }

    fn median(&self, of: &str) -> String {
        format!("quantileExactInclusive(0.5)(toFloat64({of}))")
    }

    // The aggregate is NaN for a single value.
    fn standard_deviation(&self, of: &str) -> String {
        format!("CASE WHEN COUNT({of}) > 1 THEN STDDEV_SAMP({of}) END")
    }

    fn truncate_number(&self, expr: &str) -> String {
        format!("accurateCastOrNull(trunc({expr}), 'Int64')")
    }

    fn read_number(&self, expr: &str) -> String {
        format!("toFloat64OrNull(trim({expr}))")
    }

    // For the 31st of February, the function returns a day in March.
    fn iso_text_to_day(&self, text: &str) -> String {
        let read = format!("toDate32OrNull({text})");
        format!("CASE WHEN toString({read}) = {text} THEN {read} END")
    }

    fn text_to_moment(&self, expr: &str, format: &str) -> String {
        // Day and month must have two digits.
        let padded = match format.contains("%f") {
            true => format!("trim({expr})"),
            false => format!("replaceRegexpAll(trim({expr}), '\\\\b([0-9])\\\\b', '0\\\\1')"),
        };
        let read = format!("parseDateTime64OrNull({padded}, {})", self.text_literal(&to_mysql_letters(format)));
        if has_clock(format) { read } else { format!("toDate32({read})") }
    }

    fn month_name_in(&self, text: &str) -> String {
        format!("regexpExtract({text}, '([^-0-9 /:]+)', 1)")
    }

    fn contains_condition(&self, expr: &str, wanted: &str) -> String {
        format!("positionUTF8({expr}, {wanted}) > 0")
    }

    fn text_at_path(&self, expr: &str, path: &[Step], family: ColumnType) -> String {
        let json = if may_be_text(family) { expr.to_owned() } else { format!("toJSONString({expr})") };
        let step = |step: &Step| match step {
            Step::Key(name) => self.text_literal(name),
            // Indices of lists begin at 1.
            Step::Element(at) => (at + 1).to_string(),
        };
        let path: Vec<String> = std::iter::once(json).chain(path.iter().map(step)).collect();
        let of = path.join(", ");
        format!(
            "CASE JSONType({of}) WHEN 'String' THEN JSONExtractString({of}) WHEN 'Null' THEN NULL ELSE JSONExtractRaw({of}) END"
        )
    }

    fn has_typed_lists(&self) -> bool {
        true
    }

    fn list_contains(&self, list: &str, value: &str) -> String {
        format!("has({list}, {value})")
    }

    fn any_list_member(&self, list: &str, member: &str, _fields: Option<&[String]>, condition: &str) -> String {
        format!("arrayExists({member} -> {condition}, {list})")
    }

    fn list_members_join(&self, list: &str, member: &str, _fields: Option<&[String]>) -> String {
        format!("ARRAY JOIN {list} AS {member}")
    }

    // Not every version supports correlated subqueries.
    fn anti_join(&self) -> Option<&'static str> {
        Some("LEFT ANTI JOIN")
    }

    // Without an earlier row, LAG returns 0 unless the type is nullable.
    fn lag(&self, of: &str, rows: u32, over: &str) -> String {
        format!("LAG(toNullable({of}), {rows}) OVER ({over})")
    }
}
