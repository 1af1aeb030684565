//! Periods and numbers of a question.

use crate::period::Period;
use crate::words::Word;
use std::ops::Range;
use vitrine_sql::days_in_month;
use vitrine_sql_rules::month_number;

/// A period or number of a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    /// The range of its words.
    pub words: Range<usize>,
    /// The period or number.
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
    let preposition = |offset: usize| usize::from(matches!(text(offset), "of" | "de" | "d" | "del"));
    let skips = preposition(1);
    if let Some(year) = parse_year(text(1 + skips)) {
        let quarter = text(0).strip_prefix(['q', 't']).and_then(|number| number.parse::<u32>().ok());
        if let Some(quarter) = quarter.filter(|quarter| (1..=4).contains(quarter)) {
            return Some((PartValue::Period(Period::Quarter(year, quarter)), 2 + skips));
        }
    }
    if let Some(month) = parse_month(text(0)) {
        // "April 30, 2024"; a number without a year is skipped, because it may be a day.
        if let Some(day) = parse_day(text(1)) {
            return day_of(parse_year(text(2))?, month, day).map(|value| (value, 3));
        }
        return parse_year(text(1 + skips)).map(|year| (PartValue::Period(Period::Month(year, month)), 2 + skips));
    }
    let before =
        at.checked_sub(1).and_then(|before| words.get(before)).map(|word| word.text.as_str()).unwrap_or_default();
    if let Some(day) = parse_day(text(0)) {
        // "30 April 2024", "30th of April 2024", "30 de abril de 2024".
        let month_at = 1 + skips;
        if let Some(month) = parse_month(text(month_at)) {
            let year_at = month_at + 1 + preposition(month_at + 1);
            return day_of(parse_year(text(year_at))?, month, day).map(|value| (value, year_at + 1));
        }
        if parse_month(before).is_some() {
            return None;
        }
    }
    // Thousands separators are ambiguous, so only plain digits are numbers.
    let is_plain = !text(0).is_empty() && text(0).bytes().all(|byte| byte.is_ascii_digit()) && text(0).len() <= 15;
    let is_signed = matches!(before, "-" | "−" | "–" | "—" | "." | ",");
    (is_plain && !is_signed).then(|| (PartValue::Number(text(0).to_owned()), 1))
}

fn day_of(year: u32, month: u32, day: u32) -> Option<PartValue> {
    let is_valid = days_in_month(year, month).is_some_and(|days| day <= days);
    is_valid.then_some(PartValue::Period(Period::Day(year, month, day)))
}

fn parse_month(text: &str) -> Option<u32> {
    if text.chars().all(char::is_alphabetic) { month_number(text) } else { None }
}

/// Returns a day of a month: `30`, `30th`, `1er`.
fn parse_day(text: &str) -> Option<u32> {
    let digits = ["st", "nd", "rd", "th", "er"].iter().find_map(|ending| text.strip_suffix(ending)).unwrap_or(text);
    let is_plain = (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|day| is_plain && (1..=31).contains(day))
}

fn parse_year(text: &str) -> Option<u32> {
    let is_plain = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|year| is_plain && (1900..=2100).contains(year))
}
