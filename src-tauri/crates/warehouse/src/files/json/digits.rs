//! The digits of JSON numbers, and the type that keeps all digits of a column.

use super::value::is_no_figure;
use crate::files::exact::LONGEST_FRACTION;
use crate::files::value_counts::ValueCount;
use std::collections::BTreeMap;

/// Maximum number of digits of a decimal.
const MOST_DIGITS: u32 = 38;
/// Significant digits that every binary float preserves.
const ALWAYS_KEPT: usize = 15;
/// Maximum exponent of a number that a decimal or a float can hold.
const LARGEST_EXPONENT: i64 = 400;

/// A number as digits times a power of ten.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Digits {
    negative: bool,
    /// The digits without leading zeros; empty for zero.
    digits: String,
    exponent: i64,
    has_exponent: bool,
}

impl Digits {
    /// Parses the digits of a JSON number.
    fn parse(text: &str) -> Option<Self> {
        let (negative, unsigned) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).map_or((unsigned, None), |(m, e)| (m, Some(e)));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let power: i64 = exponent.map_or(Some(0), |text| text.parse().ok())?;
        if power.abs() > LARGEST_EXPONENT {
            return None;
        }
        let digits = format!("{whole}{fraction}").trim_start_matches('0').to_owned();
        Some(Self { negative, digits, exponent: power - fraction.len() as i64, has_exponent: exponent.is_some() })
    }

    fn integer_digits(&self) -> u32 {
        (self.digits.len() as i64 + self.exponent).max(1) as u32
    }

    fn fraction_digits(&self) -> u32 {
        (-self.exponent).max(0) as u32
    }

    /// Returns the number of decimal places without trailing zeros.
    fn needed_fraction_digits(&self) -> u32 {
        let zeros = (self.digits.len() - self.digits.trim_end_matches('0').len()) as i64;
        if self.digits.is_empty() { 0 } else { (-self.exponent - zeros).max(0) as u32 }
    }

    /// Returns true if a binary float reproduces exactly this number.
    fn is_exact_as_float(&self, text: &str) -> bool {
        let kept = self.digits.trim_end_matches('0');
        if kept.len() <= ALWAYS_KEPT && (self.digits.len() as i64 + self.exponent).abs() < 290 {
            return true;
        }
        let Ok(number) = text.parse::<f64>() else { return false };
        // The shortest text that is parsed as the same float.
        let shortest = format!("{:e}", number.abs());
        Self::parse(&shortest).is_some_and(|other| {
            let others = other.digits.trim_end_matches('0');
            let place = |digits: &Self| digits.digits.len() as i64 + digits.exponent;
            others == kept && place(&other) == place(self)
        })
    }

    /// Formats the number without an exponent.
    fn without_exponent(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        let (digits, fraction) = (&self.digits, self.fraction_digits() as usize);
        if self.exponent >= 0 {
            let zeros = if digits.is_empty() { 0 } else { self.exponent as usize };
            let digits = if digits.is_empty() { "0" } else { digits };
            return format!("{sign}{digits}{}", "0".repeat(zeros));
        }
        let padded = format!("{digits:0>width$}", width = fraction + 1);
        let (whole, fraction) = padded.split_at(padded.len() - fraction);
        format!("{sign}{whole}.{fraction}")
    }
}

/// Returns a number without an exponent, as a decimal is parsed from text; unchanged if it has none.
pub(super) fn expand_exponent(text: &str) -> String {
    Digits::parse(text)
        .filter(|digits| digits.has_exponent)
        .map_or_else(|| text.to_owned(), |digits| digits.without_exponent())
}

/// Common properties of all numbers in a column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct NumberRange {
    whole: u32,
    fraction: u32,
    needed: u32,
    exponents: bool,
    /// True if a binary float would change some of them.
    is_rounded: bool,
    /// True if some are not 64-bit integers.
    is_beyond: bool,
    /// Texts without digits, such as NaN, with their counts.
    no_figures: BTreeMap<String, i64>,
    /// True if some values have digits.
    figures: bool,
}

/// The type of a column of numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NumberType {
    Integer,
    Decimal {
        digits: u32,
        fraction: u32,
    },
    Float,
    /// Text, because no type holds all digits.
    Text,
}

impl NumberRange {
    /// Records a number in the statistics.
    pub fn record_number(&mut self, text: &str) {
        if is_no_figure(text) {
            *self.no_figures.entry(text.to_owned()).or_default() += 1;
            return;
        }
        self.figures = true;
        self.is_beyond |= text.parse::<i64>().is_err();
        match Digits::parse(text) {
            Some(digits) => self.merge(&Self {
                whole: digits.integer_digits(),
                fraction: digits.fraction_digits(),
                needed: digits.needed_fraction_digits(),
                exponents: digits.has_exponent,
                is_rounded: !digits.is_exact_as_float(text),
                ..Self::default()
            }),
            None => self.merge(&Self { whole: MOST_DIGITS + 1, is_rounded: true, ..Self::default() }),
        }
    }

    /// Adds the statistics of other numbers.
    pub fn merge(&mut self, other: &Self) {
        self.whole = self.whole.max(other.whole);
        self.fraction = self.fraction.max(other.fraction);
        self.needed = self.needed.max(other.needed);
        self.exponents |= other.exponents;
        self.is_rounded |= other.is_rounded;
        self.is_beyond |= other.is_beyond;
        self.figures |= other.figures;
        for (text, rows) in &other.no_figures {
            *self.no_figures.entry(text.clone()).or_default() += rows;
        }
    }

    /// Returns the type that keeps every digit. Measurements that a float preserves are floats, as in other file
    /// formats.
    pub fn number_type(&self) -> NumberType {
        let decimal = |fraction: u32| {
            let digits = if self.whole + fraction > 18 { MOST_DIGITS } else { 18 };
            NumberType::Decimal { digits, fraction }
        };
        let fits = |fraction: u32| self.whole + fraction <= MOST_DIGITS;
        match () {
            () if !self.figures => NumberType::Float,
            () if !self.is_beyond => NumberType::Integer,
            () if fits(self.fraction) && self.fraction == 0 && !self.exponents => {
                NumberType::Decimal { digits: MOST_DIGITS, fraction: 0 }
            }
            () if fits(self.fraction) && self.fraction <= LONGEST_FRACTION && !self.exponents => decimal(self.fraction),
            () if !self.is_rounded => NumberType::Float,
            () if fits(self.fraction) => decimal(self.fraction),
            () if fits(self.needed) => decimal(self.needed),
            () => NumberType::Text,
        }
    }

    /// Returns true if the engine, which parses fractions as binary floats, reads all numbers exactly.
    pub fn is_safe_in_engine(&self) -> bool {
        if !self.no_figures.is_empty() {
            return false;
        }
        match self.number_type() {
            NumberType::Integer | NumberType::Float => true,
            NumberType::Decimal { fraction: 0, .. } => self.fraction == 0 && !self.exponents,
            NumberType::Decimal { fraction, .. } => self.whole + fraction <= ALWAYS_KEPT as u32,
            NumberType::Text => false,
        }
    }

    /// Returns true if some numbers have decimal places or an exponent.
    pub fn has_fractions(&self) -> bool {
        self.fraction > 0 || self.exponents || !self.no_figures.is_empty()
    }

    /// Returns the values without digits.
    pub fn no_figures(&self) -> Vec<ValueCount> {
        self.no_figures.iter().map(|(text, rows)| ValueCount { text: text.clone(), rows: *rows }).collect()
    }
}

impl NumberType {
    /// Returns the engine's name of the type.
    pub fn type_name(&self) -> String {
        match self {
            Self::Integer => "BIGINT".to_owned(),
            Self::Decimal { digits, fraction } => format!("DECIMAL({digits},{fraction})"),
            Self::Float => "DOUBLE".to_owned(),
            Self::Text => "VARCHAR".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn infer_type_name(numbers: &[&str]) -> String {
        let mut range = NumberRange::default();
        numbers.iter().for_each(|number| range.record_number(number));
        range.number_type().type_name()
    }

    #[test]
    fn the_type_keeps_every_digit() {
        for (numbers, name) in [
            (&["1", "-2"][..], "BIGINT"),
            (&["9223372036854775807", "-9223372036854775808"], "BIGINT"),
            (&["9223372036854775808"], "DECIMAL(38,0)"),
            (&["12345678901234567890", "1"], "DECIMAL(38,0)"),
            (&["1.50", "2"], "DECIMAL(18,2)"),
            (&["9007199254740993", "0.5"], "DECIMAL(18,1)"),
            (&["9007199254740993", "0.125"], "DECIMAL(38,3)"),
            (&["9007199254740993", "0.123456789"], "DECIMAL(38,9)"),
            (&["0.12345678901234567890"], "DECIMAL(38,20)"),
            (&["1e5", "0.30000000000000004"], "DOUBLE"),
            (&["1e5", "9007199254740993"], "DECIMAL(18,0)"),
            (&["0.123456789"], "DOUBLE"),
            (&["NaN", "1.5"], "DECIMAL(18,1)"),
            (&["NaN", "9007199254740993"], "BIGINT"),
            (&["NaN", "Infinity"], "DOUBLE"),
            (&["123456789012345678901234567890123456789"], "VARCHAR"),
            (&["12345678901234567890", "0.12345678901234567890"], "VARCHAR"),
            (&["1234567890123456789", "0.12345678901234567000"], "DECIMAL(38,17)"),
            (&["1e999"], "VARCHAR"),
            (&["5e-324", "1.7976931348623157e308"], "DOUBLE"),
        ] {
            assert_eq!(infer_type_name(numbers), name, "{numbers:?}");
        }
    }

    #[test]
    fn exponents_are_written_out() {
        for (text, written) in [
            ("1e5", "100000"),
            ("-1.25E-3", "-0.00125"),
            ("12.50e1", "125.0"),
            ("0e9", "0"),
            ("1.5", "1.5"),
            ("9007199254740993E0", "9007199254740993"),
        ] {
            assert_eq!(expand_exponent(text), written);
        }
    }
}
