//! The plan of a SELECT: a sequence of operations on the rows of a FROM clause, and the columns each needs.

use crate::from::Frame;
use crate::slots::{Slot, add_used_slots, slot_marker, used_slots};
use sqlparser::ast::{Expr, NamedWindowDefinition, OrderByExpr};
use std::collections::BTreeSet;

/// A planned SELECT: its FROM clause, its operations, and its result.
pub(crate) struct Plan {
    pub frame: Frame,
    pub does: Vec<Op>,
    pub outputs: Vec<Out>,
}

/// A column that an operation computes.
pub(crate) type Made = (Slot, Expr);

/// An operation on rows of a plan.
pub(crate) enum Op {
    Filter(Vec<Expr>),
    Group {
        keys: Vec<Made>,
        aggregates: Vec<Made>,
        /// The order in which the groups are already sorted.
        order: Vec<OrderByExpr>,
    },
    Having(Vec<Expr>),
    Window {
        made: Vec<Made>,
        named: Vec<NamedWindowDefinition>,
    },
    Project(Vec<Made>),
    Order(Ordering),
}

/// Order, limit and DISTINCT. They belong together, since all three determine which of equal rows comes first and which
/// of equally sorted rows is kept.
#[derive(Default)]
pub(crate) struct Ordering {
    pub keys: Vec<OrderByExpr>,
    /// The text of the LIMIT clause.
    pub limit: Option<String>,
    pub count: Option<String>,
    pub offset: Option<String>,
    pub distinct: bool,
    /// The keys of `DISTINCT ON`.
    pub on: Vec<Expr>,
}

impl Ordering {
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.limit.is_none() && !self.distinct && self.on.is_empty()
    }
}

/// A column of the result.
pub(crate) struct Out {
    /// Its name for an enclosing query.
    pub name: String,
    /// Its name in a result.
    pub shown: String,
    /// True if the name is an alias or a column's.
    pub named: bool,
    /// A slot or a constant once planning is complete; an arm of a set operation may have other expressions.
    pub value: Expr,
    /// Its expression as written, if it has no alias.
    pub text: String,
}

impl Out {
    /// Creates an output for a column of a source.
    pub fn from_column(name: &str, slot: Slot) -> Self {
        Self {
            name: name.to_owned(),
            shown: name.to_owned(),
            named: true,
            value: slot_marker(slot),
            text: String::new(),
        }
    }
}

impl Op {
    /// Returns the columns that it computes.
    pub fn computed_columns(&self) -> impl Iterator<Item = &Made> {
        let (first, second): (&[Made], &[Made]) = match self {
            Op::Group { keys, aggregates, .. } => (keys, aggregates),
            Op::Window { made, .. } | Op::Project(made) => (made, &[]),
            _ => (&[], &[]),
        };
        // A key that is a plain column stays that column.
        first.iter().chain(second).filter(|(slot, expr)| crate::slots::slot_of(expr) != Some(*slot))
    }

    /// Returns the columns that it reads.
    pub fn used_slots(&self) -> BTreeSet<Slot> {
        let mut slots = BTreeSet::new();
        match self {
            Op::Filter(conditions) | Op::Having(conditions) => add_used_slots(conditions, &mut slots),
            Op::Group { keys, aggregates, order } => {
                add_used_slots(order, &mut slots);
                slots.retain(|slot| !self.computed_columns().any(|(made, _)| made == slot));
                keys.iter().chain(aggregates).for_each(|(_, expr)| add_used_slots(expr, &mut slots));
            }
            Op::Window { made, named } => {
                made.iter().for_each(|(_, expr)| add_used_slots(expr, &mut slots));
                add_used_slots(named, &mut slots);
            }
            Op::Project(made) => made.iter().for_each(|(_, expr)| add_used_slots(expr, &mut slots)),
            Op::Order(order) => {
                add_used_slots(&order.keys, &mut slots);
                add_used_slots(&order.on, &mut slots);
            }
        }
        slots
    }

    /// Returns the columns needed before it, given those needed `after` it.
    pub fn slots_before(&self, after: &BTreeSet<Slot>) -> BTreeSet<Slot> {
        let mut before = self.used_slots();
        let made: BTreeSet<Slot> = self.computed_columns().map(|(slot, _)| *slot).collect();
        before.extend(after.difference(&made));
        before
    }
}

impl Plan {
    /// Returns the slots of the result.
    pub fn result_slots(&self) -> BTreeSet<Slot> {
        self.outputs.iter().flat_map(|out| used_slots(&out.value)).collect()
    }

    /// Returns the columns needed after the FROM clause, and for each operation those needed after it.
    pub fn needed_slots(&self) -> (BTreeSet<Slot>, Vec<BTreeSet<Slot>>) {
        let mut after = self.result_slots();
        let mut needs = Vec::with_capacity(self.does.len());
        for op in self.does.iter().rev() {
            let before = op.slots_before(&after);
            needs.push(std::mem::replace(&mut after, before));
        }
        needs.reverse();
        (after, needs)
    }
}
