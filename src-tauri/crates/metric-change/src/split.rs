//! Splits a change into contributions of members.
//!
//! For sums, the contribution of a member is the change of its own value.
//!
//! A quotient R = N / D is the mean of the members' quotients r = n / d, weighted by their shares w = d / D. With 0 and
//! 1 for the two sides, and means of both sides (r̄, w̄, R̄), the contribution of a member is
//!
//! ```text
//! rate  = w̄ · (r1 - r0)
//! mix   = (w1 - w0) · (r̄ - R̄)
//! total = rate + mix = w1·r1 - w0·r0 - R̄ · (w1 - w0)
//! ```
//!
//! The totals of all members sum to R1 - R0 exactly, because all w sum to 1 on each side. The form is symmetric:
//! exchanging the sides changes only the signs. A member without a divisor on one side has no rate there, so that its
//! whole contribution is a mix effect.

use crate::members::Member;
use crate::number::Number;
use crate::shape::Shape;
use crate::totals::compute_value;

/// The contribution of a member to a change.
#[derive(Debug, Clone, PartialEq)]
pub struct Contribution {
    /// The value of the dimension; `None` for rows without one.
    pub key: Option<String>,
    /// The metric on both sides; `None` without rows, or without a divisor.
    pub values: [Option<Number>; 2],
    /// True for sides that have rows of it.
    pub has_rows: [bool; 2],
    /// The contribution; all sum to the change.
    pub total: Number,
    /// For quotients: the part of the contribution that comes from the member's own quotient.
    pub rate: Option<Number>,
    /// For quotients: the member's shares of the divisor.
    pub weights: Option<[Number; 2]>,
    /// The size of the member in comparison with others.
    pub size: Number,
}

impl Contribution {
    /// For quotients: the part of the contribution that comes from the member's share.
    pub fn mix(&self) -> Option<Number> {
        self.rate.as_ref().map(|rate| &self.total - rate)
    }
}

/// Splits the change of a metric into contributions; `None` for a quotient whose divisor is 0 on one side.
pub fn split_change(shape: &Shape, members: &[Member]) -> Option<Vec<Contribution>> {
    match shape {
        Shape::Sum(linear) => Some(
            members
                .iter()
                .map(|member| {
                    let [before, after] = [0, 1].map(|side| linear.sum_parts(&member.parts[side]));
                    Contribution {
                        key: member.key.clone(),
                        has_rows: member.has_rows,
                        total: &after - &before,
                        rate: None,
                        weights: None,
                        size: &before.abs() + &after.abs(),
                        values: [member.has_rows[0].then_some(before), member.has_rows[1].then_some(after)],
                    }
                })
                .collect(),
        ),
        Shape::Quotient(of, to) => {
            let sum = |side: usize, linear: &crate::shape::Linear| -> Number {
                let values: Vec<Number> = members.iter().map(|member| linear.sum_parts(&member.parts[side])).collect();
                values.iter().sum()
            };
            let divisors = [sum(0, to), sum(1, to)];
            let half = Number::from_whole(1).divide(&Number::from_whole(2))?;
            let quotients = [sum(0, of).divide(&divisors[0])?, sum(1, of).divide(&divisors[1])?];
            let mean = &(&quotients[0] + &quotients[1]) * &half;
            members
                .iter()
                .map(|member| {
                    let part = |side: usize, linear: &crate::shape::Linear| {
                        linear.sum_parts(&member.parts[side]).divide(&divisors[side])
                    };
                    let weights = [part(0, to)?, part(1, to)?];
                    let shares = [part(0, of)?, part(1, of)?];
                    let moved = &weights[1] - &weights[0];
                    let total = &(&shares[1] - &shares[0]) - &(&mean * &moved);
                    let values = [0, 1].map(|side| compute_value(shape, &member.parts[side]));
                    let weight = &(&weights[0] + &weights[1]) * &half;
                    let rate = match &values {
                        [Some(before), Some(after)] => &weight * &(after - before),
                        _ => Number::zero(),
                    };
                    Some(Contribution {
                        key: member.key.clone(),
                        has_rows: member.has_rows,
                        total,
                        rate: Some(rate),
                        size: &weights[0].abs() + &weights[1].abs(),
                        weights: Some(weights),
                        values,
                    })
                })
                .collect()
        }
    }
}
