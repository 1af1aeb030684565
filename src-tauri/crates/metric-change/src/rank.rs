//! The explanatory power of a dimension.
//!
//! If a change were the same everywhere, each member would contribute in proportion to its size, and shares would not
//! move. An effect is the contribution of a member to a sum, or its rate or mix effect on a quotient. The deviations of
//! the effects from the even change sum to 0, and the power is the larger part of those above or below 0, of three
//! effects at most, in proportion to all effects:
//!
//! ```text
//! deviation = contribution - change · size      (sums)
//! deviation = rate - change · size, and mix     (quotients)
//! power = max(Σ of the 3 largest, -Σ of the 3 smallest deviations) / Σ over all effects of |effect|
//! ```
//!
//! It is 0 if the change is spread evenly, near 1 if few small members make it, and small for dimensions in which many
//! members deviate a little, such as customers. The size is the member's share of the sum of both sides, for quotients
//! of the divisor.

use crate::number::Number;
use crate::split::Contribution;

/// Number of effects that may explain a change.
const FEW: usize = 3;

/// Computes the explanatory power of a dimension, from 0 to 1.
pub fn explanatory_power(contributions: &[Contribution]) -> f64 {
    let change: Number = contributions.iter().map(|one| &one.total).sum();
    let size: Number = contributions.iter().map(|one| &one.size).sum();
    let mut sizes: Vec<Number> = Vec::new();
    let mut deviations: Vec<Number> = Vec::new();
    for one in contributions {
        let expected = one.size.divide(&size).map_or_else(Number::zero, |share| &share * &change);
        let own = one.rate.as_ref().unwrap_or(&one.total);
        sizes.push(own.abs());
        deviations.push(own - &expected);
        if let Some(mix) = one.mix() {
            sizes.push(mix.abs());
            deviations.push(mix);
        }
    }
    deviations.sort();
    let below: Number = deviations.iter().take(FEW).filter(|deviation| deviation.is_negative()).sum();
    let above: Number = deviations.iter().rev().take(FEW).filter(|deviation| !deviation.is_negative()).sum();
    let all: Number = sizes.iter().sum();
    let largest = above.max(below.abs());
    largest.divide(&all).map_or(0.0, |power| power.to_f64().clamp(0.0, 1.0))
}
