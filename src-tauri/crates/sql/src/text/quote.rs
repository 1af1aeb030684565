//! Quotes identifiers and strings.

use super::reserved::is_reserved;
use sqlparser::ast::{Ident, Value};
use vitrine_domain::{Dialect, TableName};

/// Returns true if a name must be quoted to refer to itself.
pub(crate) fn needs_quotes(ident: &str, dialect: Dialect) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let odd = !ident.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || !ident.chars().all(plain);
    odd || fold_identifier(ident, dialect) != ident || is_reserved(ident, dialect)
}

/// Folds an unquoted name like the engine: to upper case in Snowflake, to lower case in PostgreSQL, unchanged in the
/// others.
pub fn fold_identifier(name: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Snowflake => name.to_ascii_uppercase(),
        Dialect::Postgres => name.to_ascii_lowercase(),
        _ => name.to_owned(),
    }
}

/// Returns true if the dialect folds unquoted names.
pub fn folds_identifiers(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Snowflake | Dialect::Postgres)
}

/// Builds an identifier of the syntax tree, quoted only if needed.
pub fn build_identifier(name: &str, dialect: Dialect) -> Ident {
    if needs_quotes(name, dialect) { Ident::with_quote(dialect.identifier_quote(), name) } else { Ident::new(name) }
}

/// Formats an identifier, quoted only if needed.
pub fn quote_identifier(ident: &str, dialect: Dialect) -> String {
    if !needs_quotes(ident, dialect) {
        return ident.to_owned();
    }
    match dialect {
        Dialect::Mysql | Dialect::Databricks => format!("`{}`", ident.replace('`', "``")),
        Dialect::Clickhouse => format!("`{}`", ident.replace('\\', "\\\\").replace('`', "``")),
        Dialect::Bigquery => format!("`{}`", ident.replace('\\', "\\\\").replace('`', "\\`")),
        _ => format!("\"{}\"", ident.replace('"', "\"\"")),
    }
}

/// Builds a string literal of the syntax tree. In MySQL, ClickHouse and Databricks, backslashes must be escaped in the
/// tree as well. SQL Server loses characters outside of its code page without the prefix N.
pub fn text_value(text: &str, dialect: Dialect) -> Value {
    if dialect == Dialect::Mssql && !text.is_ascii() {
        return Value::NationalStringLiteral(text.to_owned());
    }
    let escaped = matches!(dialect, Dialect::Mysql | Dialect::Clickhouse | Dialect::Databricks);
    Value::SingleQuotedString(if escaped { text.replace('\\', "\\\\") } else { text.to_owned() })
}

/// Builds a query for the first rows of a table from a select list and a FROM item.
pub fn first_rows(columns: &str, from: &str, rows: u64, dialect: Dialect) -> String {
    match dialect {
        Dialect::Mssql => format!("SELECT TOP ({rows}) {columns} FROM {from}"),
        _ => format!("SELECT {columns} FROM {from} LIMIT {rows}"),
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
