use super::Duckdb;
use crate::column_type::ColumnType;
use crate::dialect::Expressions;
use crate::dialect::date_format::has_clock;
use crate::dialect::expressions::may_be_text;
use vitrine_domain::views::{Period, Step};

impl Expressions for Duckdb {
    // Weeks of DATE_DIFF are off by one before 1970, where it rounds negative numbers towards zero.
    fn days_to_weeks(&self, days: &str) -> String {
        format!("CAST({days} / 7 AS BIGINT)")
    }

    fn add_days(&self, day: &str, days: &str) -> String {
        format!("({day} + CAST({days} AS INTEGER))")
    }

    fn add_months(&self, day: &str, months: i64) -> String {
        format!("CAST({day} + INTERVAL '{months} months' AS DATE)")
    }

    fn local_time(&self, expr: &str, zone: &str, stored: &str, zoned: bool) -> Option<String> {
        let (zone, stored) = (self.text_literal(zone), self.text_literal(stored));
        let moment = if zoned { expr.to_owned() } else { format!("({expr} AT TIME ZONE {stored})") };
        Some(format!("({moment} AT TIME ZONE {zone})"))
    }

    fn count_longer_steps(&self, from: &str, to: &str, unit: Period) -> String {
        format!("DATE_DIFF('{}', {from}, {to})", unit.name())
    }

    // The mean of two decimals needs one more decimal than they have.
    fn median(&self, of: &str) -> String {
        format!("MEDIAN(CAST({of} AS DOUBLE))")
    }

    fn truncate_number(&self, expr: &str) -> String {
        format!("TRY_CAST(TRUNC({expr}) AS BIGINT)")
    }

    fn read_number(&self, expr: &str) -> String {
        format!("TRY_CAST({expr} AS DOUBLE)")
    }

    fn iso_text_to_day(&self, text: &str) -> String {
        format!("CAST(TRY_STRPTIME({text}, '%Y-%m-%d') AS DATE)")
    }

    fn text_to_moment(&self, expr: &str, format: &str) -> String {
        let read = format!("TRY_STRPTIME(TRIM({expr}), {})", self.text_literal(format));
        if has_clock(format) { read } else { format!("CAST({read} AS DATE)") }
    }

    fn text_at_path(&self, expr: &str, path: &[Step], family: ColumnType) -> String {
        let json = if may_be_text(family) { format!("TRY_CAST({expr} AS JSON)") } else { format!("TO_JSON({expr})") };
        format!("JSON_EXTRACT_STRING({json}, {})", self.json_path(path))
    }

    fn has_typed_lists(&self) -> bool {
        true
    }

    fn list_literal_start(&self) -> &'static str {
        "'["
    }

    // DuckDB 1.5 replaces the first row by a minimum. With two keys it sorts.
    fn ignores_nulls_last_of_first_row(&self) -> bool {
        true
    }
}
