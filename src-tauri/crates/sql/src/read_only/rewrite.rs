//! Rewrites a query: parses it, changes the tree, prints it and proves it again. Every rewrite goes through here.

use super::query::ReadOnlySql;
use crate::parse::row_limits_of;
use crate::text;
use sqlparser::ast::Query;

/// Returns the formatted query after `change`, with the result of `change`. `None` if `change` returns `None`, if
/// printing the tree loses a part, or if the changed query is not proven read-only.
pub fn rewrite_query<T>(sql: &ReadOnlySql, change: impl FnOnce(&mut Query) -> Option<T>) -> Option<(ReadOnlySql, T)> {
    let (written, report) = apply_change(sql, change)?;
    Some((sql.with_text(&text::format_sql(&written, sql.dialect()))?, report))
}

/// Same as [`rewrite_query`] without formatting, for a query that is only executed or rewritten further.
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
