use super::Snowflake;
use crate::dialect::statistics::{Statistics, is_plain_key};

impl Statistics for Snowflake {
    // Aggregates have no FILTER clause.
    fn deviation_where(&self, value: &str, condition: &str) -> String {
        format!("stddev_samp(CASE WHEN {condition} THEN {value} END)")
    }

    fn block_sample(&self, percent: f64) -> Option<String> {
        Some(format!("TABLESAMPLE SYSTEM ({percent:.2})"))
    }

    fn frequent_values_json(&self, value: &str, count: usize) -> String {
        format!("TO_JSON(APPROX_TOP_K({value}, {count}))")
    }

    fn is_document_type(&self, name: &str) -> bool {
        matches!(name, "VARIANT" | "OBJECT")
    }

    fn document_field(&self, column: &str, path: &str, value_type: Option<&str>) -> Option<String> {
        let keys: Vec<String> = path.split('.').map(quote_key).collect();
        let cast = value_type.map(|value_type| format!("::{value_type}")).unwrap_or_default();
        Some(format!("{column}:{}{cast}", keys.join(".")))
    }
}

fn quote_key(key: &str) -> String {
    if is_plain_key(key) { key.to_owned() } else { format!("\"{}\"", key.replace('"', "\"\"")) }
}
