//! The data of a report that compares runs.

use super::compare::{Comparison, compare_run_outcomes};
use super::known::KnownFailures;
use super::summary::Summary;
use crate::metrics::{EVALUATOR_VERSION, Rule};
use crate::pack::EvalScope;
use crate::run::{Outcome, Run};
use serde::Serialize;
use std::collections::HashMap;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

/// Runs compared on the questions that all of them have.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The name of the pack.
    pub pack: String,
    /// The pack's rule, which the headline figures use.
    pub rule: Rule,
    /// The version of the rules.
    pub evaluator: &'static str,
    /// Number of questions that all runs have.
    pub questions: usize,
    /// The runs, in the order given.
    pub runs: Vec<Summary>,
    /// Comparisons of the last run with the first, by each rule that judged both, the pack's own rule first.
    pub comparisons: Vec<Comparison>,
    /// Comparison of the last run with a list of known failures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_failures: Option<KnownFailures>,
    /// The source runs, each with the same questions in the same order.
    #[serde(skip)]
    pub(super) sources: Vec<Run>,
}

impl Report {
    /// Creates a report from runs.
    ///
    /// # Errors
    /// Fails if `runs` is empty or has no common question.
    pub fn new(mut runs: Vec<Run>, known_failures: Option<KnownFailures>) -> Result<Self, AppError> {
        keep_common(&mut runs);
        let (Some(first), Some(last)) = (runs.first(), runs.last()) else {
            return Err(AppError::new(ErrorCode::Usage, tr!("There is no run to report")));
        };
        if first.outcomes.is_empty() {
            return Err(AppError::new(ErrorCode::Usage, tr!("There is no question that counts in every run"))
                .with_hint(tr!("Compare runs over the same questions of one pack")));
        }
        let mut rules = Rule::ALL.to_vec();
        rules.sort_by_key(|&rule| rule != last.rule);
        let mut comparisons = Vec::new();
        if runs.len() > 1 && runs.iter().all(|run| run.scope == EvalScope::Answers) {
            let (base, run) =
                ((first.name.as_str(), first.outcomes.as_slice()), (last.name.as_str(), last.outcomes.as_slice()));
            comparisons.extend(rules.into_iter().filter_map(|rule| compare_run_outcomes(base, run, rule)));
        }
        Ok(Self {
            pack: last.pack.clone(),
            rule: last.rule,
            evaluator: EVALUATOR_VERSION,
            questions: last.outcomes.len(),
            comparisons,
            known_failures,
            runs: runs.iter().map(|run| Summary::new(run, last.rule)).collect(),
            sources: runs,
        })
    }

    /// Returns the outcome of a question in a run.
    pub(super) fn find_outcome(&self, run: usize, id: &str) -> Option<&Outcome> {
        self.sources[run].outcomes.iter().find(|outcome| outcome.id == id)
    }
}

/// Keeps in each run only the questions that all runs have, in the order of the first run.
fn keep_common(runs: &mut [Run]) {
    let Some(first) = runs.first() else { return };
    let order: Vec<String> = first.outcomes.iter().map(|outcome| outcome.id.clone()).collect();
    let mut by_id: Vec<HashMap<String, Outcome>> = runs
        .iter_mut()
        .map(|run| std::mem::take(&mut run.outcomes).into_iter().map(|o| (o.id.clone(), o)).collect())
        .collect();
    for id in order {
        if by_id.iter().all(|outcomes| outcomes.contains_key(&id)) {
            for (run, outcomes) in runs.iter_mut().zip(&mut by_id) {
                run.outcomes.extend(outcomes.remove(&id));
            }
        }
    }
}
