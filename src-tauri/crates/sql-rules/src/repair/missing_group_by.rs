//! Missing GROUP BY: plain columns next to an aggregate, or ORDER BY an aggregate. Some engines reject it, others
//! return a single meaningless row.

use super::each_select;
use crate::RuleInput;
use sqlparser::ast::{GroupByExpr, OrderBy, Query, Select, SelectItem};
use vitrine_sql::ast::{Grain, InScope, collect_aggregate_names, has_group_by, is_column, iter_relations};
use vitrine_words::tr;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    each_select(query, input, |select, order_by, scope| add_group_by(select, order_by, scope).into_iter().collect())
}

/// Groups a SELECT by its plain columns. MAX or MIN next to columns of the same row is an idiom of some engines and
/// stays unchanged.
fn add_group_by(select: &mut Select, order_by: &Option<OrderBy>, scope: &InScope<'_>) -> Option<String> {
    if has_group_by(select) || select.having.is_some() || select.distinct.is_some() {
        return None;
    }
    let mut columns = Vec::new();
    let mut counts = false;
    for item in &select.projection {
        let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = item else { return None };
        match collect_aggregate_names(expr).as_slice() {
            [] if is_column(expr) => columns.push(expr.clone()),
            [] => return None,
            names => counts |= names.iter().any(|name| name != "max" && name != "min"),
        }
    }
    let sorted = order_by.as_ref().map(collect_aggregate_names).unwrap_or_default();
    counts |= sorted.iter().any(|name| name != "max" && name != "min");
    if columns.is_empty() || !counts {
        return None;
    }
    // A column with the same value in all rows needs no group: "the name of customer 5, and how often they bought".
    let tables: Option<Vec<_>> = iter_relations(select, scope).collect();
    if tables.is_some_and(|tables| {
        let grain = Grain::from_select(select, &tables);
        columns.iter().all(|column| grain.is_constant(column))
    }) {
        return None;
    }
    let list: Vec<String> = columns.iter().map(ToString::to_string).collect();
    select.group_by = GroupByExpr::Expressions(columns, Vec::new());
    Some(tr!("Grouped by {columns}", columns = list.join(", ")))
}
