//! The certainty of an answer: an estimated probability, its level and the reasons for it.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_words::later;

/// The certainty level, which tells the user how to treat an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CertaintyLevel {
    /// The answer can be relied on.
    Sure,
    /// The answer may be wrong and has to be checked.
    Check,
    /// The answer is more likely wrong than right.
    Unlikely,
}

impl CertaintyLevel {
    /// All levels, the most certain first.
    pub const ALL: [CertaintyLevel; 3] = [Self::Sure, Self::Check, Self::Unlikely];

    /// Returns the name in JSON and CSV.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sure => "sure",
            Self::Check => "check",
            Self::Unlikely => "unlikely",
        }
    }

    /// Returns the untranslated label for users.
    pub fn english_label(self) -> &'static str {
        match self {
            Self::Sure => later!("Sure"),
            Self::Check => later!("Check this"),
            Self::Unlikely => later!("Probably not right"),
        }
    }
}

/// A reason for or against an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct CertaintyReason {
    /// The stable code of the reason, such as `samples`.
    pub code: String,
    /// The observation in one sentence.
    pub text: String,
    /// True if the reason supports the answer; false if it is a doubt.
    pub supports: bool,
}

/// The code of the reason that metrics define the answer.
pub const METRIC_REASON: &str = "metric";
/// The code of the reason that the model's answers were not measured.
pub const UNMEASURED_REASON: &str = "not-calibrated";

impl Certainty {
    /// Returns true if the probability is a measured share of right answers.
    pub fn is_measured(&self) -> bool {
        !self.reasons.iter().any(|reason| [METRIC_REASON, UNMEASURED_REASON].contains(&reason.code.as_str()))
    }
}

/// The estimated certainty of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct Certainty {
    /// The level, from thresholds that were calibrated for the model.
    pub level: CertaintyLevel,
    /// Estimated probability that the answer is correct, from 0 to 1.
    pub probability: f64,
    /// At most six reasons, the most influential first.
    pub reasons: Vec<CertaintyReason>,
}

/// Log probabilities (natural logarithm) of the tokens of a reply. They come from the model's distribution at
/// temperature 1, regardless of the sampling temperature and of grammar constraints.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct TokenProbability {
    /// Number of tokens that the model sampled.
    pub tokens: u32,
    /// Sum of the log probabilities.
    pub sum: f64,
    /// The lowest log probabilities in ascending order, at most [`Self::LOWEST`].
    pub lowest: Vec<f64>,
}

impl TokenProbability {
    /// Maximum number of values in `lowest`.
    pub const LOWEST: usize = 4;

    /// Adds the log probability of a token.
    pub fn add_log_probability(&mut self, logarithm: f64) {
        // A token that a server reports as impossible would make every mean infinite.
        let logarithm = logarithm.clamp(-100.0, 0.0);
        self.tokens += 1;
        self.sum += logarithm;
        let place = self.lowest.partition_point(|known| *known <= logarithm);
        self.lowest.insert(place, logarithm);
        self.lowest.truncate(Self::LOWEST);
    }

    /// Returns the geometric mean of the token probabilities, from 0 to 1; `None` without tokens.
    pub fn mean_probability(&self) -> Option<f64> {
        (self.tokens > 0).then(|| (self.sum / f64::from(self.tokens)).exp())
    }

    /// Returns the lowest token probability, from 0 to 1; `None` without tokens.
    pub fn lowest_probability(&self) -> Option<f64> {
        self.lowest.first().map(|logarithm| logarithm.exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_likely_tokens_are_kept() {
        let mut probability = TokenProbability::default();
        assert_eq!((probability.mean_probability(), probability.lowest_probability()), (None, None));
        for value in [0.5, 1.0, 0.25, 0.9, 0.8, 0.7] {
            probability.add_log_probability(f64::ln(value));
        }
        let lowest: Vec<f64> = probability.lowest.iter().map(|l| (l.exp() * 100.0).round() / 100.0).collect();
        assert_eq!(lowest, [0.25, 0.5, 0.7, 0.8]);
        assert!((probability.mean_probability().unwrap() - 0.063_f64.powf(1.0 / 6.0)).abs() < 1e-9);
        probability.add_log_probability(f64::NEG_INFINITY);
        assert!(probability.mean_probability().unwrap() > 0.0);
    }

    #[test]
    fn other_programs_read_levels_and_reasons_by_these_names() {
        let certainty = Certainty {
            level: CertaintyLevel::Check,
            probability: 0.5,
            reasons: vec![CertaintyReason { code: "few-agree".into(), text: "Few agree.".into(), supports: false }],
        };
        let json = serde_json::json!({"level": "check", "probability": 0.5,
            "reasons": [{"code": "few-agree", "text": "Few agree.", "supports": false}]});
        assert_eq!(serde_json::to_value(&certainty).unwrap(), json);
        assert_eq!(serde_json::from_value::<Certainty>(json).unwrap(), certainty);
    }
}
