//! Where a condition on one table of a FROM clause leaves out rows of that table alone.

use sqlparser::ast::{Expr, Join, JoinConstraint, JoinOperator, Select, TableFactor, TableWithJoins};

/// Where a condition on a table has to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConditionPlace {
    /// In WHERE.
    Where,
    /// In the condition of the join that makes up for missing rows of the table.
    On,
    /// Neither will do: around the table itself.
    Inside,
}

impl ConditionPlace {
    /// For the item of a FROM clause at this place, counted over all of its joins.
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

/// The join of each item of a FROM clause; `None` for those that begin one.
pub(super) fn item_joins(select: &Select) -> impl Iterator<Item = Option<&Join>> {
    select.from.iter().flat_map(|from| std::iter::once(None).chain(from.joins.iter().map(Some)))
}

/// The items of one part of a FROM clause.
pub(super) fn from_items(from: &mut TableWithJoins) -> impl Iterator<Item = &mut TableFactor> {
    std::iter::once(&mut from.relation).chain(from.joins.iter_mut().map(|join| &mut join.relation))
}

/// The condition of the left join at this place, where it has one.
pub(super) fn left_join_condition(select: &mut Select, at: usize) -> Option<&mut Expr> {
    let mut joins =
        select.from.iter_mut().flat_map(|from| std::iter::once(None).chain(from.joins.iter_mut().map(Some)));
    match &mut joins.nth(at)??.join_operator {
        JoinOperator::Left(JoinConstraint::On(on)) | JoinOperator::LeftOuter(JoinConstraint::On(on)) => Some(on),
        _ => None,
    }
}
