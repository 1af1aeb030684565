//! Ties in a ranking: rows that share the last place of a limited result. The engine chooses arbitrarily which of them
//! are shown.

use sqlparser::ast::{
    Expr, Ident, LimitClause, OrderByKind, Query, SelectItem, SetExpr, TopQuantity, Value, ValueWithSpan,
};
use sqlparser::tokenizer::Span;
use vitrine_sql::{ReadOnlySql, rewrite_unformatted};

/// Maximum limit of a ranking; larger results are lists.
const LARGEST: u64 = 100;
/// Number of rows read beyond the limit.
const BEYOND: u64 = 50;

/// A ranking's query that reads beyond its limit and returns its sort keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeyondLimit {
    /// SQL text of the query; its last `keys` columns are the sort keys.
    pub sql: ReadOnlySql,
    /// The limit of the original query.
    pub limit: u64,
    /// Maximum number of rows that it returns.
    pub rows: u64,
    /// Number of appended sort keys.
    pub keys: usize,
}

/// Builds a query that shows if the last place of a ranking is shared. `None` if the query is not a ranking: no order,
/// no limit or a large one, an offset, or DISTINCT.
pub fn beyond_limit(sql: &ReadOnlySql) -> Option<BeyondLimit> {
    let limit = sql.limit().filter(|limit| (1..=LARGEST).contains(limit))?;
    let rows = limit + BEYOND;
    let (sql, keys) = rewrite_unformatted(sql, |query| with_keys(query, rows))?;
    Some(BeyondLimit { sql, limit, rows, keys })
}

/// Raises the limit and appends the sort keys to the result. Returns the number of keys.
fn with_keys(query: &mut Query, rows: u64) -> Option<usize> {
    let more = Expr::Value(ValueWithSpan { value: Value::Number(rows.to_string(), false), span: Span::empty() });
    match (&mut query.limit_clause, query.body.as_mut()) {
        (Some(LimitClause::LimitOffset { limit: Some(limit), offset: None, .. }), SetExpr::Select(select))
            if select.top.is_none() =>
        {
            *limit = more;
        }
        (None, SetExpr::Select(select)) if query.fetch.is_none() => {
            let top = select.top.as_mut().filter(|top| !top.percent && !top.with_ties)?;
            top.quantity = Some(TopQuantity::Expr(more));
        }
        _ => return None,
    }
    let OrderByKind::Expressions(keys) = &mut query.order_by.as_mut()?.kind else { return None };
    let SetExpr::Select(select) = query.body.as_mut() else { return None };
    if select.distinct.is_some() {
        return None;
    }
    let written = select.projection.clone();
    for (key, number) in keys.iter_mut().zip(1..) {
        let alias = Ident::new(format!("vitrine_key_{number}"));
        let expr = resolve_sort_key(&key.expr, &written)?;
        key.expr = Expr::Identifier(alias.clone());
        select.projection.push(SelectItem::ExprWithAlias { expr, alias });
    }
    Some(keys.len())
}

/// Returns the expression of a sort key that may be an ordinal or alias of a select item.
fn resolve_sort_key(key: &Expr, projection: &[SelectItem]) -> Option<Expr> {
    let of = |item: &SelectItem| match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr.clone()),
        _ => None,
    };
    match key {
        Expr::Value(ValueWithSpan { value: Value::Number(number, _), .. }) => {
            // The ordinal is unknown after a `*`.
            let before = number.parse::<usize>().ok()?.checked_sub(1)?;
            projection.get(..=before)?.iter().map(of).collect::<Option<Vec<_>>>()?.pop()
        }
        Expr::Identifier(name) => {
            let aliased = projection.iter().find_map(|item| match item {
                SelectItem::ExprWithAlias { expr, alias } if alias.value.eq_ignore_ascii_case(&name.value) => {
                    Some(expr)
                }
                _ => None,
            });
            Some(aliased.unwrap_or(key).clone())
        }
        _ => Some(key.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Dialect;

    fn find_beyond_limit(sql: &str) -> Option<(String, usize)> {
        let beyond = beyond_limit(&ReadOnlySql::parse(sql, Dialect::Duckdb).expect(sql))?;
        Some((beyond.sql.as_str().to_owned(), beyond.keys))
    }

    #[test]
    fn a_ranking_goes_on_and_tells_its_keys() {
        assert_eq!(
            find_beyond_limit("SELECT name, sum(x) AS total FROM t GROUP BY 1 ORDER BY total DESC, 1 LIMIT 3"),
            Some((
                "SELECT name, sum(x) AS total, sum(x) AS vitrine_key_1, name AS vitrine_key_2 FROM t GROUP BY 1 ORDER BY \
                 vitrine_key_1 DESC, vitrine_key_2 LIMIT 53"
                    .to_owned(),
                2
            ))
        );
        assert_eq!(
            find_beyond_limit("SELECT * FROM t ORDER BY price LIMIT 1").map(|(sql, _)| sql).as_deref(),
            Some("SELECT *, price AS vitrine_key_1 FROM t ORDER BY vitrine_key_1 LIMIT 51")
        );
    }

    #[test]
    fn what_is_no_ranking_is_left_alone() {
        for sql in [
            "SELECT a FROM t LIMIT 3",
            "SELECT a FROM t ORDER BY a",
            "SELECT a FROM t ORDER BY a LIMIT 5000",
            "SELECT a FROM t ORDER BY a LIMIT 3 OFFSET 2",
            "SELECT DISTINCT a FROM t ORDER BY a LIMIT 3",
            "SELECT *, b FROM t ORDER BY 2 LIMIT 3",
            "SELECT a FROM t UNION SELECT a FROM u ORDER BY a LIMIT 3",
        ] {
            assert_eq!(find_beyond_limit(sql), None, "{sql}");
        }
    }
}
