//! The number of rows that suffices for a query that shows any rows of one table.

use crate::condition::write_filter;
use crate::from::FromClause;
use crate::source::Source;
use sqlparser::ast::{Expr, LimitClause, Query, Select, SelectItem, SetExpr, Value};
use std::ops::ControlFlow;
use vitrine_sql::ast::{collect_conjuncts, has_group_by, has_queries, last_part, visit_exprs};

/// Functions of single values that a select list may contain.
const SCALARS: &str = "round coalesce nullif ifnull abs lower upper trim length substr substring concat year month day \
                       date_trunc strftime";

/// Returns the number of rows that suffices for `SELECT ... FROM one table WHERE ... LIMIT n`, if the source evaluates the
/// conditions exactly.
pub(crate) fn enough_rows(query: &Query, sources: &[Source]) -> Option<u64> {
    if query.with.is_some() || query.order_by.is_some() || query.fetch.is_some() || !query.pipe_operators.is_empty() {
        return None;
    }
    let Some(LimitClause::LimitOffset { limit: Some(limit), offset, limit_by }) = &query.limit_clause else {
        return None;
    };
    let rows = number(limit)?;
    let skipped = match offset {
        Some(offset) => number(&offset.value)?,
        None => 0,
    };
    let SetExpr::Select(select) = query.body.as_ref() else { return None };
    let plain = limit_by.is_empty()
        && select.distinct.is_none()
        && select.having.is_none()
        && select.qualify.is_none()
        && select.top.is_none()
        && !has_group_by(select)
        && select.projection.iter().all(is_scalar);
    (plain && evaluates_exactly(select, sources)).then(|| rows.checked_add(skipped))?
}

fn number(expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(number, false) => number.parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

fn is_scalar(item: &SelectItem) -> bool {
    let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = item else {
        return matches!(item, SelectItem::Wildcard(_));
    };
    let other = visit_exprs(expr, |expr| match expr {
        Expr::Function(function) => {
            let name = last_part(&function.name).map(|name| name.value.to_lowercase());
            match name.is_some_and(|name| SCALARS.split_whitespace().any(|known| known == name)) {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        }
        _ => ControlFlow::Continue(()),
    });
    !has_queries(expr) && !other.is_break()
}

/// Returns true if the SELECT reads one table, and its source evaluates every condition exactly.
fn evaluates_exactly(select: &Select, sources: &[Source]) -> bool {
    let from = FromClause::from_select(select, sources);
    let [item] = from.items.as_slice() else { return false };
    let Some(found) = item.table.as_ref().filter(|_| !item.opaque && !from.is_opaque) else { return false };
    let mut conditions = Vec::new();
    if let Some(condition) = &select.selection {
        collect_conjuncts(condition, &mut conditions);
    }
    let (source, table) = (&sources[found.source], found.table(sources));
    let exact = |filter| write_filter(filter, source, table).is_some_and(|written| written.exact);
    conditions.len() == item.filters.len() && item.filters.iter().all(exact)
}
