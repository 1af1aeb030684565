//! Quotes identifiers and strings.

use super::reserved::is_reserved;
use crate::dialect::{DialectExt, RowLimitForm, UnquotedCase};
use sqlparser::ast::{Ident, Value};
use vitrine_domain::{Dialect, TableName};

/// Returns true if a name must be quoted to refer to itself.
pub(crate) fn needs_quotes(ident: &str, dialect: Dialect) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let odd = !ident.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || !ident.chars().all(plain);
    odd || fold_identifier(ident, dialect) != ident || is_reserved(ident, dialect)
}

/// Folds an unquoted name like the engine.
pub fn fold_identifier(name: &str, dialect: Dialect) -> String {
    match dialect.sql().unquoted_case() {
        UnquotedCase::Kept => name.to_owned(),
        UnquotedCase::Lower => name.to_ascii_lowercase(),
        UnquotedCase::Upper => name.to_ascii_uppercase(),
    }
}

/// Returns true if the dialect folds unquoted names.
pub fn folds_identifiers(dialect: Dialect) -> bool {
    dialect.sql().unquoted_case() != UnquotedCase::Kept
}

/// Builds an identifier of the syntax tree, quoted only if needed.
pub fn build_identifier(name: &str, dialect: Dialect) -> Ident {
    match needs_quotes(name, dialect) {
        true => Ident::with_quote(dialect.sql().identifier_quote(), name),
        false => Ident::new(name),
    }
}

/// Formats an identifier, quoted only if needed.
pub fn quote_identifier(ident: &str, dialect: Dialect) -> String {
    if needs_quotes(ident, dialect) { dialect.sql().quoted_identifier(ident) } else { ident.to_owned() }
}

/// Builds a string literal of the syntax tree.
pub fn text_value(text: &str, dialect: Dialect) -> Value {
    dialect.sql().text_value(text)
}

/// Builds a query for the first rows of a table from a select list and a FROM item.
pub fn first_rows(columns: &str, from: &str, rows: u64, dialect: Dialect) -> String {
    match dialect.sql().row_limit_form() {
        RowLimitForm::Top => format!("SELECT TOP ({rows}) {columns} FROM {from}"),
        RowLimitForm::Limit | RowLimitForm::FetchAfterOffset => format!("SELECT {columns} FROM {from} LIMIT {rows}"),
    }
}

/// Formats a table's name with all its qualifiers.
pub fn table_ref(name: &TableName, dialect: Dialect) -> String {
    name.name_parts().map(|part| quote_identifier(part, dialect)).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_only_where_they_must_be() {
        for (name, dialect, written) in [
            ("orders", Dialect::Sqlite, "orders"),
            ("Order", Dialect::Sqlite, "\"Order\""),
            ("Free Meal Count (K-12)", Dialect::Sqlite, "\"Free Meal Count (K-12)\""),
            ("2019", Dialect::Duckdb, "\"2019\""),
            ("he said \"no\"", Dialect::Duckdb, "\"he said \"\"no\"\"\""),
            ("größe", Dialect::Duckdb, "\"größe\""),
            ("CustomerId", Dialect::Duckdb, "CustomerId"),
            ("CustomerId", Dialect::Postgres, "\"CustomerId\""),
            ("orders", Dialect::Snowflake, "\"orders\""),
            ("ORDERS", Dialect::Snowflake, "ORDERS"),
            ("ACCOUNT", Dialect::Snowflake, "\"ACCOUNT\""),
            ("account", Dialect::Duckdb, "account"),
            ("define", Dialect::Bigquery, "`define`"),
            ("top", Dialect::Mssql, "\"top\""),
            ("isb-cgc-bq", Dialect::Bigquery, "`isb-cgc-bq`"),
            ("", Dialect::Sqlite, "\"\""),
            ("rank", Dialect::Mysql, "`rank`"),
            ("a`b", Dialect::Mysql, "`a``b`"),
            ("CustomerId", Dialect::Mysql, "CustomerId"),
        ] {
            assert_eq!(quote_identifier(name, dialect), written);
        }
    }

    #[test]
    fn table_references_quote_each_part() {
        let name = TableName { catalog: None, schema: Some("my schema".into()), name: "t".into() };
        assert_eq!(table_ref(&name, Dialect::Duckdb), "\"my schema\".t");
    }
}
