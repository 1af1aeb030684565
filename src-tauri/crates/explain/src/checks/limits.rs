//! Checks results that a limit truncates.

use super::flow::{Flow, format_row_count};
use vitrine_domain::ExplanationCheck;
use vitrine_sql_steps::StepKind;
use vitrine_words::{format_number, tr};

impl Flow<'_> {
    /// Reports a limit that drops rows. Limits are usually intended, but without an order the choice of rows is
    /// arbitrary: that affects values computed from them, and groups.
    pub(super) fn check_limit(&self, at: usize, out: u64) -> Option<ExplanationCheck> {
        let by_chance = match &self.step(at).kind {
            StepKind::Order { limit: Some(_), .. } => false,
            StepKind::Limit(_) => !self.is_sorted(at),
            _ => return None,
        };
        let of = self.rows_in(at).filter(|of| *of > out && out > 0)?;
        let of_groups = self.passed_steps(at).iter().any(
            |before| matches!(&self.step(*before).kind, StepKind::Group { aggregates, .. } if !aggregates.is_empty()),
        );
        let may_change = by_chance && (of_groups || self.grouped_after(at).is_some());
        let (shown, all) = (format_number(out), format_row_count(of));
        let text = match (at + 1 == self.steps.steps().len(), by_chance) {
            (true, false) => tr!("Shows {shown} of {all}", shown, all),
            (true, true) => tr!("Shows {shown} of {all} in no particular order: the choice is arbitrary", shown, all),
            (false, false) => tr!("Continues with {shown} of {all}", shown, all),
            (false, true) => {
                tr!("Continues with {shown} of {all} in no particular order: the choice is arbitrary", shown, all)
            }
        };
        Some(self.build_check(at, "limit-cuts", may_change, text))
    }

    /// Returns true if the input rows of a step are ordered.
    fn is_sorted(&self, at: usize) -> bool {
        let before = self.step(at).reads.first().and_then(|read| self.step_index(read));
        before.is_some_and(|before| match &self.step(before).kind {
            StepKind::Order { .. } => true,
            StepKind::Group { order, .. } => !order.is_empty(),
            StepKind::Project { .. } | StepKind::Having { .. } | StepKind::Filter { .. } => self.is_sorted(before),
            _ => false,
        })
    }
}
