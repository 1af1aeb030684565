use super::Databricks;
use super::lexer::{merge_number_tokens, reject_unread_tokens};
use super::tree::standardize_tree;
use crate::dialect::Syntax;
use crate::dialect::lexer::unescape_token;
use crate::rejection::SqlRejection;
use sqlparser::ast::Statement;
use sqlparser::dialect::{DatabricksDialect, Dialect as Grammar};
use sqlparser::tokenizer::TokenWithSpan;

impl Syntax for Databricks {
    fn grammar(&self) -> &'static dyn Grammar {
        &DatabricksDialect {}
    }

    fn keeps_escapes(&self) -> bool {
        true
    }

    fn adapt_tokens(&self, tokens: &mut Vec<TokenWithSpan>) {
        merge_number_tokens(tokens);
        tokens.iter_mut().for_each(|token| unescape_token(&mut token.token));
    }

    fn reject_ambiguous(&self, tokens: &[TokenWithSpan], sql: &str) -> Result<(), SqlRejection> {
        reject_unread_tokens(tokens, sql)?;
        self.reject_ambiguous_literals(tokens)
    }

    fn standardize_tree(&self, statements: &mut Vec<Statement>) {
        standardize_tree(statements);
    }

    fn identifier_quote(&self) -> char {
        '`'
    }

    fn lists_container_in_search_path(&self) -> bool {
        true
    }

    fn text_type(&self) -> &'static str {
        "STRING"
    }

    fn number_from_text(&self, text: &str) -> String {
        format!("TRY_CAST({text} AS DOUBLE)")
    }

    fn driver_names(&self) -> &'static [&'static str] {
        &["databricks"]
    }
}
