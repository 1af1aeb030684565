use super::Clickhouse;
use crate::dialect::statistics::{ExplainStatement, Statistics, TypeFamily};

impl Statistics for Clickhouse {
    fn own_type_family(&self, declared: &str) -> Option<TypeFamily> {
        match declared.split('(').next().unwrap_or(declared) {
            "ENUM8" | "ENUM16" | "UUID" | "IPV4" | "IPV6" => Some(TypeFamily::Text),
            "TUPLE" | "NESTED" | "DYNAMIC" => Some(TypeFamily::Nested),
            // Aggregate states are not readable values.
            "AGGREGATEFUNCTION" | "SIMPLEAGGREGATEFUNCTION" | "NOTHING" => Some(TypeFamily::Binary),
            _ => None,
        }
    }

    fn parsed_number(&self, column: &str) -> String {
        format!("toFloat64OrNull(trim({column}))")
    }

    // `substr` counts bytes and could cut a character.
    fn substring_function(&self) -> &'static str {
        "substringUTF8"
    }

    // `length` counts bytes.
    fn length_function(&self) -> &'static str {
        "lengthUTF8"
    }

    fn deviation_where(&self, value: &str, condition: &str) -> String {
        format!("stddev_samp(CASE WHEN {condition} THEN {value} END)")
    }

    fn nested_text(&self, column: &str) -> String {
        format!("toJSONString({column})")
    }

    // Counts bytes, so the longest values in other scripts than Latin are not indexed.
    fn index_length_function(&self) -> &'static str {
        "length"
    }

    fn pass_of_value(&self, text: &str, passes: u32) -> String {
        format!("cityHash64({text}) % {passes}")
    }

    // Scalar subqueries would run to plan a query.
    fn explain_statement(&self) -> Option<ExplainStatement> {
        None
    }

    fn is_document_type(&self, name: &str) -> bool {
        name == "JSON"
    }

    fn rejects_date_patterns(&self) -> bool {
        true
    }
}
