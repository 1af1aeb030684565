//! The place of a condition in a FROM clause where it excludes only rows of its own table.

use sqlparser::ast::{Expr, Join, JoinConstraint, JoinOperator, Select, TableFactor, TableWithJoins};

/// The place of a condition on a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConditionPlace {
    /// In WHERE of the SELECT.
    Where,
    /// In the condition of the outer join that adds NULL rows for the table.
    On,
    /// In a subquery around the table, because neither of the other places is correct.
    Inside,
}

impl ConditionPlace {
    /// Returns the place for an item of a FROM clause; `at` counts the items of all its joins.
    pub(crate) fn for_item(select: &Select, at: usize) -> Self {
        use JoinOperator::{CrossJoin, Inner, Join, Left, LeftOuter};
        let mut place = Self::Where;
        for (here, join) in item_joins(select).enumerate() {
            let Some(join) = join else { continue };
            match &join.join_operator {
                Join(_) | Inner(_) | CrossJoin(_) => {}
                Left(_) | LeftOuter(_) if here != at => {}
                Left(JoinConstraint::On(_)) | LeftOuter(JoinConstraint::On(_)) => place = Self::On,
                _ => return Self::Inside,
            }
        }
        place
    }
}

/// Returns the join of each item of a FROM clause. `None` for the first item of each part.
pub(super) fn item_joins(select: &Select) -> impl Iterator<Item = Option<&Join>> {
    select.from.iter().flat_map(|from| std::iter::once(None).chain(from.joins.iter().map(Some)))
}

/// Returns the items of one part of a FROM clause.
pub(super) fn from_items(from: &mut TableWithJoins) -> impl Iterator<Item = &mut TableFactor> {
    std::iter::once(&mut from.relation).chain(from.joins.iter_mut().map(|join| &mut join.relation))
}

/// Returns the condition of the left join at this index.
pub(super) fn left_join_condition(select: &mut Select, at: usize) -> Option<&mut Expr> {
    let mut joins =
        select.from.iter_mut().flat_map(|from| std::iter::once(None).chain(from.joins.iter_mut().map(Some)));
    match &mut joins.nth(at)??.join_operator {
        JoinOperator::Left(JoinConstraint::On(on)) | JoinOperator::LeftOuter(JoinConstraint::On(on)) => Some(on),
        _ => None,
    }
}
