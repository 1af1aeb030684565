//! Rewriting a query: read its tree, change it, write it out and prove it again. Every rewrite goes through here.

use super::query::ReadOnlySql;
use crate::parse::row_limits_of;
use crate::text;
use sqlparser::ast::Query;

/// The formatted query after `change`, with what `change` reports. `None` where `change` returns `None`, where writing
/// the tree out loses something, and where the changed query is not proven to only read.
pub fn rewrite_query<T>(sql: &ReadOnlySql, change: impl FnOnce(&mut Query) -> Option<T>) -> Option<(ReadOnlySql, T)> {
    let (written, report) = apply_change(sql, change)?;
    Some((sql.with_text(&text::format_sql(&written, sql.dialect()))?, report))
}

/// [`rewrite`] without formatting: for a query that is only run, or rewritten further.
pub fn rewrite_unformatted<T>(
    sql: &ReadOnlySql,
    change: impl FnOnce(&mut Query) -> Option<T>,
) -> Option<(ReadOnlySql, T)> {
    let (written, report) = apply_change(sql, change)?;
    Some((sql.with_text(&written)?, report))
}

fn apply_change<T>(sql: &ReadOnlySql, change: impl FnOnce(&mut Query) -> Option<T>) -> Option<(String, T)> {
    sql.with_query(|mut query| {
        let report = change(&mut query)?;
        row_limits_of(&mut query, sql.dialect());
        Some((query.to_string(), report))
    })?
}
