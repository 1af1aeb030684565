//! Standing conditions in questions about missing rows: "never ordered anything" finds more customers if cancelled
//! orders are ignored. Only the user knows if an ignored row is treated as missing, so the query without the condition
//! is a variant of the answer.

use super::apply::condition_implies;
use super::{StandingCondition, place};
use crate::RuleInput;
use sqlparser::ast::{Expr, Query, Select, SetExpr, SetOperator, UnaryOperator, VisitorMut};
use std::ops::ControlFlow;
use vitrine_sql::ast::{
    InScope, Relation, build_and, collect_conjuncts, is_column, iter_relations, resolve_column_index as column_place,
    visit_mut,
};
use vitrine_words::tr;

/// Removes the conditions from subqueries and joins whose rows must not exist.
pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    let scope = InScope::from_query(query, input.catalog);
    let mut denied = Denied { conditions: &input.standing.holding, scope, within: 0, notes: Vec::new() };
    let _ = visit_mut(query, &mut denied);
    denied.notes
}

struct Denied<'a> {
    conditions: &'a [StandingCondition],
    scope: InScope<'a>,
    /// Number of enclosing negated subqueries.
    within: usize,
    notes: Vec<String>,
}

impl VisitorMut for Denied<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        self.within += usize::from(is_negated_subquery(expr));
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        self.within -= usize::from(is_negated_subquery(expr));
        ControlFlow::Continue(())
    }

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        if let SetExpr::SetOperation { op: SetOperator::Except | SetOperator::Minus, right, .. } = query.body.as_mut()
            && let SetExpr::Select(select) = right.as_mut()
        {
            self.take_from(select, true);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        self.take_from(select, self.within > 0);
        ControlFlow::Continue(())
    }
}

impl Denied<'_> {
    fn take_from(&mut self, select: &mut Select, denied: bool) {
        let tables: Vec<(usize, Relation<'_>)> =
            iter_relations(select, &self.scope).enumerate().filter_map(|(at, table)| Some((at, table?))).collect();
        for condition in self.conditions {
            for (at, table) in tables.iter().filter(|(_, table)| table.table.name == condition.table) {
                let taken = if denied {
                    remove_condition(&mut select.selection, condition, &table.alias)
                } else {
                    keeps_unmatched_rows(select, table) && take_on(select, *at, condition, &table.alias)
                };
                let note = condition.note_missing();
                if taken && !self.notes.contains(&note) {
                    self.notes.push(note);
                }
            }
        }
    }
}

/// Returns true if a subquery must not return any row.
fn is_negated_subquery(expr: &Expr) -> bool {
    match expr {
        Expr::InSubquery { negated, .. } | Expr::Exists { negated, .. } => *negated,
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
            matches!(expr.as_ref(), Expr::Exists { .. } | Expr::InSubquery { .. } | Expr::Nested(_))
        }
        _ => false,
    }
}

/// Returns true if the SELECT keeps the rows for which a left join found no row of the table.
fn keeps_unmatched_rows(select: &Select, table: &Relation<'_>) -> bool {
    let mut parts = Vec::new();
    select.selection.iter().for_each(|condition| collect_conjuncts(condition, &mut parts));
    parts.into_iter().any(|part| match part {
        Expr::IsNull(column) => is_column(column) && column_place(column, std::slice::from_ref(table)).is_some(),
        _ => false,
    })
}

fn take_on(select: &mut Select, at: usize, condition: &StandingCondition, alias: &str) -> bool {
    let Some(on) = place::left_join_condition(select, at) else { return false };
    let mut whole = Some(on.clone());
    let taken = remove_condition(&mut whole, condition, alias);
    match whole {
        Some(left) if taken => *on = left,
        _ => return false,
    }
    true
}

/// Removes the condition from a part that contains it unchanged.
fn remove_condition(part: &mut Option<Expr>, condition: &StandingCondition, alias: &str) -> bool {
    let Some(all) = part.as_ref() else { return false };
    let (mut parts, mut wanted) = (Vec::new(), Vec::new());
    collect_conjuncts(all, &mut parts);
    collect_conjuncts(&condition.condition, &mut wanted);
    let is_wanted = |part: &&Expr| {
        wanted.iter().any(|wanted| condition_implies(part, alias, wanted) && condition_implies(wanted, alias, part))
    };
    let (taken, left): (Vec<&Expr>, Vec<&Expr>) = parts.into_iter().partition(|part| is_wanted(part));
    if taken.len() < wanted.len() {
        return false;
    }
    let left = left.into_iter().cloned().reduce(build_and);
    *part = left;
    true
}

impl StandingCondition {
    fn note_missing(&self) -> String {
        let (table, condition) = (&self.table, &self.condition);
        tr!("Without “{condition}” for {table} where the query asks what is missing", condition, table)
    }
}
