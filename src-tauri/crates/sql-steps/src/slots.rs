//! Slots: numbers of columns whose names in the steps are not chosen yet. In a syntax tree, a slot is a name that no
//! query can contain.

use crate::steps::Origin;
use sqlparser::ast::{Expr, Ident, Visit, VisitMut, Visitor, VisitorMut};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use vitrine_sql::ast::{visit_mut, visit_tree};

/// The number of a column of the query.
pub(crate) type Slot = usize;

const MARK: char = '\u{1}';

/// Name, label and origin of a slot.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    /// Its preferred name in a step.
    pub name: String,
    /// A prefix for its name if another column already has it.
    pub label: String,
    /// The text shown to the user in its place.
    pub shown: String,
    /// The table column, if it is an unchanged one.
    pub origin: Option<Origin>,
    /// The table columns that it is computed from.
    pub sources: Vec<Origin>,
}

/// Returns the expression that represents a slot in a tree.
pub(crate) fn slot_marker(slot: Slot) -> Expr {
    Expr::Identifier(Ident::new(format!("{MARK}{slot}")))
}

/// Returns the slot that an expression represents, ignoring parentheses.
pub(crate) fn slot_of(expr: &Expr) -> Option<Slot> {
    match expr {
        Expr::Identifier(ident) => ident.value.strip_prefix(MARK)?.parse().ok(),
        Expr::Nested(inner) => slot_of(inner),
        _ => None,
    }
}

/// Adds the slots that a part of a query uses.
pub(crate) fn add_used_slots(part: &impl Visit, slots: &mut BTreeSet<Slot>) {
    struct Uses<'s>(&'s mut BTreeSet<Slot>);
    impl Visitor for Uses<'_> {
        type Break = ();
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            if matches!(expr, Expr::Identifier(_)) {
                self.0.extend(slot_of(expr));
            }
            ControlFlow::Continue(())
        }
    }
    let _ = visit_tree(part, &mut Uses(slots));
}

/// Returns the slots that a part of a query uses.
pub(crate) fn used_slots(part: &impl Visit) -> BTreeSet<Slot> {
    let mut slots = BTreeSet::new();
    add_used_slots(part, &mut slots);
    slots
}

/// Replaces each slot; the flag is true in nested queries.
pub(crate) fn replace_slots<E>(
    part: &mut impl VisitMut,
    with: impl FnMut(Slot, bool) -> Result<Expr, E>,
) -> Result<(), E> {
    struct Replaces<F> {
        with: F,
        queries: usize,
    }
    impl<E, F: FnMut(Slot, bool) -> Result<Expr, E>> VisitorMut for Replaces<F> {
        type Break = E;
        fn pre_visit_query(&mut self, _: &mut sqlparser::ast::Query) -> ControlFlow<E> {
            self.queries += 1;
            ControlFlow::Continue(())
        }
        fn post_visit_query(&mut self, _: &mut sqlparser::ast::Query) -> ControlFlow<E> {
            self.queries -= 1;
            ControlFlow::Continue(())
        }
        fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<E> {
            if let (Expr::Identifier(_), Some(slot)) = (&*expr, slot_of(expr)) {
                match (self.with)(slot, self.queries > 0) {
                    Ok(other) => *expr = other,
                    Err(error) => return ControlFlow::Break(error),
                }
            }
            ControlFlow::Continue(())
        }
    }
    match visit_mut(part, &mut Replaces { with, queries: 0 }) {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => Ok(()),
    }
}
