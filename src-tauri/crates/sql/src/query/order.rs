//! How a result is ordered.

use crate::read_only::ReadOnlySql;
use sqlparser::ast::{OrderByKind, OrderBySort, Query, SetExpr};

/// Whether the first key of the outermost ORDER BY descends. `None` without an order, or where only the engine reads the
/// query.
pub fn descends(sql: &ReadOnlySql) -> Option<bool> {
    fn first(query: &Query) -> Option<bool> {
        match (&query.order_by, &*query.body) {
            (Some(order), _) => match &order.kind {
                OrderByKind::Expressions(keys) => Some(keys.first()?.options.sort == Some(OrderBySort::Desc)),
                OrderByKind::All(options) => Some(options.sort == Some(OrderBySort::Desc)),
            },
            (None, SetExpr::Query(inner)) => first(inner),
            _ => None,
        }
    }
    sql.with_query(|query| first(&query))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Dialect;

    #[test]
    fn the_first_key_of_the_outermost_order_says_the_direction() {
        let of = |sql| descends(&ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap());
        assert_eq!(of("SELECT a FROM t ORDER BY a DESC, b"), Some(true));
        assert_eq!(of("SELECT a FROM t ORDER BY a LIMIT 1"), Some(false));
        assert_eq!(of("SELECT a FROM (SELECT a FROM t ORDER BY a DESC)"), None);
    }
}
