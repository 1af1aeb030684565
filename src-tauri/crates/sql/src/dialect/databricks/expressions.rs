use super::Databricks;
use crate::column_type::ColumnType;
use crate::dialect::Expressions;
use crate::dialect::date_format::{FormatPart, has_clock, is_packed, parse_format, with_two_digit_years};
use crate::dialect::expressions::{NUMBER_PATTERN, join_steps, may_be_text};
use vitrine_domain::views::{Period, Step};

impl Expressions for Databricks {
    fn enforces_unique_keys(&self) -> bool {
        false
    }

    // A plain cast fails on other text.
    fn day_cast_of_text(&self) -> &'static str {
        "TRY_CAST"
    }

    fn first_day_of_longer(&self, expr: &str, period: Period, family: ColumnType) -> String {
        format!("TRUNC({}, '{}')", self.day_of(expr, family), period.name().to_uppercase())
    }

    fn add_days(&self, day: &str, days: &str) -> String {
        format!("DATE_ADD({day}, {days})")
    }

    fn add_months(&self, day: &str, months: i64) -> String {
        format!("ADD_MONTHS({day}, {months})")
    }

    fn count_days(&self, from: &str, to: &str) -> String {
        format!("DATEDIFF({to}, {from})")
    }

    fn days_to_weeks(&self, days: &str) -> String {
        format!("CAST({days} / 7 AS BIGINT)")
    }

    // Quotients of decimals may have only six decimals.
    fn dividend(&self, expr: &str, _family: ColumnType) -> String {
        format!("CAST({expr} AS DOUBLE)")
    }

    // Means have only four more decimals than their values, so that a third would be 0.3333.
    fn mean(&self, of: &str) -> String {
        format!("AVG(CAST({of} AS DOUBLE))")
    }

    fn truncate_number(&self, expr: &str) -> String {
        format!("TRY_CAST({expr} AS BIGINT)")
    }

    // Java's number syntax allows a trailing letter.
    fn read_number(&self, expr: &str) -> String {
        format!("CASE WHEN {expr} RLIKE {NUMBER_PATTERN} THEN TRY_CAST(TRIM({expr}) AS DOUBLE) END")
    }

    // Patterns are Java's: days of the week are not parsed, and two-digit years start with 2000.
    fn text_to_moment(&self, expr: &str, format: &str) -> String {
        let source = match format.contains("%a") {
            true => format!("REGEXP_REPLACE(TRIM({expr}), '^[A-Za-z]+', '')"),
            false => format!("TRIM({expr})"),
        };
        let mut read = format!("TRY_TO_TIMESTAMP({source}, {})", self.text_literal(&java_pattern(format)));
        if format.contains("%y") {
            read = with_two_digit_years(&read);
        }
        format!("CAST({read} AS {})", if has_clock(format) { "TIMESTAMP_NTZ" } else { "DATE" })
    }

    // TRIM functions have other arguments.
    fn month_name_in(&self, text: &str) -> String {
        format!("REGEXP_EXTRACT({text}, '[^-0-9 /:]+', 0)")
    }

    fn contains_condition(&self, expr: &str, wanted: &str) -> String {
        format!("CONTAINS({expr}, {wanted})")
    }

    fn json_path(&self, path: &[Step]) -> String {
        self.text_literal(&format!("${}", join_steps(path, |key| format!("['{key}']"))))
    }

    fn text_at_path(&self, expr: &str, path: &[Step], family: ColumnType) -> String {
        let json = if may_be_text(family) { expr.to_owned() } else { format!("TO_JSON({expr})") };
        format!("GET_JSON_OBJECT({json}, {})", self.json_path(path))
    }

    fn has_typed_lists(&self) -> bool {
        true
    }

    fn list_contains(&self, list: &str, value: &str) -> String {
        format!("array_contains({list}, {value})")
    }

    // The parser reads the function `exists` as the operator before a subquery.
    fn any_list_member(&self, list: &str, member: &str, _fields: Option<&[String]>, condition: &str) -> String {
        format!("array_size(filter({list}, {member} -> {condition})) > 0")
    }

    fn list_members_join(&self, list: &str, member: &str, _fields: Option<&[String]>) -> String {
        format!("CROSS JOIN LATERAL explode({list}) AS {member}s({member})")
    }

    // An order is required, even a constant one.
    fn row_numbers(&self) -> &'static str {
        "ROW_NUMBER() OVER (ORDER BY NULL)"
    }
}

/// Converts the format to a pattern of Java.
fn java_pattern(format: &str) -> String {
    let parts = parse_format(format);
    // One or two digits if there are separators.
    let width = if is_packed(&parts) { 2 } else { 1 };
    let pattern = |part: &FormatPart| match part {
        FormatPart::Letter('Y') => "yyyy".to_owned(),
        FormatPart::Letter('y') => "yy".to_owned(),
        FormatPart::Letter('m') => "M".repeat(width),
        FormatPart::Letter('d') => "d".repeat(width),
        FormatPart::Letter('H') => "H".repeat(width),
        FormatPart::Letter('I') => "h".repeat(width),
        FormatPart::Letter('M') => "mm".to_owned(),
        FormatPart::Letter('S') => "ss".to_owned(),
        FormatPart::Letter('f') => "[SSSSSS][SSSSS][SSSS][SSS][SS][S]".to_owned(),
        FormatPart::Letter('b') => "MMM".to_owned(),
        FormatPart::Letter('B') => "MMMM".to_owned(),
        FormatPart::Letter('a') => String::new(),
        FormatPart::Letter(_) => "a".to_owned(),
        FormatPart::Text(text) if text.contains(|c: char| c.is_ascii_alphabetic()) => format!("'{text}'"),
        FormatPart::Text(text) => text.clone(),
    };
    parts.iter().map(pattern).collect()
}
