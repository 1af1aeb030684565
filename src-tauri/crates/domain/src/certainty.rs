//! How sure an answer is: a number that was measured, its level in words, and the reasons behind it.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_words::later;

/// What a person does with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CertaintyLevel {
    /// It can be relied on.
    Sure,
    /// It may be wrong and has to be checked.
    Check,
    /// It is more likely wrong than right.
    Unlikely,
}

impl CertaintyLevel {
    /// All levels, the surest first.
    pub const ALL: [CertaintyLevel; 3] = [Self::Sure, Self::Check, Self::Unlikely];

    /// Its name in JSON and CSV.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sure => "sure",
            Self::Check => "check",
            Self::Unlikely => "unlikely",
        }
    }

    /// As people say it, in English.
    pub fn english_label(self) -> &'static str {
        match self {
            Self::Sure => later!("Sure"),
            Self::Check => later!("Check this"),
            Self::Unlikely => later!("Probably not right"),
        }
    }
}

/// One thing that speaks for or against an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct CertaintyReason {
    /// Its kind, such as `samples`; never changes.
    pub code: String,
    /// What was seen, in one plain sentence.
    pub text: String,
    /// Whether it speaks for the answer; otherwise against it.
    pub supports: bool,
}

/// How sure an answer is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct Certainty {
    /// In words, by the thresholds that were calibrated for the model.
    pub level: CertaintyLevel,
    /// How likely the answer is right, 0 to 1.
    pub probability: f64,
    /// What decided it, the weightiest first; at most six.
    pub reasons: Vec<CertaintyReason>,
}

/// How likely a model found the tokens of a reply that it wrote: natural logarithms of their probabilities, by its own
/// distribution at temperature 1, whatever it was sampled with or held to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct TokenProbability {
    /// Tokens that the model chose.
    pub tokens: u32,
    /// The sum of their logarithms.
    pub sum: f64,
    /// The lowest of them, at most four, in ascending order.
    pub lowest: Vec<f64>,
}

impl TokenProbability {
    /// How many of the lowest are kept.
    pub const LOWEST: usize = 4;

    /// Takes in one more token.
    pub fn add_log_probability(&mut self, logarithm: f64) {
        // A token that a server reports as impossible would make every mean infinite.
        let logarithm = logarithm.clamp(-100.0, 0.0);
        self.tokens += 1;
        self.sum += logarithm;
        let place = self.lowest.partition_point(|known| *known <= logarithm);
        self.lowest.insert(place, logarithm);
        self.lowest.truncate(Self::LOWEST);
    }

    /// The geometric mean of the tokens' probabilities, 0 to 1; `None` without tokens.
    pub fn mean_probability(&self) -> Option<f64> {
        (self.tokens > 0).then(|| (self.sum / f64::from(self.tokens)).exp())
    }

    /// The lowest probability of a token, 0 to 1; `None` without tokens.
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
