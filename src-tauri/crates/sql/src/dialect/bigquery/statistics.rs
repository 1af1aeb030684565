use super::Bigquery;
use crate::dialect::statistics::Statistics;

impl Statistics for Bigquery {
    fn reads_text_numbers(&self) -> bool {
        false
    }

    fn joined_date(&self, _parts: [String; 3]) -> Option<String> {
        None
    }

    fn block_sample(&self, percent: f64) -> Option<String> {
        // Documented examples have whole percents.
        let percent = if percent < 1.0 { format!("{percent:.2}") } else { format!("{:.0}", percent.floor()) };
        Some(format!("TABLESAMPLE SYSTEM ({percent} PERCENT)"))
    }

    fn frequent_values_json(&self, value: &str, count: usize) -> String {
        format!("TO_JSON_STRING(APPROX_TOP_COUNT({value}, {count}))")
    }

    fn bills_whole_columns(&self) -> bool {
        true
    }

    fn is_document_type(&self, name: &str) -> bool {
        name == "JSON"
    }

    fn rejects_date_patterns(&self) -> bool {
        true
    }
}
