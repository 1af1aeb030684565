//! A count of a group key, which is one in each group: with other columns, the rows are meant; without, the groups.

use super::each_select;
use crate::RuleInput;
use crate::fixed::{Aggregate, Fixed, find_fixed_number, group_keys, normalize_expr};
use sqlparser::ast::{Expr, GroupByExpr, Query, Select, SelectItem, SetExpr};
use vitrine_sql::ast::{InScope, Relation, each_own_expr, iter_relations, parse_expr, rewrite_count};
use vitrine_words::tr;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    each_select(query, input, |select, order_by, scope| {
        let tables: Vec<Relation<'_>> = iter_relations(select, scope).flatten().collect();
        let Some(Fixed::GroupKey(expr)) = find_fixed_number(select, &tables) else { return Vec::new() };
        let is_alone = matches!(select.projection.as_slice(), [SelectItem::UnnamedExpr(only) | SelectItem::ExprWithAlias { expr: only, .. }] if only.to_string() == expr);
        let note = if is_alone && order_by.is_none() {
            count_groups(select, scope)
                .map(|()| tr!("Counted the groups: as written {expr} is one in each of them", expr))
        } else {
            count_rows(select, &tables)
                .map(|()| tr!("Counted the rows of each group: as written {expr} is one in each of them", expr))
        };
        note.into_iter().collect()
    })
}

/// Rewrites a SELECT that only counts its single key to count the groups.
fn count_groups(select: &mut Select, scope: &InScope<'_>) -> Option<()> {
    let GroupByExpr::Expressions(keys, _) = &select.group_by else { return None };
    let [key] = keys.as_slice() else { return None };
    let key = key.clone();
    if select.having.is_none() {
        select.group_by = GroupByExpr::Expressions(Vec::new(), Vec::new());
        return Some(());
    }
    let mut groups = select.clone();
    groups.projection = vec![SelectItem::UnnamedExpr(key)];
    let counted = parse_expr(&format!("(SELECT COUNT(*) FROM ({groups}) AS each_group)"), scope.dialect)?;
    let Expr::Subquery(counted) = counted else { return None };
    let SetExpr::Select(counted) = *counted.body else { return None };
    *select = *counted;
    Some(())
}

/// Rewrites each count of a group key to count rows.
fn count_rows(select: &mut Select, tables: &[Relation<'_>]) -> Option<()> {
    let keys = group_keys(select, tables);
    let mut changed = None;
    for item in &mut select.projection {
        let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = item else { continue };
        each_own_expr(expr, |part| {
            let of = normalize_expr(part, tables);
            if Aggregate::from_expr(&of).is_some_and(|aggregate| aggregate.counts_one_of(&keys))
                && let Expr::Function(function) = part
            {
                rewrite_count(function, None);
                changed = Some(());
            }
        });
    }
    changed
}
