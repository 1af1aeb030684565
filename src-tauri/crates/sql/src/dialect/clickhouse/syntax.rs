use super::Clickhouse;
use super::lexer::{reject_unread_tokens, split_tuple_members, unescape_token, without_strictness};
use crate::column_type::{ColumnType, type_name};
use crate::dialect::Syntax;
use crate::rejection::SqlRejection;
use sqlparser::dialect::{ClickHouseDialect, Dialect as Grammar};
use sqlparser::tokenizer::TokenWithSpan;

impl Syntax for Clickhouse {
    fn grammar(&self) -> &'static dyn Grammar {
        &ClickHouseDialect {}
    }

    fn keeps_escapes(&self) -> bool {
        true
    }

    fn adapt_tokens(&self, tokens: &mut Vec<TokenWithSpan>) {
        split_tuple_members(tokens);
        tokens.iter_mut().for_each(|token| unescape_token(&mut token.token));
    }

    fn reject_ambiguous(&self, tokens: &[TokenWithSpan], sql: &str) -> Result<(), SqlRejection> {
        reject_unread_tokens(tokens, sql)?;
        self.reject_ambiguous_literals(tokens)
    }

    fn remove_modifiers(&self, tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
        without_strictness(tokens)
    }

    fn identifier_quote(&self) -> char {
        '`'
    }

    // Names have the escapes of strings.
    fn quoted_identifier(&self, name: &str) -> String {
        format!("`{}`", name.replace('\\', "\\\\").replace('`', "``"))
    }

    fn column_type(&self, data_type: &str) -> ColumnType {
        match type_name(data_type).as_str() {
            "DATE32" => ColumnType::Date,
            "FIXEDSTRING" => ColumnType::Text,
            "TUPLE"
            | "NESTED"
            | "DYNAMIC"
            | "AGGREGATEFUNCTION"
            | "SIMPLEAGGREGATEFUNCTION"
            | "IPV4"
            | "IPV6"
            | "NOTHING" => ColumnType::Other,
            _ => ColumnType::from_common_type(data_type),
        }
    }

    fn regex_condition(&self, text: &str, pattern: &str) -> Option<String> {
        Some(format!("match(trim({text}), {})", self.text_value(&format!("^{pattern}$"))))
    }

    // ClickHouse may evaluate both branches of a CASE.
    fn number_from_text(&self, text: &str) -> String {
        format!("toFloat64OrNull({text})")
    }

    fn driver_names(&self) -> &'static [&'static str] {
        &["clickhouse"]
    }
}
