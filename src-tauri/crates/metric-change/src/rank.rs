//! The explanatory power of a dimension.
//!
//! If a change were the same everywhere, each member would contribute in proportion to its size. The power is the
//! deviation from this of the three members that deviate most, in proportion to all contributions:
//!
//! ```text
//! power = Σ over three members of |contribution - change · size| / (2 · Σ over all members of |contribution|)
//! ```
//!
//! It is 0 if the change is spread evenly, near 1 if few small members make it, and small for dimensions in which many
//! members deviate a little, such as customers. The size is the member's share of the sum of both sides, for quotients
//! of the divisor.

use crate::number::Number;
use crate::split::Contribution;

/// Number of members that may explain a change.
const FEW: usize = 3;

/// Computes the explanatory power of a dimension, from 0 to 1.
pub fn explanatory_power(contributions: &[Contribution]) -> f64 {
    let change: Number = contributions.iter().map(|one| &one.total).sum();
    let size: Number = contributions.iter().map(|one| &one.size).sum();
    let amounts: Vec<Number> = contributions.iter().map(|one| one.total.abs()).collect();
    let all: Number = amounts.iter().sum();
    let mut deviations: Vec<Number> = contributions
        .iter()
        .map(|one| {
            let expected = one.size.divide(&size).map_or_else(Number::zero, |share| &share * &change);
            (&one.total - &expected).abs()
        })
        .collect();
    deviations.sort_by(|a, b| b.cmp(a));
    let largest: Number = deviations.iter().take(FEW).sum();
    let twice = &all + &all;
    largest.divide(&twice).map_or(0.0, |power| power.to_f64().clamp(0.0, 1.0))
}
