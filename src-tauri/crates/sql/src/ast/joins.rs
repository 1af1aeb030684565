//! The joins of a FROM clause, and the foreign keys between its tables.

use super::tables::Relation;
use crate::text::build_identifier;
use sqlparser::ast::{BinaryOperator, Expr, Join, JoinConstraint, JoinOperator, TableWithJoins};
use vitrine_domain::{Dialect, Table};

/// A pair of columns that a foreign key links.
pub type Link = (String, String);

/// Returns the single-column foreign keys between two tables, in either direction.
pub fn foreign_key_links(one: &Table, other: &Table) -> Vec<Link> {
    let along = |from: &Table, to: &Table| -> Vec<Link> {
        from.foreign_keys
            .iter()
            .filter(|key| key.ref_table == to.name)
            .filter_map(|key| match (key.columns.as_slice(), key.ref_columns.as_slice()) {
                ([own], [target]) => Some((own.clone(), target.clone())),
                _ => None,
            })
            .collect()
    };
    let mut found = along(one, other);
    if one.name != other.name {
        found.extend(along(other, one).into_iter().map(|(own, target)| (target, own)));
    }
    found.dedup();
    found
}

/// Returns the condition of an inner join.
pub fn inner_join_condition(join: &Join) -> Option<&Expr> {
    match &join.join_operator {
        JoinOperator::Join(JoinConstraint::On(condition)) | JoinOperator::Inner(JoinConstraint::On(condition)) => {
            Some(condition)
        }
        _ => None,
    }
}

/// The index of a table, and the name of one of its columns.
pub type JoinSide<'e> = (usize, &'e str);

/// Returns the two columns that a join condition sets equal.
pub fn resolve_join_sides<'e>(on: &'e Expr, tables: &[Relation<'_>]) -> Option<(JoinSide<'e>, JoinSide<'e>)> {
    let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = on else { return None };
    Some((resolve_qualified_column(left, tables)?, resolve_qualified_column(right, tables)?))
}

/// Returns the table of a qualified column, and the column's name.
fn resolve_qualified_column<'e>(expr: &'e Expr, tables: &[Relation<'_>]) -> Option<JoinSide<'e>> {
    let Expr::CompoundIdentifier(parts) = expr else { return None };
    let [.., qualifier, column] = parts.as_slice() else { return None };
    Some((tables.iter().position(|t| t.matches_qualifier(qualifier))?, &column.value))
}

/// Builds a qualified column reference.
pub fn qualified_column(qualifier: &str, column: &str, dialect: Dialect) -> Expr {
    Expr::CompoundIdentifier(vec![build_identifier(qualifier, dialect), build_identifier(column, dialect)])
}

/// Two tables that a join links, each with its column.
pub struct Edge {
    /// Index of a table, and its column.
    pub one: (usize, String),
    /// Index of the other table, and its column.
    pub other: (usize, String),
    /// The condition of the join.
    pub condition: Expr,
    /// True if the join may find no row of the joined table.
    pub optional: bool,
}

/// Returns the joins as edges of a tree. `None` unless each is an inner or left join that sets two columns equal.
pub fn collect_join_edges(from: &TableWithJoins, tables: &[Relation<'_>]) -> Option<Vec<Edge>> {
    let edge = |(at, join): (usize, &Join)| {
        let (condition, optional) = match &join.join_operator {
            JoinOperator::Left(JoinConstraint::On(on)) | JoinOperator::LeftOuter(JoinConstraint::On(on)) => (on, true),
            _ => (inner_join_condition(join)?, false),
        };
        let ((a, left), (b, right)) = resolve_join_sides(condition, tables)?;
        let joined = at + 1;
        let fits = (a == joined) != (b == joined) && a <= joined && b <= joined;
        let (one, other) = ((a, left.to_owned()), (b, right.to_owned()));
        fits.then(|| Edge { one, other, condition: condition.clone(), optional })
    };
    from.joins.iter().enumerate().map(edge).collect()
}

/// Walks from one table to every other table of `of` that is reachable over the edges. Returns each with the edge that
/// leads to it.
pub fn walk_join_edges<'e>(from: usize, of: &'e [usize], edges: &'e [Edge]) -> impl Iterator<Item = (&'e Edge, usize)> {
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
