//! Fits a logistic model with few weights to few examples. The fit is regularized towards the cautious weights, and no weight contradicts
//! its feature's direction.

use super::features::Feature;
use super::fitted::{Fitted, Weight, sigmoid};
use std::collections::BTreeMap;

/// Number of gradient descent steps, sufficient for convergence.
const STEPS: usize = 1_000;
/// Strength of the regularization towards the prior weights, as a number of examples.
const RIDGE: f64 = 10.0;
/// Required share of correct answers among sure ones.
const SURE: f64 = 0.95;
/// Answers with a lower probability are more likely wrong than right.
const UNLIKELY: f64 = 0.5;

/// An answer that was judged as right or wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// Features whose values are known, with these values.
    pub values: Vec<(Feature, f64)>,
    /// True if the answer was correct.
    pub right: bool,
}

/// Fits weights to examples, starting from the weights of a model that was not measured. The threshold of "sure" is the lowest at which
/// [`SURE`] of the examples above it are right, each estimated by weights that were fitted without it. The result is deterministic.
pub fn fit_examples(examples: &[Example], prior: &Fitted) -> Fitted {
    let weights = fit_weights(examples, prior);
    let mut left_out: Vec<(f64, bool)> = (0..examples.len())
        .map(|index| {
            let others: Vec<Example> =
                examples.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, one)| one.clone()).collect();
            (fit_weights(&others, prior).probability(&examples[index].values), examples[index].right)
        })
        .collect();
    left_out.sort_by(|a, b| b.0.total_cmp(&a.0));
    Fitted { sure: find_threshold(&left_out), ..weights }
}

/// Returns the lowest probability down to which enough answers are right; a value above 1 if there is none.
fn find_threshold(sorted: &[(f64, bool)]) -> f64 {
    let (mut right, mut lowest) = (0.0, 1.01);
    for (index, (probability, is_right)) in sorted.iter().enumerate() {
        right += f64::from(u8::from(*is_right));
        let next_differs = sorted.get(index + 1).is_none_or(|next| next.0 < *probability);
        if next_differs && right / (index + 1) as f64 >= SURE {
            lowest = *probability;
        }
    }
    lowest
}

/// Fits weights without a threshold of "sure".
pub(super) fn fit_weights(examples: &[Example], prior: &Fitted) -> Fitted {
    let features: Vec<Feature> =
        Feature::ALL.into_iter().filter(|f| examples.iter().any(|e| e.values.iter().any(|v| v.0 == *f))).collect();
    let scales: Vec<(f64, f64)> = features.iter().map(|feature| compute_scale(examples, *feature)).collect();
    // An unknown value is replaced by the mean, which does not change the estimate.
    let row = |example: &Example| -> Vec<f64> {
        let standard = |(feature, (mean, deviation)): (&Feature, &(f64, f64))| {
            let value = example.values.iter().find(|value| value.0 == *feature);
            value.map_or(0.0, |value| (value.1 - mean) / deviation)
        };
        features.iter().zip(&scales).map(standard).collect()
    };
    let rows: Vec<(Vec<f64>, f64)> = examples.iter().map(|e| (row(e), f64::from(u8::from(e.right)))).collect();
    let n = rows.len().max(1) as f64;
    let rate = 1.0 / (0.25 * (features.len() + 1) as f64 + RIDGE / n);
    let before: Vec<f64> = (features.iter().zip(&scales))
        .map(|(feature, (_, deviation))| prior.weights.get(feature).map_or(0.0, |weight| weight.weight * deviation))
        .collect();
    let (mut bias, mut weights) = (prior.bias, before.clone());
    for _ in 0..STEPS {
        let (mut slope, mut slopes) = (0.0, vec![0.0; features.len()]);
        for (row, right) in &rows {
            let sum: f64 = bias + row.iter().zip(&weights).map(|(x, w)| x * w).sum::<f64>();
            let error = sigmoid(sum) - right;
            slope += error;
            slopes.iter_mut().zip(row).for_each(|(slope, x)| *slope += error * x);
        }
        bias -= rate * slope / n;
        for (((weight, slope), feature), before) in weights.iter_mut().zip(&slopes).zip(&features).zip(&before) {
            let moved = *weight - rate * (slope + RIDGE * (*weight - before)) / n;
            *weight = if moved * feature.direction() > 0.0 { moved } else { 0.0 };
        }
    }
    let of = |((feature, weight), (mean, deviation)): ((&Feature, &f64), &(f64, f64))| {
        (*weight != 0.0)
            .then(|| (*feature, Weight { weight: round_weight(weight / deviation), mean: round_weight(*mean) }))
    };
    let weights: BTreeMap<Feature, Weight> = features.iter().zip(&weights).zip(&scales).filter_map(of).collect();
    Fitted { bias: round_weight(bias), weights, sure: 1.01, unlikely: UNLIKELY }
}

/// Returns the mean and the standard deviation of a feature over the examples that have it.
fn compute_scale(examples: &[Example], feature: Feature) -> (f64, f64) {
    let known: Vec<f64> =
        examples.iter().flat_map(|e| &e.values).filter(|value| value.0 == feature).map(|value| value.1).collect();
    let n = known.len().max(1) as f64;
    let mean = known.iter().sum::<f64>() / n;
    let variance = known.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
    // A constant feature has no effect; the scale 1 avoids a division by zero.
    (mean, if variance > 1e-9 { variance.sqrt() } else { 1.0 })
}

/// Rounds to four decimal places, because people read the file of weights.
fn round_weight(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds examples that are right more often the more candidates agree; the length of the query has no effect.
    fn agreement_examples() -> Vec<Example> {
        let one = |index: u32| {
            let agreement = f64::from(index % 10) / 10.0;
            let values = vec![(Feature::Agreement, agreement), (Feature::Length, f64::from(index * 7 % 5))];
            Example { values, right: f64::from(index * 37 % 100) / 100.0 < 0.2 + 0.8 * agreement }
        };
        (0..100).map(one).collect()
    }

    /// Returns a prior without weights.
    fn empty_prior() -> Fitted {
        Fitted { bias: 0.0, weights: BTreeMap::new(), sure: 1.01, unlikely: UNLIKELY }
    }

    #[test]
    fn few_examples_move_what_is_known_beforehand_a_little() {
        let weight = |fitted: &Fitted| fitted.weights.get(&Feature::Agreement).map_or(0.0, |weight| weight.weight);
        let known = Weight { weight: 3.0, mean: 0.5 };
        let prior = Fitted { weights: [(Feature::Agreement, known)].into(), ..empty_prior() };
        // Ten answers contradict the prior, then a thousand do.
        let against = |index: u32| Example {
            values: vec![(Feature::Agreement, f64::from(index % 2))],
            right: index.is_multiple_of(2),
        };
        let few = weight(&fit_weights(&(0..10).map(against).collect::<Vec<_>>(), &prior));
        assert!(few > 0.0 && few < 3.0, "{few}");
        assert_eq!(weight(&fit_weights(&(0..400).map(against).collect::<Vec<_>>(), &prior)), 0.0);
    }

    #[test]
    fn what_tells_right_from_wrong_gets_the_weight() {
        let fitted = fit_examples(&agreement_examples(), &empty_prior());
        let weight = |feature| fitted.weights.get(&feature).map_or(0.0, |weight| weight.weight.abs());
        assert!(weight(Feature::Agreement) > 2.0 && weight(Feature::Length) < 0.3, "{fitted:?}");
        let sure = |agreement: f64| fitted.probability(&[(Feature::Agreement, agreement)]);
        assert!(sure(0.9) > 0.75 && sure(0.0) < 0.4, "{} {}", sure(0.9), sure(0.0));
        assert_eq!(fit_examples(&agreement_examples(), &empty_prior()), fitted, "the same examples, the same weights");
    }

    #[test]
    fn chance_never_makes_a_doubt_speak_for_an_answer() {
        let doubts =
            |index: u32| Example { values: vec![(Feature::Doubts, f64::from(index % 2))], right: index % 2 == 1 };
        let fitted = fit_examples(&(0..20).map(doubts).collect::<Vec<_>>(), &empty_prior());
        assert!(fitted.weights.is_empty(), "{fitted:?}");
    }

    #[test]
    fn as_many_are_sure_as_can_be_while_enough_are_right() {
        let answers = |right: &[bool]| -> Vec<(f64, bool)> {
            right.iter().enumerate().map(|(index, right)| (1.0 - index as f64 / 100.0, *right)).collect()
        };
        let mut first_wrong = vec![true; 30];
        first_wrong[19] = false;
        assert_eq!(find_threshold(&answers(&first_wrong)), 1.0 - 29.0 / 100.0);
        assert!(find_threshold(&answers(&[false, true, true])) > 1.0, "none is sure where the surest is wrong");
        assert!(find_threshold(&[]) > 1.0);
    }
}
