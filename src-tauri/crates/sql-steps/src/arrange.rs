//! Assigns conditions to sources and joins.

use crate::from::{Frame, Joined};
use crate::slots::used_slots;
use crate::steps::JoinKind;
use crate::{Outcome, unsupported_part};
use sqlparser::ast::{Expr, Query, Visitor};
use std::mem;
use std::ops::ControlFlow;
use vitrine_sql::ast::{collect_conjuncts, visit_tree};
use vitrine_words::tr;

/// Assigns each condition to one source, or to the join that adds its last table if the query writes that join as a
/// comma. Returns the remaining conditions, which apply to the joined rows.
pub(crate) fn distribute_conditions(frame: &mut Frame, conditions: Vec<Expr>) -> Outcome<Vec<Expr>> {
    let single = frame.sources.len() == 1;
    let mut wide: Vec<About> = Vec::new();
    let mut rest = Vec::new();
    for condition in conditions {
        let sources = frame.sources_of(&used_slots(&condition));
        let certain = sources.iter().all(|&at| !frame.sources[at].optional);
        match sources.as_slice() {
            _ if single => frame.sources[0].filters.push(condition),
            [one] if certain => frame.sources[*one].filters.push(condition),
            [_, _, ..] if certain && !has_query(&condition) => wide.push((condition, sources)),
            _ => rest.push(condition),
        }
    }
    let inner = frame.joins.iter().all(|join| matches!(join.kind, JoinKind::Inner | JoinKind::Cross));
    if inner {
        arrange_inner(frame, &mut wide)
    } else {
        arrange_outer(frame, &mut wide)?
    }
    // In the order of the query.
    rest.extend(wide.into_iter().map(|(condition, _)| condition));
    Ok(rest)
}

/// A condition and the indices of the sources that it uses.
type About = (Expr, Vec<usize>);

/// Reorders inner joins so that each gets its condition.
fn arrange_inner(frame: &mut Frame, wide: &mut Vec<About>) {
    let joins = mem::take(&mut frame.joins).into_iter();
    let about = |condition: Expr| {
        let sources = frame.sources_of(&used_slots(&condition));
        (condition, sources)
    };
    let mut pending: Vec<(usize, Vec<About>)> =
        joins.map(|join| (join.right, join.conditions.into_iter().map(&about).collect())).collect();
    let mut late: Vec<About> = Vec::new();
    let mut there = vec![false; frame.sources.len()];
    there.iter_mut().take(1).for_each(|first| *first = true);
    while !pending.is_empty() {
        let fits = |(_, sources): &About, right: usize| sources.iter().all(|at| *at == right || there[*at]);
        let links = |right: usize, condition: &About| {
            condition.1.len() > 1 && condition.1.contains(&right) && fits(condition, right)
        };
        let linked = |(right, own): &(usize, Vec<About>)| {
            own.iter().chain(wide.iter()).chain(&late).any(|condition| links(*right, condition))
        };
        let (right, own) = pending.remove(pending.iter().position(linked).unwrap_or(0));
        let bare = own.is_empty();
        late.extend(own);
        let (mut now, later): (Vec<About>, _) = late.into_iter().partition(|condition| fits(condition, right));
        late = later;
        if bare {
            let (asked, others) = mem::take(wide).into_iter().partition::<Vec<About>, _>(|c| fits(c, right));
            now.extend(asked);
            *wide = others;
        }
        there[right] = true;
        let kind = if now.is_empty() { JoinKind::Cross } else { JoinKind::Inner };
        let conditions = now.into_iter().map(|(condition, _)| condition).collect();
        frame.joins.push(Joined { kind, right, conditions });
    }
    wide.extend(late);
}

/// Keeps the order of outer joins and the conditions of each join.
fn arrange_outer(frame: &mut Frame, wide: &mut Vec<About>) -> Outcome<()> {
    let mut joins = mem::take(&mut frame.joins);
    for join in &mut joins {
        let known = |sources: &[usize]| sources.iter().all(|at| *at <= join.right);
        for condition in &join.conditions {
            if !known(&frame.sources_of(&used_slots(condition))) {
                return unsupported_part(tr!("a condition on a table that is joined later"));
            }
        }
        if join.kind == JoinKind::Cross && join.conditions.is_empty() {
            let (now, later) = mem::take(wide).into_iter().partition(|(_, sources)| known(sources));
            *wide = later;
            let now: Vec<About> = now;
            join.conditions = now.into_iter().map(|(condition, _)| condition).collect();
            if !join.conditions.is_empty() {
                join.kind = JoinKind::Inner;
            }
        }
    }
    frame.joins = joins;
    Ok(())
}

fn has_query(expr: &Expr) -> bool {
    struct Finds;
    impl Visitor for Finds {
        type Break = ();
        fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }
    visit_tree(expr, &mut Finds).is_break()
}

/// Splits a condition at AND.
pub(crate) fn split_conjuncts(condition: Option<&Expr>) -> Vec<Expr> {
    let mut found = Vec::new();
    if let Some(condition) = condition {
        collect_conjuncts(condition, &mut found);
    }
    found.into_iter().cloned().collect()
}
