//! The joins of a FROM clause as a tree of tables.

use crate::mend::{multiplies, on, sides};
use crate::relations::Relation;
use sqlparser::ast::{Expr, Join, JoinConstraint, JoinOperator, TableWithJoins};

/// Two tables that a join links, each with its column.
pub(super) struct Edge {
    pub one: (usize, String),
    pub other: (usize, String),
    pub condition: Expr,
    /// Whether the joined table may have no row.
    pub optional: bool,
}

impl Edge {
    /// Whether one row of the other table may have several of this one.
    pub fn repeats(&self, table: usize, tables: &[Relation<'_>]) -> bool {
        let column = if self.one.0 == table { &self.one.1 } else { &self.other.1 };
        multiplies(&tables[table], column)
    }
}

/// The joins as the edges of a tree; `None` unless each sets two columns equal, and is an inner or a left one.
pub(super) fn edges(from: &TableWithJoins, tables: &[Relation<'_>]) -> Option<Vec<Edge>> {
    let edge = |(at, join): (usize, &Join)| {
        let (condition, optional) = match &join.join_operator {
            JoinOperator::Left(JoinConstraint::On(on)) | JoinOperator::LeftOuter(JoinConstraint::On(on)) => (on, true),
            _ => (on(join)?, false),
        };
        let ((a, left), (b, right)) = sides(condition, tables)?;
        let joined = at + 1;
        let fits = (a == joined) != (b == joined) && a <= joined && b <= joined;
        let (one, other) = ((a, left.to_owned()), (b, right.to_owned()));
        fits.then(|| Edge { one, other, condition: condition.clone(), optional })
    };
    from.joins.iter().enumerate().map(edge).collect()
}

/// From one table along the edges to every other one of `of` that can be reached, each with the edge that leads to it.
pub(super) fn walk<'e>(from: usize, of: &'e [usize], edges: &'e [Edge]) -> impl Iterator<Item = (&'e Edge, usize)> {
    let mut seen = vec![from];
    std::iter::from_fn(move || {
        let found = edges.iter().find_map(|edge| {
            let (one, other) = (edge.one.0, edge.other.0);
            let leads = |a: usize, b: usize| seen.contains(&a) && !seen.contains(&b) && of.contains(&b);
            if leads(one, other) { Some((edge, other)) } else { leads(other, one).then_some((edge, one)) }
        })?;
        seen.push(found.1);
        Some(found)
    })
}
