use super::Postgres;
use super::lexer::sorts_by_operator;
use crate::dialect::lexer::reject_continued_strings;
use crate::dialect::{Syntax, UnquotedCase};
use crate::rejection::SqlRejection;
use sqlparser::dialect::{Dialect as Grammar, PostgreSqlDialect};
use sqlparser::tokenizer::TokenWithSpan;
use vitrine_words::tr;

impl Syntax for Postgres {
    fn grammar(&self) -> &'static dyn Grammar {
        &PostgreSqlDialect {}
    }

    fn formatter(&self) -> sqlformat::Dialect {
        sqlformat::Dialect::PostgreSql
    }

    fn reject_ambiguous(&self, tokens: &[TokenWithSpan], _: &str) -> Result<(), SqlRejection> {
        self.reject_ambiguous_literals(tokens)?;
        reject_continued_strings(tokens)?;
        if sorts_by_operator(tokens) {
            return Err(SqlRejection::unclear(|| tr!("an order USING an operator")));
        }
        Ok(())
    }

    fn unquoted_case(&self) -> UnquotedCase {
        UnquotedCase::Lower
    }

    fn default_schema(&self) -> Option<&'static str> {
        Some("public")
    }

    fn row_id(&self) -> Option<&'static str> {
        Some("ctid")
    }

    // Redshift, which reads this dialect too, truncates TEXT to 256 bytes.
    fn text_type(&self) -> &'static str {
        "VARCHAR"
    }

    fn division_truncates(&self) -> bool {
        true
    }

    fn regex_condition(&self, text: &str, pattern: &str) -> Option<String> {
        Some(format!("TRIM({text}) ~ {}", self.text_value(&format!("^{pattern}$"))))
    }

    fn number_from_text(&self, text: &str) -> String {
        format!("CAST({text} AS NUMERIC)")
    }

    fn definition_signs(&self) -> &'static [&'static str] {
        &["character varying", "owner to", "::regclass", " serial", "jsonb", " from stdin"]
    }

    fn folder_names(&self) -> &'static [&'static str] {
        &["postgres", "postgresql"]
    }

    fn driver_names(&self) -> &'static [&'static str] {
        &["postgres"]
    }
}
