//! Times and old values in a query outside the constants that are replaced.

use crate::parts::PartValue;
use crate::period::Period;
use std::ops::Range;
use vitrine_sql::{PlacedConstant, ReadOnlySql, list_constants, name_words};
use vitrine_sql_rules::month_number;

/// Ends of names of columns with times, in English, German, French and Spanish.
const TIME_ENDS: [&str; 9] = ["year", "week", "day", "date", "jahr", "datum", "mois", "jour", "woche"];
/// Parts of such names.
const TIME_PARTS: [&str; 12] = [
    "quarter",
    "month",
    "quartal",
    "monat",
    "annee",
    "année",
    "trimestre",
    "semaine",
    "semana",
    "fecha",
    "fiscal",
    "period",
];
/// Such names that other words contain, and abbreviations.
const TIME_NAMES: [&str; 14] =
    ["yr", "qtr", "mth", "mon", "wk", "fy", "an", "kw", "tag", "ano", "año", "mes", "dia", "día"];

/// Returns true for the name of a column that contains a time.
pub(crate) fn is_time_name(name: &str) -> bool {
    name.split('_').any(|word| {
        TIME_NAMES.contains(&word)
            || TIME_ENDS.iter().any(|end| word.ends_with(end))
            || TIME_PARTS.iter().any(|part| word.contains(part))
    })
}

/// Returns true for a constant that may be a time: a date, a year, a month, a quarter, or seconds since 1970.
pub(crate) fn is_time_text(text: &str, is_number: bool) -> bool {
    if is_number {
        return text.parse::<u64>().is_ok_and(|number| is_time_number(text, number));
    }
    let lower = text.trim().to_lowercase();
    let is_month = lower.chars().all(char::is_alphabetic) && month_number(&lower).is_some();
    let is_quarter = matches!(lower.as_str(), "q1" | "q2" | "q3" | "q4" | "t1" | "t2" | "t3" | "t4");
    let has_time = digit_runs(&lower).any(|run| {
        let digits = &lower[run.clone()];
        is_date_digits(digits) || digits.parse().is_ok_and(|number| digits.len() >= 9 && is_epoch(number))
    });
    is_month || is_quarter || has_time || has_named_month(&lower)
}

fn is_time_number(text: &str, number: u64) -> bool {
    is_date_digits(text) || is_epoch(number)
}

/// Returns true for seconds or thousandths since 1970, from 1998 to 2128.
fn is_epoch(number: u64) -> bool {
    (900_000_000..=5_000_000_000).contains(&number) || (900_000_000_000..=5_000_000_000_000).contains(&number)
}

/// Returns true for `YYYY`, `YYYYMM` and longer beginnings of times.
fn is_date_digits(digits: &str) -> bool {
    let part = |range: Range<usize>| digits.get(range).and_then(|part| part.parse::<u32>().ok());
    let is_year = part(0..4).is_some_and(|year| (1900..=2100).contains(&year));
    let is_month = || part(4..6).is_some_and(|month| (1..=12).contains(&month));
    let is_day = || part(6..8).is_some_and(|day| (1..=31).contains(&day));
    match digits.len() {
        4 => is_year,
        6 => is_year && is_month(),
        8 | 10 | 12 | 14 => is_year && is_month() && is_day(),
        _ => false,
    }
}

/// Returns true for a day with the name of a month: "1 March".
fn has_named_month(lower: &str) -> bool {
    lower.contains(|c: char| c.is_ascii_digit())
        && lower.split(|c: char| !c.is_alphabetic()).any(|word| !word.is_empty() && month_number(word).is_some())
}

fn digit_runs(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let is_digit = move |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    (0..bytes.len()).filter(move |at| is_digit(*at) && !at.checked_sub(1).is_some_and(is_digit)).map(move |start| {
        let length = bytes.iter().skip(start).take_while(|byte| byte.is_ascii_digit()).count();
        start..start + length
    })
}

/// The query without the constants that follow the question.
pub(crate) struct Remainder {
    /// The text in lower case, with blanks in place of these constants.
    text: String,
    /// The words of its names and texts.
    words: Vec<String>,
    constants: Vec<PlacedConstant>,
}

impl Remainder {
    /// Removes the constants of these parameters from a query. `None` if its constants are unknown.
    pub fn without_parameters(sql: &ReadOnlySql, names: &[&str]) -> Option<Self> {
        let (linked, constants): (Vec<_>, Vec<_>) = list_constants(sql)?
            .into_iter()
            .partition(|constant| constant.parameter.as_deref().is_some_and(|name| names.contains(&name)));
        let mut text = sql.as_str().to_owned();
        for constant in &linked {
            text.replace_range(constant.range.clone(), &" ".repeat(constant.range.len()));
        }
        Some(Self { words: name_words(&text), text: text.to_lowercase(), constants })
    }

    /// Returns true if a constant may be a time.
    pub fn has_time(&self) -> bool {
        self.constants.iter().any(|constant| {
            constant.parameter.as_deref() != Some("limit") && is_time_text(&constant.text, constant.is_number)
        })
    }

    /// Returns true if the query also depends on a value in another place, when another one replaces it.
    pub fn depends_on(&self, before: &PartValue, after: &PartValue) -> bool {
        match (before, after) {
            (PartValue::Period(before), PartValue::Period(after)) => self.depends_on_period(*before, *after),
            (PartValue::Number(number), _) => self.has_number(number),
            _ => true,
        }
    }

    fn depends_on_period(&self, before: Period, after: Period) -> bool {
        let has_year = || {
            let short = format!("{:02}", before.year() % 100);
            digit_runs(&self.text).any(|run| {
                let follows_letter = self.text[..run.start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
                let digits = &self.text[run];
                is_date_digits(digits) || follows_letter && digits == short
            })
        };
        let has_month = || {
            let Some(part) = before.month_or_quarter() else { return false };
            self.words.iter().any(|word| {
                let is_name = word.chars().all(char::is_alphabetic);
                *word == part && part.starts_with('q')
                    || is_name && month_number(word).is_some_and(|month| month.to_string() == part)
            })
        };
        self.has_length_of(before)
            || before.year() != after.year() && has_year()
            || before.month_or_quarter() != after.month_or_quarter() && has_month()
    }

    /// Returns true if a number is the length of such a period, as in averages per day.
    fn has_length_of(&self, period: Period) -> bool {
        let lengths: &[&str] = match period {
            Period::Year(_) => &["365", "366", "8760", "8784"],
            Period::Quarter(..) => &["90", "91", "92"],
            Period::Month(..) => &["28", "29", "30", "31"],
            Period::Day(..) => &[],
        };
        self.constants.iter().any(|constant| {
            constant.is_number
                && constant.parameter.is_none()
                && lengths.contains(&constant.text.split('.').next().unwrap_or_default())
        })
    }

    /// Returns true if a number remains. Single digits are parts of many names, so they count only on their own.
    fn has_number(&self, number: &str) -> bool {
        digit_runs(&self.text).any(|run| {
            let joins = self.text[..run.start].ends_with(|c: char| c.is_alphabetic() || c == '_');
            &self.text[run] == number && (number.len() > 1 || !joins)
        })
    }

    /// Returns true if a text remains as words of their own, regardless of case.
    pub fn has_text(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        self.text.match_indices(&lower).any(|(at, found)| {
            let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let (before, after) = (&self.text[..at], &self.text[at + found.len()..]);
            !joins(before.chars().next_back()) && !joins(after.chars().next())
        })
    }
}
