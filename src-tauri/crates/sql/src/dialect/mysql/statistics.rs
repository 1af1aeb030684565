use super::Mysql;
use crate::dialect::statistics::{ExplainStatement, PlanFormat, Statistics, TypeFamily};

impl Statistics for Mysql {
    fn own_type_family(&self, declared: &str) -> Option<TypeFamily> {
        let names = ["MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOM"];
        names.iter().any(|name| declared.starts_with(name)).then_some(TypeFamily::Geo)
    }

    fn parsed_number(&self, column: &str) -> String {
        format!(
            "CASE WHEN {column} REGEXP '^[[:space:]]*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)[[:space:]]*$' THEN CAST({column} AS DOUBLE) END"
        )
    }

    fn joined_date(&self, parts: [String; 3]) -> Option<String> {
        Some(format!("concat({})", parts.join(", '-', ")))
    }

    // `length` counts bytes.
    fn length_function(&self) -> &'static str {
        "char_length"
    }

    // Aggregates have no FILTER clause.
    fn deviation_where(&self, value: &str, condition: &str) -> String {
        format!("stddev_samp(CASE WHEN {condition} THEN {value} END)")
    }

    // A cast of JSON to text is JSON.
    fn nested_text(&self, column: &str) -> String {
        column.to_owned()
    }

    // Values that are equal in the collation may still have different spellings.
    fn distinct_spelling(&self, text: &str) -> String {
        format!("{text} COLLATE utf8mb4_bin")
    }

    fn character_code_function(&self) -> &'static str {
        "ascii"
    }

    fn explain_statement(&self) -> Option<ExplainStatement> {
        Some(ExplainStatement { keywords: "EXPLAIN FORMAT=JSON", format: PlanFormat::QueryBlocks })
    }
}
