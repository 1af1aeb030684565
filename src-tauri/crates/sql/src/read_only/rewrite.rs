//! Changing a query: read, change, write, prove again. The one way in which a query becomes another.

use super::query::ReadOnlySql;
use sqlparser::ast::Query;

/// The query after `change`, which gives `None` where it changed nothing, and what it says of the change. `None` too where
/// the changed query is not proven to read only.
pub fn rewrite<T>(sql: &ReadOnlySql, change: impl FnOnce(&mut Query) -> Option<T>) -> Option<(ReadOnlySql, T)> {
    let (written, said) = sql.with_query(|mut query| change(&mut query).map(|said| (query.to_string(), said)))??;
    Some((sql.rewritten(&written)?, said))
}
