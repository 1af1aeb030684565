//! Groups that a source computes before the join.
//!
//! A SELECT that only aggregates the rows of a table needs no single rows of it: rows with equal values in all columns that
//! the SELECT uses elsewhere (the *keys*) join with the same rows. The source therefore groups by the keys, and delivers for
//! each group its number of rows and the parts of the aggregates, which the SELECT then combines. Every doubt about a name,
//! a function or a type leaves the SELECT unchanged.

mod aggregates;
mod changed;
mod keys;
mod names;
mod select;

use crate::part::TablePart;
use crate::source::Source;
use select::group_select;
use sqlparser::ast::{Expr, OrderByKind, Query, SetExpr};
use vitrine_sql::ast::{branches_mut, each_query};
use vitrine_sql::{ReadOnlySql, rewrite_unformatted};

/// A query over tables that sources deliver in groups.
pub(crate) struct Aggregated {
    pub joining: ReadOnlySql,
    pub parts: Vec<TablePart>,
}

/// Lets sources group the rows of tables whose rows are only aggregated. `None` if no table qualifies.
pub(crate) fn aggregate_at_sources(sql: &ReadOnlySql, sources: &[Source]) -> Option<Aggregated> {
    let (joining, parts) = rewrite_unformatted(sql, |query| {
        let mut parts = Vec::new();
        each_query(query, |query| group_query(query, sources, &mut parts));
        (!parts.is_empty()).then_some(parts)
    })?;
    Some(Aggregated { joining, parts })
}

fn group_query(query: &mut Query, sources: &[Source], parts: &mut Vec<TablePart>) {
    if !query.pipe_operators.is_empty() {
        return;
    }
    let number = parts.len();
    // Only the ORDER BY of a single SELECT may contain aggregates.
    if let SetExpr::Select(select) = query.body.as_mut() {
        let mut order: Vec<&mut Expr> = match query.order_by.as_mut().map(|order| &mut order.kind) {
            Some(OrderByKind::Expressions(keys)) => keys.iter_mut().map(|key| &mut key.expr).collect(),
            _ => Vec::new(),
        };
        parts.extend(group_select(select, &mut order, sources, number));
        return;
    }
    for select in branches_mut(&mut query.body) {
        let number = parts.len();
        parts.extend(group_select(select, &mut [], sources, number));
    }
}
