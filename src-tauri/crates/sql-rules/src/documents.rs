//! Columns that hold documents whose fields are behind no dot: VARIANT of Snowflake and Databricks, OBJECT of Snowflake.

use sqlparser::ast::Ident;
use vitrine_domain::Dialect;
use vitrine_sql::ast::Relation;

/// The document that a path by dots begins with, its table, and the keys after it: `t.address.city` or `address.city`.
pub(crate) fn by_dots<'t, 'c, 'p>(
    path: &'p [Ident],
    tables: &'t [Relation<'c>],
    dialect: Dialect,
) -> Option<(&'t Relation<'c>, &'p Ident, &'p [Ident])> {
    let named = |name: &Ident| tables.iter().find(|table| table.is(name));
    let has = |table: &Relation<'_>, name: &Ident| {
        table.table.column(&name.value).is_some_and(|column| is_document(&column.data_type, dialect))
    };
    match path {
        [table, column, keys @ ..] if named(table).is_some() => {
            let relation = named(table).filter(|relation| has(relation, column) && !keys.is_empty())?;
            Some((relation, column, keys))
        }
        [column, keys @ ..] if !keys.is_empty() => {
            let mut having = tables.iter().filter(|relation| has(relation, column));
            let relation = having.next().filter(|_| having.next().is_none())?;
            Some((relation, column, keys))
        }
        _ => None,
    }
}

/// Databricks takes a dot for the fields of its structs.
fn is_document(data_type: &str, dialect: Dialect) -> bool {
    let name = data_type.trim().split(['(', ' ']).next().unwrap_or_default().to_ascii_uppercase();
    match dialect {
        Dialect::Snowflake => matches!(name.as_str(), "VARIANT" | "OBJECT"),
        Dialect::Databricks => name == "VARIANT",
        _ => false,
    }
}
