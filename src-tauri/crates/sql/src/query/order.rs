//! Sort order and row limit of a result.

use crate::parse::own_name;
use crate::read_only::ReadOnlySql;
use sqlparser::ast::{Expr, OrderByExpr, OrderByKind, OrderBySort, Query, SelectItem, SetExpr, Value, ValueWithSpan};

/// Returns true if the first key of the outermost ORDER BY is descending. `None` without an ORDER BY, or if only the
/// engine can parse the query.
pub fn is_descending(sql: &ReadOnlySql) -> Option<bool> {
    fn first_key_descends(query: &Query) -> Option<bool> {
        match (&query.order_by, &*query.body) {
            (Some(order), _) => match &order.kind {
                OrderByKind::Expressions(keys) => Some(keys.first()?.options.sort == Some(OrderBySort::Desc)),
                OrderByKind::All(options) => Some(options.sort == Some(OrderBySort::Desc)),
            },
            (None, SetExpr::Query(inner)) => first_key_descends(inner),
            _ => None,
        }
    }
    sql.with_query(|query| first_key_descends(&query))?
}

/// The column of a result that its rows are sorted by first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstKey {
    /// Zero-based index in the result. `None` if a preceding `*` hides it.
    pub position: Option<usize>,
    /// Name of the column, if it has one.
    pub name: Option<String>,
    /// True if the largest value comes first.
    pub descending: bool,
}

/// Returns the first key of the outermost ORDER BY if it is certainly a column of the result.
pub fn first_key(sql: &ReadOnlySql) -> Option<FirstKey> {
    sql.with_query(|query| key_of(&query))?
}

fn key_of(query: &Query) -> Option<FirstKey> {
    let order = match (&query.order_by, &*query.body) {
        (Some(order), _) => order,
        (None, SetExpr::Query(inner)) => return key_of(inner),
        _ => return None,
    };
    let OrderByKind::Expressions(keys) = &order.kind else { return None };
    let OrderByExpr { expr, options, .. } = keys.first()?;
    let items = items_of(&query.body)?;
    let position = find_key_position(expr, items)?;
    let hidden = items.iter().take(position.unwrap_or(items.len())).any(|item| expr_of(item).is_none());
    let name = match position {
        Some(at) => name_of(&items[at]).map(str::to_owned),
        None => own_name(expr).map(str::to_owned),
    };
    Some(FirstKey { position: position.filter(|_| !hidden), name, descending: options.sort == Some(OrderBySort::Desc) })
}

/// Returns the index of a sort key among the select items: `Some(None)` if only a `*` can contain it.
fn find_key_position(key: &Expr, items: &[SelectItem]) -> Option<Option<usize>> {
    if let Expr::Value(ValueWithSpan { value: Value::Number(ordinal, _), .. }) = key {
        let at = ordinal.parse::<usize>().ok()?.checked_sub(1)?;
        return (at < items.len() && items.iter().all(|item| expr_of(item).is_some())).then_some(Some(at));
    }
    let only = |matches: &dyn Fn(&SelectItem) -> bool| {
        let mut found = items.iter().enumerate().filter(|(_, item)| matches(item)).map(|(at, _)| at);
        found.next().filter(|_| found.next().is_none())
    };
    // A name is resolved as an alias first, then as a column.
    if let Expr::Identifier(name) = key {
        let alias = |item: &SelectItem| matches!(item, SelectItem::ExprWithAlias { alias, .. } if alias.value.eq_ignore_ascii_case(&name.value));
        if let Some(at) = only(&alias) {
            return Some(Some(at));
        }
    }
    let written = key.to_string();
    if let Some(at) = only(&|item| expr_of(item).is_some_and(|expr| expr.to_string().eq_ignore_ascii_case(&written))) {
        return Some(Some(at));
    }
    let name = own_name(key)?;
    let plain = |item: &SelectItem| match item {
        SelectItem::UnnamedExpr(expr) => own_name(expr).is_some_and(|own| own.eq_ignore_ascii_case(name)),
        _ => false,
    };
    match (only(&plain), items) {
        // Two tables may have a column of this name.
        (Some(at), _) if matches!(key, Expr::Identifier(_)) => Some(Some(at)),
        (None, [SelectItem::Wildcard(_)]) => Some(None),
        _ => None,
    }
}

/// Returns the select items of a query; for a set operation, those in its first operand.
fn items_of(body: &SetExpr) -> Option<&[SelectItem]> {
    match body {
        SetExpr::Select(select) => Some(&select.projection),
        SetExpr::Query(inner) => items_of(&inner.body),
        SetExpr::SetOperation { left, .. } => items_of(left),
        _ => None,
    }
}

fn expr_of(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    }
}

fn name_of(item: &SelectItem) -> Option<&str> {
    match item {
        SelectItem::UnnamedExpr(expr) => own_name(expr),
        SelectItem::ExprWithAlias { alias, .. } => Some(&alias.value),
        _ => None,
    }
}

/// Returns true if the outermost query has a row limit, or may have one because only the engine can parse it.
pub fn is_limited(sql: &ReadOnlySql) -> bool {
    fn has_row_limit(query: &Query) -> bool {
        query.limit_clause.is_some()
            || query.fetch.is_some()
            || match &*query.body {
                SetExpr::Query(inner) => has_row_limit(inner),
                SetExpr::Select(select) => select.top.is_some(),
                _ => false,
            }
    }
    sql.with_query(|query| has_row_limit(&query)).unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Dialect;

    fn parse_sqlite(sql: &str) -> ReadOnlySql {
        ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap()
    }

    #[test]
    fn the_first_key_of_the_outermost_order_says_the_direction() {
        let of = |sql| is_descending(&parse_sqlite(sql));
        assert_eq!(of("SELECT a FROM t ORDER BY a DESC, b"), Some(true));
        assert_eq!(of("SELECT a FROM t ORDER BY a LIMIT 1"), Some(false));
        assert_eq!(of("SELECT a FROM (SELECT a FROM t ORDER BY a DESC)"), None);
    }

    #[test]
    fn the_column_that_sorts_is_found_by_place_alias_name_or_expression() {
        let of = |sql| first_key(&parse_sqlite(sql)).map(|key| (key.position, key.name, key.descending));
        let found = |at: usize, name: &str, down| Some((Some(at), Some(name.to_owned()), down));
        assert_eq!(of("SELECT a, sum(b) AS s FROM t GROUP BY a ORDER BY s DESC"), found(1, "s", true));
        assert_eq!(of("SELECT a, sum(b) AS s FROM t GROUP BY a ORDER BY sum(b)"), found(1, "s", false));
        assert_eq!(of("SELECT a, sum(b) FROM t GROUP BY a ORDER BY SUM(b)"), Some((Some(1), None, false)));
        assert_eq!(of("SELECT a, b FROM t ORDER BY 2 DESC"), found(1, "b", true));
        assert_eq!(of("SELECT t.a FROM t ORDER BY a"), found(0, "a", false));
        assert_eq!(of("SELECT * FROM t ORDER BY a"), Some((None, Some("a".to_owned()), false)));
        assert_eq!(of("SELECT a FROM t UNION SELECT b FROM u ORDER BY a"), found(0, "a", false));
    }

    #[test]
    fn a_key_that_is_not_shown_is_no_column() {
        let of = |sql| first_key(&parse_sqlite(sql));
        assert_eq!(of("SELECT a FROM t ORDER BY b"), None);
        assert_eq!(of("SELECT a, b AS c FROM t ORDER BY abs(b)"), None);
        assert_eq!(of("SELECT t.a, u.a FROM t JOIN u ON t.i = u.i ORDER BY a"), None);
        assert_eq!(of("SELECT t.a FROM t JOIN u ON t.i = u.i ORDER BY u.a"), None);
        assert_eq!(of("SELECT *, b FROM t ORDER BY 2"), None);
        assert_eq!(of("SELECT a FROM t"), None);
    }

    #[test]
    fn a_limit_of_the_outermost_query_cuts_the_result() {
        let of = |sql| is_limited(&parse_sqlite(sql));
        assert!(of("SELECT a FROM t LIMIT 3"));
        assert!(of("SELECT a FROM t ORDER BY a LIMIT 3 OFFSET 1"));
        assert!(!of("SELECT a FROM (SELECT a FROM t LIMIT 3)"));
        assert!(!of("SELECT a FROM t"));
    }
}
