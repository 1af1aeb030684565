//! Verdicts on all queries of a run, not only on the answer.

use super::Verdict;
use super::error_class::ErrorClass;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use vitrine_domain::GenerationPath;

/// The source of a query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueryOrigin {
    /// The model wrote it as final SQL.
    #[default]
    Written,
    /// A rule derived it from a written query.
    Variant,
    /// The revisor wrote it.
    Revision,
}

/// A query of a run with its verdict. Its text is in the run's events.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct JudgedQuery {
    /// The source of the query.
    pub origin: QueryOrigin,
    /// The node of the run that wrote it.
    pub node: String,
    /// The number of its candidate within the node.
    pub candidate: u32,
    /// The number of its attempt; 0 is the first.
    pub attempt: u32,
    /// The number of the node's prompt that it replies to, from 1; `None` for corrections and if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<u32>,
    /// Number of rows in the run, if it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// The reason why it did not run, in the run or when it was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The verdict; `None` if it was not executed because of the limits.
    pub verdict: Option<Verdict>,
}

/// The evaluation of everything that the run of one question wrote.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EvaluatedCandidates {
    /// All queries, in the order of the run.
    pub queries: Vec<JudgedQuery>,
    /// `true` if the run's selection contains all needed tables and columns; `None` if nothing was selected, or if they
    /// are unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linked: Option<bool>,
    /// DSR-SQL's path; `None` for other methods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<GenerationPath>,
    /// The errors of a wrong answer; empty if it is right or cannot be compared with gold SQL.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub errors: BTreeSet<ErrorClass>,
}

impl EvaluatedCandidates {
    /// Returns the query of each candidate, by number: the last attempt that returned rows, else the last that ran, else
    /// the last.
    pub fn final_queries(&self) -> Vec<&JudgedQuery> {
        let value = |query: &JudgedQuery| match query.rows {
            Some(0) => 1,
            Some(_) => 2,
            None => 0,
        };
        let mut last: BTreeMap<(u32, &str), &JudgedQuery> = BTreeMap::new();
        for query in self.queries.iter().filter(|query| query.origin == QueryOrigin::Written) {
            let kept = last.entry((query.candidate, query.node.as_str())).or_insert(query);
            if value(query) >= value(kept) {
                *kept = query;
            }
        }
        last.into_values().collect()
    }
}

/// Returns the probability that at least one of `k` candidates is right, drawn without replacement from `n` candidates.
/// `right` is the number of candidates that are right; if there are fewer than `k` candidates, all are drawn.
pub fn pass_at_k(n: usize, right: usize, k: usize) -> f64 {
    let wrong = n - right;
    let none_right: f64 = (0..k.min(n)).map(|drawn| wrong.saturating_sub(drawn) as f64 / (n - drawn) as f64).product();
    if n == 0 { 0.0 } else { 1.0 - none_right }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimator_of_pass_at_k_is_unbiased() {
        // 1 - C(n - c, k) / C(n, k)
        let cases = [
            (4, 1, 1, 1.0 / 4.0),
            (4, 1, 2, 1.0 - 3.0 / 6.0),
            (4, 2, 2, 1.0 - 1.0 / 6.0),
            (8, 3, 4, 1.0 - 5.0 / 70.0),
            (4, 3, 2, 1.0),
            (4, 0, 4, 0.0),
            (2, 1, 8, 1.0),
            (0, 0, 1, 0.0),
        ];
        for (n, right, k, expected) in cases {
            assert!((pass_at_k(n, right, k) - expected).abs() < 1e-12, "{n} {right} {k}: {}", pass_at_k(n, right, k));
        }
    }

    #[test]
    fn a_candidate_is_its_last_attempt_that_returned_rows() {
        let query = |candidate, attempt, rows| JudgedQuery { candidate, attempt, rows, ..JudgedQuery::default() };
        let variant = JudgedQuery { origin: QueryOrigin::Variant, ..query(1, 9, Some(1)) };
        let queries = vec![
            query(2, 0, None),
            query(1, 0, Some(3)),
            query(1, 1, Some(0)),
            query(2, 1, None),
            query(3, 0, Some(0)),
            query(3, 1, None),
            query(3, 2, Some(0)),
            variant,
        ];
        let all = EvaluatedCandidates { queries, ..EvaluatedCandidates::default() };
        let found: Vec<_> = all.final_queries().iter().map(|query| (query.candidate, query.attempt)).collect();
        assert_eq!(found, [(1, 0), (2, 1), (3, 2)]);
    }
}
