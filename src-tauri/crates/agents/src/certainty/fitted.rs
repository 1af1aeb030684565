//! Logistic model with weights of features.

use super::features::Feature;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Weight of one feature in a logistic model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Weight {
    /// Change of the log-odds for one unit of the feature.
    pub weight: f64,
    /// Mean over the questions of the fit; a feature at its mean does not change the estimate.
    pub mean: f64,
}

/// A logistic model that was fitted to judged answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fitted {
    /// Log-odds of an answer whose features all have their means.
    pub bias: f64,
    /// Weights of the features that affect the estimate.
    pub weights: BTreeMap<Feature, Weight>,
    /// Minimum probability of an answer that is called sure; above 1, no answer is.
    pub sure: f64,
    /// Answers with a lower probability are called unlikely.
    pub unlikely: f64,
}

impl Fitted {
    /// Returns the probability, 0 to 1, that an answer with these features is correct.
    pub fn probability(&self, values: &[(Feature, f64)]) -> f64 {
        sigmoid(self.bias + values.iter().map(|(feature, value)| self.log_odds_shift(*feature, *value)).sum::<f64>())
    }

    /// Returns the change of the log-odds that a feature causes.
    pub(super) fn log_odds_shift(&self, feature: Feature, value: f64) -> f64 {
        self.weights.get(&feature).map_or(0.0, |of| of.weight * (value - of.mean))
    }
}

/// Maps log-odds to a probability from 0 to 1.
pub(super) fn sigmoid(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}
