//! The columns of a grouped table by which its source groups.

use super::aggregates::{Call, classify_call};
use super::changed::Changed;
use crate::catalog::is_same_name;
use crate::from::{FromClause, constraint_of};
use crate::needs::find_uses;
use crate::source::Source;
use sqlparser::ast::{Expr, GroupByExpr, JoinConstraint, Query, SelectItem, TableFactor};
use std::ops::ControlFlow;
use vitrine_domain::Table;
use vitrine_sql::ast::visit_exprs;

/// Returns the places of the columns that the SELECT uses apart from aggregates, whose parts begin with `prefix`. `None` if a
/// name is in doubt, or if grouping would not merge rows.
pub(super) fn find_keys(
    changed: &Changed,
    from: &FromClause<'_>,
    at: usize,
    sources: &[Source],
    prefix: &str,
) -> Option<Vec<usize>> {
    let table = from.items[at].table.as_ref()?.table(sources);
    let binding = from.items[at].binding.as_deref()?;
    let mut keys: Vec<usize> = Vec::new();
    let mut in_doubt = false;
    let mut add = |place: usize| {
        if !keys.contains(&place) {
            keys.push(place);
        }
    };
    let mut note = |expr: &Expr| {
        match expr {
            // The name of a table is its whole row.
            Expr::Identifier(name) if from.items.iter().any(|item| item.is_named(&[&name.value])) => in_doubt = true,
            Expr::Identifier(name) => match from.column_of(expr, at, sources) {
                Some(place) => add(place),
                // The join computes a merged column from the keys.
                None if from.is_merged(expr) => {}
                None => in_doubt |= table.find_column(&name.value).is_some(),
            },
            Expr::CompoundIdentifier(path) => match (from.column_of(expr, at, sources), path.as_slice()) {
                (Some(place), [_, _]) => add(place),
                (None, [qualifier, name]) => {
                    let own = is_same_name(&qualifier.value, binding);
                    let known = from.items.iter().any(|item| item.is_named(&[&qualifier.value]));
                    in_doubt |= !known || (own && !name.value.starts_with(prefix));
                }
                _ => in_doubt = true,
            },
            Expr::CompoundFieldAccess { .. } => in_doubt = true,
            _ => {}
        }
        ControlFlow::<()>::Continue(())
    };
    // In ORDER BY, a name means a column of the result first.
    let of_result = |expr: &&Expr| match expr {
        Expr::Identifier(name) => from.aliases.contains(&name.value.to_lowercase()),
        _ => false,
    };
    let order = changed.order.iter().filter(|expr| !of_result(expr));
    for part in output_exprs(changed).into_iter().chain(row_exprs(changed)).chain(order) {
        let _ = visit_exprs(part, &mut note);
    }
    for merged in &from.merged {
        let own = table.columns.iter().position(|column| is_same_name(&column.name, &merged.name));
        own.into_iter().for_each(&mut add);
    }
    // A condition on single rows must not depend on their number, as a random number does.
    let volatile = |part: &&Expr| {
        visit_exprs(*part, |expr| match expr {
            Expr::Function(function) if !matches!(classify_call(function), Call::Scalar) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
        .is_break()
    };
    in_doubt |= row_exprs(changed).iter().any(volatile);
    in_doubt |= factors(changed).any(|factor| {
        matches!(factor, TableFactor::Derived { lateral, subquery, .. }
            if *lateral || may_refer_to(subquery, binding, table, sources))
    });
    (!in_doubt && !contains_key(table, &keys)).then_some(keys)
}

fn output_exprs(changed: &Changed) -> Vec<&Expr> {
    let mut all: Vec<&Expr> = Vec::new();
    for item in &changed.select.projection {
        if let SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } = item {
            all.push(expr);
        }
    }
    all.extend(&changed.select.having);
    if let GroupByExpr::Expressions(keys, _) = &changed.select.group_by {
        all.extend(keys);
    }
    all
}

/// Returns the conditions on single rows.
fn row_exprs(changed: &Changed) -> Vec<&Expr> {
    let mut all: Vec<&Expr> = changed.select.selection.iter().collect();
    for join in changed.select.from.iter().flat_map(|tables| &tables.joins) {
        if let Some(JoinConstraint::On(condition)) = constraint_of(&join.join_operator) {
            all.push(condition);
        }
    }
    all
}

fn factors(changed: &Changed) -> impl Iterator<Item = &TableFactor> {
    changed
        .select
        .from
        .iter()
        .flat_map(|tables| std::iter::once(&tables.relation).chain(tables.joins.iter().map(|join| &join.relation)))
}

/// Returns true if a subquery of the FROM clause may use columns of the table.
fn may_refer_to(subquery: &Query, binding: &str, table: &Table, sources: &[Source]) -> bool {
    let (uses, _) = find_uses(subquery, sources);
    let inside = |name: &str| uses.iter().any(|used| used.table.table(sources).find_column(name).is_some());
    visit_exprs(subquery, |expr| {
        let refers = match expr {
            Expr::Identifier(name) => table.find_column(&name.value).is_some() && !inside(&name.value),
            Expr::CompoundIdentifier(path) => path.first().is_some_and(|first| is_same_name(&first.value, binding)),
            _ => false,
        };
        if refers { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .is_break()
}

/// Returns true if columns contain a key of the table, so that each row is a group of its own.
fn contains_key(table: &Table, columns: &[usize]) -> bool {
    let has = |name: &String| columns.iter().any(|at| is_same_name(&table.columns[*at].name, name));
    table.unique_keys.iter().chain([&table.primary_key]).any(|key| !key.is_empty() && key.iter().all(has))
}
