//! Evidence as numbers that a logistic model weighs.

use super::evidence::{Evidence, Tally};
use serde::{Deserialize, Serialize};

/// When an estimate is made: it knows more once the work behind the answer is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// With the answer.
    First,
    /// With further queries and the explanation.
    Firm,
}

/// One number of the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// The share of candidates with the answer's result.
    Agreement,
    /// The share of queries that did not run.
    Failures,
    /// Results of candidates other than the answer's.
    Results,
    /// The mean probability of the query's words, as a logarithm.
    Likelihood,
    /// The lowest probability of a word of the query, as a logarithm.
    Weakest,
    /// Warnings, findings and second queries.
    Doubts,
    /// Replies that say that the data does not hold what is asked.
    Declined,
    /// Whether there is nothing in the answer.
    Empty,
    /// How long the query is, in SELECTs and JOINs.
    Length,
    /// How large the schema is.
    Schema,
    /// The share of further queries with the answer's result, of those that ran.
    Samples,
    /// The same for the question in other words.
    Restated,
    /// The share of further queries that did not run.
    Broken,
    /// The share of the question's longer words that nothing in the query answers to.
    Unmatched,
    /// Names and conditions in which question and query differ.
    Open,
    /// Points of the explanation that may change a number.
    Checks,
}

impl Feature {
    /// All features.
    pub const ALL: [Feature; 16] = [
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
    ];

    /// Its name in calibrations and in reasons.
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
        }
    }

    /// 1 where more of it speaks for the answer, -1 where it speaks against it. A fit on few questions may not turn that round.
    pub fn direction(self) -> f64 {
        match self {
            Self::Agreement | Self::Likelihood | Self::Weakest | Self::Samples | Self::Restated => 1.0,
            _ => -1.0,
        }
    }

    /// Whether it is known with the answer already.
    pub fn is_known_at(self, stage: Stage) -> bool {
        stage == Stage::Firm
            || !matches!(
                self,
                Self::Samples | Self::Restated | Self::Broken | Self::Unmatched | Self::Open | Self::Checks
            )
    }

    /// Its value; `None` where the run does not say.
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
        }
    }
}

/// The features that are known at a stage, with their values.
pub fn feature_values(evidence: &Evidence, stage: Stage) -> Vec<(Feature, f64)> {
    let known = Feature::ALL.into_iter().filter(|feature| feature.is_known_at(stage));
    known.filter_map(|feature| Some((feature, feature.value(evidence)?))).collect()
}
