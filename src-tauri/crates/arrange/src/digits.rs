//! Exact sums and means of decimal numbers of any length.

use crate::number::{Exact, float_text, parse_exact, parse_float};
use num_bigint::{BigInt, BigUint, Sign};

/// Number of decimal places that sums keep; numbers with more are added as floats.
const PLACES: usize = 60;
/// Maximum number of digits of a number that is added exactly.
const MOST_DIGITS: usize = 200;

/// Adds numbers: exactly if all of them have digits, otherwise as floats.
#[derive(Default)]
pub(crate) struct Total {
    count: u64,
    /// The sum without a decimal point: its last [`PLACES`] digits are the fraction.
    sum: BigInt,
    /// The maximum number of decimal places so far.
    scale: usize,
    inexact: bool,
    float: f64,
}

impl Total {
    pub(crate) fn add(&mut self, text: &str) {
        self.count += 1;
        self.float += parse_float(text);
        if self.inexact {
            return;
        }
        match parse_exact(text).filter(|n| n.scale <= PLACES && n.digits.len() <= MOST_DIGITS) {
            Some(Exact { negative, digits, scale }) => {
                self.scale = self.scale.max(scale);
                let number = BigInt::from(parse_whole(&digits, PLACES - scale));
                self.sum += if negative { -number } else { number };
            }
            None => self.inexact = true,
        }
    }

    /// Returns sum and mean; `None` without numbers.
    pub(crate) fn sum_and_mean(self) -> (Option<String>, Option<String>) {
        if self.count == 0 {
            return (None, None);
        }
        if self.inexact {
            return (Some(float_text(self.float)), Some(float_text(self.float / self.count as f64)));
        }
        let negative = self.sum.sign() == Sign::Minus;
        // All digits after the longest fraction are zero.
        let all = digits_of(self.sum.magnitude());
        let digits = &all[..all.len().saturating_sub(PLACES - self.scale)];
        let sum = format_decimal(negative, digits, self.scale, self.scale);
        // The mean has up to four digits more if the sum has few; halves are rounded up.
        let more = 6_usize.saturating_sub(self.scale).min(4);
        let mean = (parse_whole(digits, more) * 2_u32 + self.count) / (self.count * 2);
        (Some(sum), Some(format_decimal(negative, &digits_of(&mean), self.scale + more, self.scale)))
    }
}

/// Parses digits with zeros appended.
fn parse_whole(digits: &str, zeros: usize) -> BigUint {
    format!("0{digits}{}", "0".repeat(zeros)).parse().unwrap_or_default()
}

/// Returns the digits of a number; empty for zero.
fn digits_of(number: &BigUint) -> String {
    number.to_string().trim_start_matches('0').to_owned()
}

/// Formats digits with a decimal point, and removes trailing zeros except for `least` places.
fn format_decimal(negative: bool, digits: &str, scale: usize, least: usize) -> String {
    let padded = format!("{digits:0>width$}", width = scale + 1);
    let (whole, part) = padded.split_at(padded.len() - scale);
    let kept = part.trim_end_matches('0').len().max(least.min(part.len()));
    let sign = if negative && !digits.is_empty() { "-" } else { "" };
    match &part[..kept] {
        "" => format!("{sign}{whole}"),
        part => format!("{sign}{whole}.{part}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compute_totals(numbers: &[&str]) -> (Option<String>, Option<String>) {
        let mut total = Total::default();
        numbers.iter().for_each(|n| total.add(n));
        total.sum_and_mean()
    }

    fn expected_totals(sum: &str, mean: &str) -> (Option<String>, Option<String>) {
        (Some(sum.to_owned()), Some(mean.to_owned()))
    }

    #[test]
    fn sums_have_every_digit() {
        assert_eq!(
            compute_totals(&["9223372036854775807", "1"]),
            expected_totals("9223372036854775808", "4611686018427387904")
        );
        assert_eq!(
            compute_totals(&["9500.00", "123456789012345678.10", "10500.25"]).0.unwrap(),
            "123456789012365678.35"
        );
        assert_eq!(
            compute_totals(&["99999999999999999999.99", "0.01"]),
            expected_totals("100000000000000000000.00", "50000000000000000000.00")
        );
        assert_eq!(compute_totals(&["1", "2", "4"]), expected_totals("7", "2.3333"));
        assert_eq!(compute_totals(&["0.1", "0.2"]), expected_totals("0.3", "0.15"));
        assert_eq!(compute_totals(&["1e3", "-1e-3"]), expected_totals("999.999", "499.9995"));
    }

    #[test]
    fn signs_and_zero_are_right() {
        assert_eq!(compute_totals(&["-5", "3"]), expected_totals("-2", "-1"));
        assert_eq!(compute_totals(&["5", "-5"]), expected_totals("0", "0"));
        assert_eq!(compute_totals(&["-1", "-2", "-4"]), expected_totals("-7", "-2.3333"));
        assert_eq!(compute_totals(&["-0.00001", "0"]), expected_totals("-0.00001", "-0.000005"));
        assert_eq!(compute_totals(&[]), (None, None));
    }

    #[test]
    fn numbers_that_are_not_finite_are_added_as_floats() {
        assert_eq!(compute_totals(&["1", "inf"]), expected_totals("Infinity", "Infinity"));
        assert_eq!(compute_totals(&["1", "NaN"]), expected_totals("NaN", "NaN"));
        assert_eq!(compute_totals(&["1e300", "1e300"]), expected_totals("2e+300", "1e+300"));
    }
}
