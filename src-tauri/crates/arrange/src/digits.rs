//! Exact sums and means of decimal numbers of any length.

use crate::number::{Exact, exact, float, float_text};

const BASE: u64 = 1_000_000_000;
/// Digits of one part of a number.
const WIDTH: usize = 9;
/// Digits behind the point that sums keep; numbers with more are added as floats.
const PLACES: usize = 60;
/// Longest number that is added by its digits.
const MOST_DIGITS: usize = 200;

/// A whole number in parts of nine digits, the lowest first.
#[derive(Default, Clone)]
struct Whole(Vec<u32>);

impl Whole {
    fn add(&mut self, other: &Self) {
        let mut carry = 0;
        for at in 0..self.0.len().max(other.0.len()) + 1 {
            if at == self.0.len() {
                if at >= other.0.len() && carry == 0 {
                    return;
                }
                self.0.push(0);
            }
            let sum = u64::from(self.0[at]) + u64::from(other.0.get(at).copied().unwrap_or(0)) + carry;
            self.0[at] = (sum % BASE) as u32;
            carry = sum / BASE;
        }
    }

    /// Subtracts a number that is not larger.
    fn subtract(&mut self, other: &Self) {
        let mut borrow = 0;
        for at in 0..self.0.len() {
            let less = i64::from(other.0.get(at).copied().unwrap_or(0)) + borrow;
            let rest = i64::from(self.0[at]) - less;
            borrow = i64::from(rest < 0);
            self.0[at] = (rest + borrow * BASE as i64) as u32;
        }
    }

    fn is_less(&self, other: &Self) -> bool {
        let part = |whole: &Self, at: usize| whole.0.get(at).copied().unwrap_or(0);
        let places = (0..self.0.len().max(other.0.len())).rev();
        places.map(|at| (part(self, at), part(other, at))).find(|(a, b)| a != b).is_some_and(|(a, b)| a < b)
    }

    /// Divides by a number, rounding a half up.
    fn divide(&mut self, by: u64) {
        let mut rest = 0;
        for part in self.0.iter_mut().rev() {
            let here = rest * BASE + u64::from(*part);
            *part = (here / by) as u32;
            rest = here % by;
        }
        if rest * 2 >= by {
            self.add(&Self(vec![1]));
        }
    }

    /// Reads digits with zeros after them.
    fn read(digits: &str, zeros: usize) -> Self {
        let text = format!("{digits}{}", "0".repeat(zeros));
        let parts = text.as_bytes().rchunks(WIDTH);
        Self(parts.map(|part| part.iter().fold(0, |n, digit| n * 10 + u32::from(digit - b'0'))).collect())
    }

    fn text(&self) -> String {
        let all: String = self.0.iter().rev().map(|part| format!("{part:09}")).collect();
        all.trim_start_matches('0').to_owned()
    }
}

/// Adds numbers: exactly where all of them have digits, else as floats add up.
#[derive(Default)]
pub(crate) struct Total {
    count: u64,
    positive: Whole,
    negative: Whole,
    /// The longest fraction.
    scale: usize,
    inexact: bool,
    float: f64,
}

impl Total {
    pub(crate) fn add(&mut self, text: &str) {
        self.count += 1;
        self.float += float(text);
        if self.inexact {
            return;
        }
        match exact(text).filter(|n| n.scale <= PLACES && n.digits.len() <= MOST_DIGITS) {
            Some(Exact { negative, digits, scale }) => {
                self.scale = self.scale.max(scale);
                let side = if negative { &mut self.negative } else { &mut self.positive };
                side.add(&Whole::read(&digits, PLACES - scale));
            }
            None => self.inexact = true,
        }
    }

    /// Returns sum and mean, or none without a number.
    pub(crate) fn sum_and_mean(self) -> (Option<String>, Option<String>) {
        if self.count == 0 {
            return (None, None);
        }
        if self.inexact {
            return (Some(float_text(self.float)), Some(float_text(self.float / self.count as f64)));
        }
        let negative = self.positive.is_less(&self.negative);
        let (mut large, small) = match negative {
            true => (self.negative, self.positive),
            false => (self.positive, self.negative),
        };
        large.subtract(&small);
        // Places beyond the longest fraction are all zero.
        let all = large.text();
        let digits = &all[..all.len().saturating_sub(PLACES - self.scale)];
        let sum = decimal(negative, digits, self.scale, self.scale);
        // The mean has up to four digits more where the sum has few.
        let more = 6_usize.saturating_sub(self.scale).min(4);
        let mut mean = Whole::read(digits, more);
        mean.divide(self.count);
        (Some(sum), Some(decimal(negative, &mean.text(), self.scale + more, self.scale)))
    }
}

/// Writes digits with a point, without zeros at the end but for `least` places.
fn decimal(negative: bool, digits: &str, scale: usize, least: usize) -> String {
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

    fn total(numbers: &[&str]) -> (Option<String>, Option<String>) {
        let mut total = Total::default();
        numbers.iter().for_each(|n| total.add(n));
        total.sum_and_mean()
    }

    fn of(sum: &str, mean: &str) -> (Option<String>, Option<String>) {
        (Some(sum.to_owned()), Some(mean.to_owned()))
    }

    #[test]
    fn sums_have_every_digit() {
        assert_eq!(total(&["9223372036854775807", "1"]), of("9223372036854775808", "4611686018427387904"));
        assert_eq!(total(&["9500.00", "123456789012345678.10", "10500.25"]).0.unwrap(), "123456789012365678.35");
        assert_eq!(
            total(&["99999999999999999999.99", "0.01"]),
            of("100000000000000000000.00", "50000000000000000000.00")
        );
        assert_eq!(total(&["1", "2", "4"]), of("7", "2.3333"));
        assert_eq!(total(&["0.1", "0.2"]), of("0.3", "0.15"));
        assert_eq!(total(&["1e3", "-1e-3"]), of("999.999", "499.9995"));
    }

    #[test]
    fn signs_and_zero_are_right() {
        assert_eq!(total(&["-5", "3"]), of("-2", "-1"));
        assert_eq!(total(&["5", "-5"]), of("0", "0"));
        assert_eq!(total(&["-1", "-2", "-4"]), of("-7", "-2.3333"));
        assert_eq!(total(&["-0.00001", "0"]), of("-0.00001", "-0.000005"));
        assert_eq!(total(&[]), (None, None));
    }

    #[test]
    fn numbers_that_are_not_finite_are_added_as_floats() {
        assert_eq!(total(&["1", "inf"]), of("Infinity", "Infinity"));
        assert_eq!(total(&["1", "NaN"]), of("NaN", "NaN"));
        assert_eq!(total(&["1e300", "1e300"]), of("2e+300", "1e+300"));
    }
}
