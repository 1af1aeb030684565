//! A condition in WHERE that the query also uses to compute a share or difference: `SUM(CASE WHEN channel = 'web' ...)
//! / SUM(amount)` over the rows with `channel = 'web'` is always 1.

use super::each_select;
use crate::RuleInput;
use crate::fixed::{Aggregate, Fixed, find_fixed_number, group_keys, normalize_expr, split_constant_equality};
use sqlparser::ast::{Expr, Query, Select, SelectItem};
use vitrine_sql::ast::{
    InScope, Relation, build_and, collect_aggregate_names, collect_columns, collect_conjuncts, each_own_expr,
    iter_relations,
};
use vitrine_words::tr;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    each_select(query, input, |select, _, scope| take_all_rows(select, scope).into_iter().collect())
}

/// Removes the condition from WHERE. A share is then relative to all rows; other aggregates must have the condition
/// themselves.
fn take_all_rows(select: &mut Select, scope: &InScope<'_>) -> Option<String> {
    let tables: Vec<Relation<'_>> = iter_relations(select, scope).flatten().collect();
    let (condition, is_share) = match find_fixed_number(select, &tables)? {
        Fixed::OwnShare(condition) if select.projection.len() == 1 => (condition, true),
        Fixed::LeftOut { kept, .. } => (kept, false),
        _ => return None,
    };
    let mut parts = Vec::new();
    collect_conjuncts(select.selection.as_ref()?, &mut parts);
    let left_out = normalize_expr(parts[condition.place], &tables);
    if is_grouped_by(select, &left_out, &tables) || !is_share && !all_ask(select, &left_out, &tables) {
        return None;
    }
    let rest = parts.iter().enumerate().filter(|(at, _)| *at != condition.place).map(|(_, part)| (*part).clone());
    select.selection = rest.reduce(build_and);
    let condition = condition.text;
    Some(tr!("Took all rows, not only those with {condition}, which the query compares with others", condition))
}

/// Returns true if rows are grouped by the column of the condition, so that each group has one side of it.
fn is_grouped_by(select: &Select, condition: &Expr, tables: &[Relation<'_>]) -> bool {
    let compared = collect_columns(condition);
    group_keys(select, tables).iter().flat_map(collect_columns).any(|key| compared.contains(&key))
}

/// Returns true if each aggregate of a SELECT is restricted to one value of the condition's column.
fn all_ask(select: &Select, condition: &Expr, tables: &[Relation<'_>]) -> bool {
    let side = split_constant_equality(condition).map(|(side, _)| side.to_string());
    let asks = |aggregate: Aggregate<'_>| Some(split_constant_equality(aggregate.split_condition()?.0)?.0.to_string());
    select.projection.iter().all(|item| {
        let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = item else { return false };
        let mut asking = 0;
        each_own_expr(&mut normalize_expr(expr, tables), |part| {
            asking += usize::from(side.is_some() && Aggregate::from_expr(part).and_then(asks) == side);
        });
        asking == collect_aggregate_names(expr).len()
    })
}
