use super::Trino;
use crate::column_type::ColumnType;
use crate::dialect::date_format::{has_clock, to_mysql_letters, with_two_digit_years};
use crate::dialect::expressions::{NUMBER_PATTERN, join_steps, may_be_text};
use crate::dialect::{Expressions, NumberTextComparison};
use vitrine_domain::views::Step;

// For units longer than a day, DATE_DIFF counts only complete ones.
impl Expressions for Trino {
    fn enforces_unique_keys(&self) -> bool {
        false
    }

    fn number_text_comparison(&self) -> NumberTextComparison {
        NumberTextComparison::Refuses
    }

    // A plain cast fails on other text.
    fn day_cast_of_text(&self) -> &'static str {
        "TRY_CAST"
    }

    // Quotients of decimals have no more decimals than the dividend.
    fn dividend(&self, expr: &str, _family: ColumnType) -> String {
        format!("CAST({expr} AS DOUBLE)")
    }

    // Means of decimals have no more decimals than their values.
    fn mean(&self, of: &str) -> String {
        format!("AVG(CAST({of} AS DOUBLE))")
    }

    // Percentiles are approximate.
    fn has_median(&self) -> bool {
        false
    }

    // A plain cast would round.
    fn truncate_number(&self, expr: &str) -> String {
        format!("TRY_CAST(TRUNCATE({expr}) AS BIGINT)")
    }

    // Java's number syntax allows a trailing letter.
    fn read_number(&self, expr: &str) -> String {
        format!("CASE WHEN REGEXP_LIKE({expr}, {NUMBER_PATTERN}) THEN TRY_CAST(TRIM({expr}) AS DOUBLE) END")
    }

    // DATE_PARSE fails on other text; two-digit years start with 1970.
    fn text_to_moment(&self, expr: &str, format: &str) -> String {
        let mut read = format!("TRY(DATE_PARSE(TRIM({expr}), {}))", self.text_literal(&to_mysql_letters(format)));
        if format.contains("%y") {
            read = with_two_digit_years(&read);
        }
        if has_clock(format) { read } else { format!("CAST({read} AS DATE)") }
    }

    // TRIM functions have other arguments.
    fn month_name_in(&self, text: &str) -> String {
        format!("REGEXP_EXTRACT({text}, '[^-0-9 /:]+', 0)")
    }

    fn json_path(&self, path: &[Step]) -> String {
        self.text_literal(&format!("${}", join_steps(path, |key| format!("[\"{key}\"]"))))
    }

    fn text_at_path(&self, expr: &str, path: &[Step], family: ColumnType) -> String {
        let json = if may_be_text(family) { expr.to_owned() } else { format!("CAST({expr} AS JSON)") };
        format!("JSON_EXTRACT_SCALAR({json}, {})", self.json_path(path))
    }

    fn has_typed_lists(&self) -> bool {
        true
    }

    fn list_contains(&self, list: &str, value: &str) -> String {
        format!("contains({list}, {value})")
    }

    fn any_list_member(&self, list: &str, member: &str, _fields: Option<&[String]>, condition: &str) -> String {
        format!("any_match({list}, {member} -> {condition})")
    }

    // Each field of a member is a column.
    fn list_members_table(&self, list: &str, member: &str, fields: Option<&[String]>) -> String {
        match fields {
            Some(fields) => format!("UNNEST({list}) AS {member}({})", fields.join(", ")),
            None => format!("unnest({list}) AS {member}s({member})"),
        }
    }
}
