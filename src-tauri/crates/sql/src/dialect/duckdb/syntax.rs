use super::Duckdb;
use super::tree::standardize_tree;
use crate::dialect::Syntax;
use crate::dialect::lexer::reject_continued_strings;
use crate::rejection::SqlRejection;
use sqlparser::ast::Statement;
use sqlparser::dialect::{Dialect as Grammar, DuckDbDialect};
use sqlparser::tokenizer::TokenWithSpan;

impl Syntax for Duckdb {
    fn grammar(&self) -> &'static dyn Grammar {
        &DuckDbDialect
    }

    fn formatter(&self) -> sqlformat::Dialect {
        sqlformat::Dialect::PostgreSql
    }

    fn reject_ambiguous(&self, tokens: &[TokenWithSpan], _: &str) -> Result<(), SqlRejection> {
        self.reject_ambiguous_literals(tokens)?;
        reject_continued_strings(tokens)
    }

    fn standardize_tree(&self, statements: &mut Vec<Statement>) {
        standardize_tree(statements);
    }

    fn default_schema(&self) -> Option<&'static str> {
        Some("main")
    }

    fn row_id(&self) -> Option<&'static str> {
        Some("rowid")
    }

    fn regex_condition(&self, text: &str, pattern: &str) -> Option<String> {
        Some(format!("REGEXP_MATCHES(TRIM({text}), {})", self.text_value(&format!("^{pattern}$"))))
    }

    fn folder_names(&self) -> &'static [&'static str] {
        &["duckdb"]
    }

    fn driver_names(&self) -> &'static [&'static str] {
        &["duckdb"]
    }
}
