//! Periods and numbers of a question.

use crate::period::Period;
use crate::words::Word;
use std::ops::Range;
use vitrine_sql_rules::month_number;

/// A period or number of a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    /// The range of its words.
    pub words: Range<usize>,
    /// The value.
    pub value: PartValue,
}

/// The value of a part.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PartValue {
    /// A calendar period.
    Period(Period),
    /// Digits, with an optional decimal point.
    Number(String),
}

impl PartValue {
    /// Returns true if one may replace the other.
    pub fn is_alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Period(own), Self::Period(other)) => own.is_alike(*other),
            (Self::Number(_), Self::Number(_)) => true,
            _ => false,
        }
    }
}

/// Finds the periods and numbers among the words of a question.
pub(crate) fn find_parts(words: &[Word]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match parse_part(words, at) {
            Some((value, length)) => {
                parts.push(Part { words: at..at + length, value });
                at += length;
            }
            None => at += 1,
        }
    }
    parts
}

fn parse_part(words: &[Word], at: usize) -> Option<(PartValue, usize)> {
    let text = |offset: usize| words.get(at + offset).map(|word| word.text.as_str()).unwrap_or_default();
    let adjoins = |offset: usize| {
        let [first, second] = [words.get(at + offset)?, words.get(at + offset + 1)?];
        Some(second.at.start == first.at.end + 1)
    };
    let number = |text: &str, most: u32| {
        (text.len() == 2).then(|| text.parse::<u32>().ok())?.filter(|number| (1..=most).contains(number))
    };
    if let Some(year) = parse_year(text(0)) {
        // ISO dates and months: 2024-03-05, 2024-03.
        if adjoins(0) == Some(true)
            && let Some(month) = number(text(1), 12)
        {
            return match number(text(2), 31).filter(|_| adjoins(1) == Some(true)) {
                Some(day) => Some((PartValue::Period(Period::Day(year, month, day)), 3)),
                None => Some((PartValue::Period(Period::Month(year, month)), 2)),
            };
        }
        return Some((PartValue::Period(Period::Year(year)), 1));
    }
    let skips = usize::from(matches!(text(1), "of" | "de" | "d"));
    if let Some(year) = parse_year(text(1 + skips)) {
        let quarter = text(0).strip_prefix(['q', 't']).and_then(|number| number.parse::<u32>().ok());
        if let Some(quarter) = quarter.filter(|quarter| (1..=4).contains(quarter)) {
            return Some((PartValue::Period(Period::Quarter(year, quarter)), 2 + skips));
        }
        if let Some(month) = month_number(text(0)) {
            return Some((PartValue::Period(Period::Month(year, month)), 2 + skips));
        }
    }
    // Thousands separators are ambiguous, so only plain digits are numbers.
    let is_plain = !text(0).is_empty() && text(0).bytes().all(|byte| byte.is_ascii_digit()) && text(0).len() <= 15;
    let is_signed = at.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|word| word.text == "-" || word.text == "−");
    (is_plain && !is_signed).then(|| (PartValue::Number(text(0).to_owned()), 1))
}

fn parse_year(text: &str) -> Option<u32> {
    let is_plain = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|year| is_plain && (1900..=2100).contains(year))
}
