//! Evidence as numbers that a logistic model weighs.

use super::evidence::{Evidence, Tally};
use serde::{Deserialize, Serialize};

/// Time of an estimate; more evidence is known after the further queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Estimate that is shown with the answer.
    First,
    /// Estimate after the further queries and the explanation.
    Firm,
}

/// A number that is computed from the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// Share of candidates with the answer's result.
    Agreement,
    /// Share of queries that failed.
    Failures,
    /// Number of candidates' results that differ from the answer's.
    Results,
    /// Mean log probability of the query's tokens.
    Likelihood,
    /// Log probability of the query's least probable token.
    Weakest,
    /// Number of warnings, findings and alternative queries.
    Doubts,
    /// Number of replies which state that the data is missing.
    Declined,
    /// 1 if the answer is empty, else 0.
    Empty,
    /// Length of the query in SELECTs and JOINs.
    Length,
    /// Size of the schema, from its number of columns.
    Schema,
    /// Share of further queries with the answer's result among all that ran.
    Samples,
    /// Share of further queries for a restated question with the answer's result among all that ran.
    Restated,
    /// Share of further queries that failed.
    Broken,
    /// Share of the question's longer words that match nothing in the query.
    Unmatched,
    /// Number of names and conditions in which question and query differ.
    Open,
    /// Number of checks of the explanation that may change a number.
    Checks,
    /// Share of pairwise comparisons that a result won; only for the choice between results.
    Compared,
}

impl Feature {
    /// All features, in the order of declaration.
    pub const ALL: [Feature; 17] = [
        Self::Agreement,
        Self::Failures,
        Self::Results,
        Self::Likelihood,
        Self::Weakest,
        Self::Doubts,
        Self::Declined,
        Self::Empty,
        Self::Length,
        Self::Schema,
        Self::Samples,
        Self::Restated,
        Self::Broken,
        Self::Unmatched,
        Self::Open,
        Self::Checks,
        Self::Compared,
    ];

    /// Returns the name that calibrations and reasons use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Agreement => "agreement",
            Self::Failures => "failures",
            Self::Results => "results",
            Self::Likelihood => "likelihood",
            Self::Weakest => "weakest",
            Self::Doubts => "doubts",
            Self::Declined => "declined",
            Self::Empty => "empty",
            Self::Length => "length",
            Self::Schema => "schema",
            Self::Samples => "samples",
            Self::Restated => "restated",
            Self::Broken => "broken",
            Self::Unmatched => "unmatched",
            Self::Open => "open",
            Self::Checks => "checks",
            Self::Compared => "compared",
        }
    }

    /// Returns 1 if a higher value supports the answer, -1 if it contradicts it. A fit on few questions must not reverse this.
    pub fn direction(self) -> f64 {
        match self {
            Self::Agreement | Self::Likelihood | Self::Weakest | Self::Samples | Self::Restated | Self::Compared => 1.0,
            _ => -1.0,
        }
    }

    /// Returns true if the feature is known at the stage.
    pub fn is_known_at(self, stage: Stage) -> bool {
        stage == Stage::Firm
            || !matches!(
                self,
                Self::Samples | Self::Restated | Self::Broken | Self::Unmatched | Self::Open | Self::Checks
            )
    }

    /// Returns the feature's value; `None` if the run does not determine it.
    fn value(self, evidence: &Evidence) -> Option<f64> {
        let few = |count: u32| f64::from(count.min(3));
        let part = |tally: Tally| (tally.of > 0).then(|| f64::from(tally.count) / f64::from(tally.of));
        let explained = evidence.explained;
        let probability = evidence.probability.as_ref();
        match self {
            Self::Agreement => evidence.votes.smoothed_share(),
            Self::Failures => part(evidence.failed),
            Self::Results => Some(few(evidence.results.saturating_sub(1))),
            Self::Likelihood => probability.and_then(|p| p.mean_probability()).map(|mean| mean.ln().max(-1.5)),
            Self::Weakest => probability.and_then(|p| p.lowest_probability()).map(|least| least.ln().max(-6.0)),
            Self::Doubts => Some(few(evidence.doubts)),
            Self::Declined => Some(few(evidence.declined)),
            Self::Empty => Some(f64::from(u8::from(evidence.empty))),
            Self::Length => Some(f64::from(evidence.parts.max(1)).ln()),
            Self::Schema => (evidence.columns > 0).then(|| f64::from(evidence.columns).ln()),
            Self::Samples => evidence.samples.smoothed_share(),
            Self::Restated => evidence.restated.smoothed_share(),
            Self::Broken => part(evidence.broken),
            Self::Unmatched => explained.and_then(|explained| part(explained.unmatched)),
            Self::Open => explained.map(|explained| few(explained.open)),
            Self::Checks => explained.map(|explained| few(explained.checks)),
            // The certainty of an answer does not depend on how it was chosen.
            Self::Compared => None,
        }
    }
}

/// Returns the features that are known at a stage, with their values.
pub fn feature_values(evidence: &Evidence, stage: Stage) -> Vec<(Feature, f64)> {
    let known = Feature::ALL.into_iter().filter(|feature| feature.is_known_at(stage));
    known.filter_map(|feature| Some((feature, feature.value(evidence)?))).collect()
}
