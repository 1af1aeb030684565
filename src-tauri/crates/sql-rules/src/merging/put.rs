//! Finds columns in a part of a query, and replaces them by their merged value.

use super::columns::{Held, Item, held_by};
use super::value_merge::ValueMerge;
use sqlparser::ast::helpers::attached_token::AttachedToken;
use sqlparser::ast::{CaseWhen, Expr, Query, Visitor, VisitorMut};
use std::ops::ControlFlow;
use vitrine_domain::Dialect;
use vitrine_sql::text_value;

/// Collects the columns of a part, including already merged ones as a whole.
pub(super) struct Columns<'a> {
    pub items: &'a [Item],
    pub found: Vec<Held>,
    /// Nesting depth within a found column or a nested query; 0 outside.
    pub within: usize,
}

impl Visitor for Columns<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.within += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.within -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if self.within > 0 {
            self.within += 1;
        } else if let Some(held) = held_by(expr, self.items) {
            if !self.found.contains(&held) {
                self.found.push(held);
            }
            self.within = 1;
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        self.within = self.within.saturating_sub(1);
        ControlFlow::Continue(())
    }
}

/// Replaces columns by their merged values.
pub(super) struct Puts<'a> {
    pub items: &'a [Item],
    pub merged: &'a [Held],
    pub merges: &'a [ValueMerge],
    pub dialect: Dialect,
    /// Indexes of the merges that were applied.
    pub used: Vec<usize>,
    /// Nesting depth within a replaced column or a nested query; 0 outside.
    pub within: usize,
}

impl VisitorMut for Puts<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.within += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.within -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if self.within > 0 {
            self.within += 1;
        } else if let Some(held) = held_by(expr, self.items) {
            if self.merged.contains(&held) {
                self.replace_column(expr, &held);
            }
            self.within = 1;
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, _: &mut Expr) -> ControlFlow<()> {
        self.within = self.within.saturating_sub(1);
        ControlFlow::Continue(())
    }
}

impl Puts<'_> {
    fn replace_column(&mut self, expr: &mut Expr, held: &Held) {
        let mut whens = Vec::new();
        for (at, merge) in self.merges.iter().enumerate().filter(|(_, merge)| is_of(merge, held)) {
            let value = |text: &str| Expr::Value(text_value(text, self.dialect).with_empty_span());
            let others = merge.others.iter().filter(|other| !held.merged.contains(other));
            let before = whens.len();
            whens.extend(others.map(|other| CaseWhen { condition: value(other), result: value(&merge.kept) }));
            if whens.len() > before {
                self.used.push(at);
            }
        }
        match expr {
            // The expression already merges some of the values; nested replacements would not be merged with them.
            Expr::Case { conditions, .. } => conditions.extend(whens),
            column => {
                *column = Expr::Case {
                    case_token: AttachedToken::empty(),
                    end_token: AttachedToken::empty(),
                    operand: Some(Box::new(column.clone())),
                    conditions: whens,
                    else_result: Some(Box::new(column.clone())),
                };
            }
        }
    }
}

/// Returns true if some of the values are not merged yet.
pub(super) fn is_open(merge: &ValueMerge, held: &Held) -> bool {
    merge.others.iter().any(|other| !held.merged.contains(other))
}

/// Returns true if the values belong to a column.
pub(super) fn is_of(merge: &ValueMerge, held: &Held) -> bool {
    merge.table == held.table && merge.column == held.column
}
