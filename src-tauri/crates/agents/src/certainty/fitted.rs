//! A logistic model: weights of features.

use super::features::Feature;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How much one feature counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Weight {
    /// What one more of it adds to the logarithm of the odds.
    pub weight: f64,
    /// Its mean over the questions of the fit: there it says nothing.
    pub mean: f64,
}

/// A fitted logistic model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fitted {
    /// The logarithm of the odds where every feature has its mean.
    pub bias: f64,
    /// Weights of the features that count.
    pub weights: BTreeMap<Feature, Weight>,
    /// From this probability on an answer is called sure; above 1 none is.
    pub sure: f64,
    /// Below this it is called unlikely.
    pub unlikely: f64,
}

impl Fitted {
    /// How likely an answer with these features is right, 0 to 1.
    pub fn probability(&self, values: &[(Feature, f64)]) -> f64 {
        sigmoid(self.bias + values.iter().map(|(feature, value)| self.log_odds_shift(*feature, *value)).sum::<f64>())
    }

    /// What a feature adds to the logarithm of the odds.
    pub(super) fn log_odds_shift(&self, feature: Feature, value: f64) -> f64 {
        self.weights.get(&feature).map_or(0.0, |of| of.weight * (value - of.mean))
    }
}

/// From 0 to 1.
pub(super) fn sigmoid(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}
