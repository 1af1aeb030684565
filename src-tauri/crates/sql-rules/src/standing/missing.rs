//! Standing conditions where a query asks what is missing: "never ordered anything" finds more where cancelled orders do not
//! count. Whether a row that does not count is one that is there, only the person knows; so the query without the condition
//! stands beside the answer.

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

/// Takes the conditions out of what must not be there.
pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    let scope = InScope::from_query(query, input.catalog);
    let mut denied = Denied { conditions: &input.standing.holding, scope, within: 0, notes: Vec::new() };
    let _ = visit_mut(query, &mut denied);
    denied.notes
}

struct Denied<'a> {
    conditions: &'a [StandingCondition],
    scope: InScope<'a>,
    /// How many denials are around.
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

/// Whether nothing may be found in a query within.
fn is_negated_subquery(expr: &Expr) -> bool {
    match expr {
        Expr::InSubquery { negated, .. } | Expr::Exists { negated, .. } => *negated,
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
            matches!(expr.as_ref(), Expr::Exists { .. } | Expr::InSubquery { .. } | Expr::Nested(_))
        }
        _ => false,
    }
}

/// Whether the SELECT keeps the rows for which a left join found nothing in the table.
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

/// Takes the condition out of a part where it stands as it was put in.
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
