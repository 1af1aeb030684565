use super::Bigquery;
use crate::dialect::Syntax;
use sqlparser::dialect::{BigQueryDialect, Dialect as Grammar};

/// Additional reserved words of BigQuery.
const RESERVED: &str = "assert_rows_modified define";

impl Syntax for Bigquery {
    fn grammar(&self) -> &'static dyn Grammar {
        &BigQueryDialect
    }

    fn splits_number_from_letters(&self) -> bool {
        true
    }

    fn identifier_quote(&self) -> char {
        '`'
    }

    // Names have the escapes of strings.
    fn quoted_identifier(&self, name: &str) -> String {
        format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`"))
    }

    fn is_reserved_word(&self, word: &str) -> bool {
        RESERVED.split(' ').any(|known| known == word)
    }

    fn has_quoted_paths(&self) -> bool {
        true
    }

    fn has_wildcard_tables(&self) -> bool {
        true
    }

    fn lists_container_in_search_path(&self) -> bool {
        true
    }

    fn has_backslash_escapes(&self) -> bool {
        true
    }

    fn quoted_text(&self, text: &str) -> String {
        format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
    }

    fn text_type(&self) -> &'static str {
        "STRING"
    }

    fn regex_condition(&self, text: &str, pattern: &str) -> Option<String> {
        Some(format!("REGEXP_CONTAINS(TRIM({text}), {})", self.text_value(&format!("^{pattern}$"))))
    }

    fn number_from_text(&self, text: &str) -> String {
        format!("CAST({text} AS FLOAT64)")
    }

    fn definition_signs(&self) -> &'static [&'static str] {
        &["create table `", "options(", " int64", " string", "struct<"]
    }

    fn folder_names(&self) -> &'static [&'static str] {
        &["bigquery"]
    }

    fn driver_names(&self) -> &'static [&'static str] {
        &["bigquery"]
    }
}
