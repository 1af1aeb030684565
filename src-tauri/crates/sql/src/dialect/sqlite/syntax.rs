use super::Sqlite;
use super::keywords::{KEYWORDS_AS_NAMES, without_index_hints};
use crate::dialect::Syntax;
use sqlparser::dialect::{Dialect as Grammar, SQLiteDialect};
use sqlparser::tokenizer::TokenWithSpan;

impl Syntax for Sqlite {
    fn grammar(&self) -> &'static dyn Grammar {
        &SQLiteDialect {}
    }

    fn formatter(&self) -> sqlformat::Dialect {
        sqlformat::Dialect::SQLServer
    }

    fn has_escape_strings(&self) -> bool {
        false
    }

    fn keywords_as_names(&self) -> &'static [&'static str] {
        KEYWORDS_AS_NAMES
    }

    fn remove_modifiers(&self, tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
        without_index_hints(tokens)
    }

    fn default_schema(&self) -> Option<&'static str> {
        Some("main")
    }

    fn row_id(&self) -> Option<&'static str> {
        Some("rowid")
    }

    fn division_truncates(&self) -> bool {
        true
    }

    fn regex_condition(&self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn number_from_text(&self, text: &str) -> String {
        format!("CAST({text} AS REAL)")
    }

    fn definition_signs(&self) -> &'static [&'static str] {
        &["autoincrement", "sqlite_", "pragma ", "without rowid"]
    }

    fn folder_names(&self) -> &'static [&'static str] {
        &["sqlite"]
    }

    fn driver_names(&self) -> &'static [&'static str] {
        &["sqlite"]
    }
}
