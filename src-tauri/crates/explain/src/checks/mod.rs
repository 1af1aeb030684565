//! Checks of a query's rows that an attentive reader would make: joins that multiply or lose rows, filters that keep
//! nothing, numbers compared as text. Checks use counts, keys and column values, never names. Findings that also occur
//! in correct queries are reported at the step and not at the answer (`may_change`).

mod dates;
mod filters;
mod flow;
mod groups;
mod joins;
mod limits;
mod lists;
mod outer;
mod partners;
mod rows;
mod texts;
mod values;

pub(crate) use flow::{Asked, Flow, Numbers};

use partners::Partners;
use std::collections::HashMap;
use vitrine_domain::ExplanationCheck;
use vitrine_sql_steps::StepKind;

/// Returns all checks in the order of the steps, as far as their numbers are known.
pub(crate) fn run_checks(flow: &Flow<'_>) -> Vec<ExplanationCheck> {
    for name in flow.counts.keys() {
        // Row counts are shown with the steps and always requested.
        flow.row_count(name);
    }
    let partners = partners::count_partners(flow);
    let mut repeated = groups::check_repeated_rows(flow, &partners);
    repeated.extend(flow.check_repeated_list(&partners));
    let mut found = Vec::new();
    for at in 0..flow.steps.steps().len() {
        found.extend(flow.check_step(at, &partners));
        found.extend(repeated.iter().filter(|(step, _)| *step == at).map(|(_, check)| check.clone()));
    }
    found
}

impl Flow<'_> {
    fn check_step(&self, at: usize, partners: &HashMap<usize, Partners>) -> Vec<ExplanationCheck> {
        let step = self.step(at);
        let Some(out) = self.row_count(&step.name) else { return Vec::new() };
        match &step.kind {
            StepKind::Table { filters, .. } if !filters.is_empty() => self.check_filter(at, filters, out),
            StepKind::Filter { conditions } => {
                let mut found = self.check_filter(at, conditions, out);
                found.extend(self.check_undone_join(at, conditions, partners));
                found
            }
            StepKind::Join { .. } => self.check_join(at, partners.get(&at)),
            StepKind::Group { aggregates, .. } => {
                let mut found = self.check_conditional_parts(at, aggregates);
                found.extend(self.counted_without_partner(at, partners));
                found.extend(self.text_extremes(at, aggregates));
                found
            }
            StepKind::Order { keys, limit, .. } => {
                let order = self.text_order(at, keys, limit.is_some());
                order.into_iter().chain(self.check_limit(at, out)).collect()
            }
            StepKind::Limit(_) => self.check_limit(at, out).into_iter().collect(),
            _ => Vec::new(),
        }
    }
}
