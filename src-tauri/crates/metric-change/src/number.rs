//! Exact numbers: decimals of a database, and quotients of them.

use num_bigint::BigInt;
use num_rational::BigRational;
use std::ops::{Add, Mul, Neg, Sub};

/// Maximum number of digits and largest exponent of a number that is read.
const LONGEST: usize = 300;
/// Maximum number of decimal places that are printed.
const MOST_PLACES: u32 = 20;

/// An exact rational number. Sums of it do not depend on their order and have no rounding errors.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number(BigRational);

impl Number {
    /// Creates a whole number.
    pub fn from_whole(number: i64) -> Self {
        Self(BigRational::from_integer(BigInt::from(number)))
    }

    /// Returns 0.
    pub fn zero() -> Self {
        Self::from_whole(0)
    }

    /// Parses the text of a number as databases print it: `-12.50`, `1e-7`. `None` for other texts, such as `NaN`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (is_negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        if digits.is_empty() || digits.len() > LONGEST || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
        let places = u32::try_from(exponent.unsigned_abs()).ok().filter(|places| *places as usize <= 2 * LONGEST)?;
        let digits: BigInt = digits.parse().ok()?;
        let digits = if is_negative { -digits } else { digits };
        Some(Self(match exponent < 0 {
            true => BigRational::new(digits, ten_to(places)),
            false => BigRational::from_integer(digits * ten_to(places)),
        }))
    }

    /// Returns true for 0.
    pub fn is_zero(&self) -> bool {
        *self == Self::zero()
    }

    /// Returns true for numbers below 0.
    pub fn is_negative(&self) -> bool {
        *self < Self::zero()
    }

    /// Returns the number without its sign.
    pub fn abs(&self) -> Self {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// Returns the quotient; `None` for a divisor of 0.
    pub fn divide(&self, by: &Self) -> Option<Self> {
        (!by.is_zero()).then(|| Self(&self.0 / &by.0))
    }

    /// Returns the nearest floating-point number; 0 if it is out of range.
    pub fn to_f64(&self) -> f64 {
        let parse = |number: &BigInt| number.to_string().parse::<f64>().unwrap_or(f64::INFINITY);
        let quotient = parse(self.0.numer()) / parse(self.0.denom());
        if quotient.is_finite() { quotient } else { 0.0 }
    }

    /// Returns the number of decimal places of the exact number; `None` if there are more than are printed.
    pub fn decimal_places(&self) -> Option<u32> {
        (0..=MOST_PLACES).find(|places| (&self.0 * BigRational::from_integer(ten_to(*places))).is_integer())
    }

    /// Returns the number of decimal places that print this many significant digits.
    pub fn places_for_digits(&self, digits: u32) -> u32 {
        let size = self.abs().to_f64();
        if size == 0.0 {
            return digits.min(MOST_PLACES);
        }
        let places = f64::from(digits) - 1.0 - size.log10().floor();
        places.clamp(0.0, f64::from(MOST_PLACES)) as u32
    }

    /// Returns the number in units of the last decimal place, rounded half away from zero.
    pub(crate) fn round_to_units(&self, places: u32) -> BigInt {
        (&self.0 * BigRational::from_integer(ten_to(places))).round().to_integer()
    }

    /// Returns the largest number of units of the last decimal place that is not above the number, and the remainder.
    pub(crate) fn split_units(&self, places: u32) -> (BigInt, Self) {
        let scaled = &self.0 * BigRational::from_integer(ten_to(places));
        let floor = scaled.floor();
        let rest = Self(&scaled - &floor);
        (floor.to_integer(), rest)
    }

    /// Creates a number from units of a decimal place.
    pub(crate) fn from_units(units: BigInt, places: u32) -> Self {
        Self(BigRational::new(units, ten_to(places)))
    }

    /// Formats the number in SQL notation with this many decimal places, rounded half away from zero.
    pub fn format(&self, places: u32) -> String {
        let units = self.round_to_units(places).to_string();
        let (sign, digits) = units.strip_prefix('-').map_or(("", units.as_str()), |digits| ("-", digits));
        let places = places as usize;
        if places == 0 {
            return units;
        }
        let digits = format!("{digits:0>width$}", width = places + 1);
        let (whole, fraction) = digits.split_at(digits.len() - places);
        format!("{sign}{whole}.{fraction}")
    }
}

fn ten_to(power: u32) -> BigInt {
    BigInt::from(10).pow(power)
}

impl Add for &Number {
    type Output = Number;

    fn add(self, other: Self) -> Number {
        Number(&self.0 + &other.0)
    }
}

impl Sub for &Number {
    type Output = Number;

    fn sub(self, other: Self) -> Number {
        Number(&self.0 - &other.0)
    }
}

impl Mul for &Number {
    type Output = Number;

    fn mul(self, other: Self) -> Number {
        Number(&self.0 * &other.0)
    }
}

impl Neg for &Number {
    type Output = Number;

    fn neg(self) -> Number {
        Number(-&self.0)
    }
}

impl<'n> std::iter::Sum<&'n Number> for Number {
    fn sum<I: Iterator<Item = &'n Number>>(numbers: I) -> Self {
        numbers.fold(Self::zero(), |sum, number| &sum + number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_databases_are_read_exactly() {
        for (text, places, shown) in [
            ("12.50", 2, "12.50"),
            ("-0.005", 2, "-0.01"),
            ("1e3", 0, "1000"),
            ("1.5E-7", 8, "0.00000015"),
            ("+7", 1, "7.0"),
            (".5", 1, "0.5"),
            ("123456789012345678901234567890.1", 1, "123456789012345678901234567890.1"),
        ] {
            assert_eq!(Number::parse(text).unwrap().format(places), shown);
        }
        for wrong in ["", "-", "NaN", "inf", "1,5", "1e999999999999", "0x10", "1.2.3", "e5"] {
            assert_eq!(Number::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_quotient_knows_its_places() {
        let quotient = |a: i64, b: i64| Number::from_whole(a).divide(&Number::from_whole(b)).unwrap();
        assert_eq!(quotient(1, 8).decimal_places(), Some(3));
        assert_eq!(quotient(1, 3).decimal_places(), None);
        assert_eq!(Number::from_whole(1).divide(&Number::zero()), None);
        assert_eq!(quotient(2, 3).format(4), "0.6667");
        assert_eq!(Number::parse("123.4").unwrap().places_for_digits(12), 9);
        assert_eq!(quotient(-1, 4).to_f64(), -0.25);
    }
}
