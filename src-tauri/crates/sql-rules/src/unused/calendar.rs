//! Days, months and years in the constants of a query, and the periods that comparisons with them include.

use super::asked::year_of;
use sqlparser::ast::BinaryOperator;
use vitrine_sql::days_in_month;

/// The operator with which a value is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    At,
    /// `>=`
    From,
    /// `>`
    After,
    /// `<=`
    To,
    /// `<`
    Before,
}

impl Role {
    pub fn from_operator(op: &BinaryOperator) -> Option<Self> {
        Some(match op {
            BinaryOperator::GtEq => Self::From,
            BinaryOperator::Gt => Self::After,
            BinaryOperator::LtEq => Self::To,
            BinaryOperator::Lt => Self::Before,
            BinaryOperator::Eq | BinaryOperator::NotEq | BinaryOperator::Spaceship => Self::At,
            _ => return None,
        })
    }

    pub fn with_swapped_sides(self) -> Self {
        match self {
            Self::At => Self::At,
            Self::From => Self::To,
            Self::After => Self::Before,
            Self::To => Self::From,
            Self::Before => Self::After,
        }
    }

    /// Returns true if a period may begin with the value.
    pub fn may_begin_period(self) -> bool {
        matches!(self, Self::At | Self::From | Self::After)
    }
}

/// Returns the runs of digits in a text.
pub(super) fn digit_runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty())
}

/// A day, a month or a year in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Period {
    pub year: i32,
    pub month: Option<u8>,
    day: Option<u8>,
    /// True for the first moment of the day.
    midnight: bool,
}

/// Parses a day, month or year.
pub(super) fn parse_period(text: &str) -> Option<Period> {
    let text = text.trim_matches(['%', '_', ' ', '-']);
    let whole = |year: i32, month: Option<u8>, day: Option<u8>, midnight: bool| {
        let fits = month.is_none_or(|month| (1..=12).contains(&month)) && day.is_none_or(|day| (1..=31).contains(&day));
        fits.then_some(Period { year, month, day, midnight })
    };
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        let part = |from: usize, to: usize| text.get(from..to).and_then(|part| part.parse().ok());
        return match text.len() {
            4 => whole(year_of(text)?, None, None, true),
            6 => whole(year_of(&text[..4])?, Some(part(4, 6)?), None, true),
            8 => whole(year_of(&text[..4])?, Some(part(4, 6)?), Some(part(6, 8)?), true),
            // Larger numbers are not timestamps.
            10 | 13 => of_seconds(text[..10].parse().ok()?).filter(|period| period.year <= 2040),
            _ => None,
        };
    }
    let mut parts = text.splitn(3, ['-', '/']);
    let year = year_of(parts.next()?)?;
    let month = parts.next()?.parse().ok()?;
    let Some(rest) = parts.next() else { return whole(year, Some(month), None, true) };
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (day, time) = rest.split_at(digits);
    let midnight = digit_runs(time).all(|run| run.bytes().all(|byte| byte == b'0'));
    whole(year, Some(month), Some(day.parse().ok()?), midnight)
}

/// Returns the day of a Unix timestamp in seconds.
fn of_seconds(seconds: i64) -> Option<Period> {
    let (mut year, mut left) = (1970, seconds.div_euclid(86_400));
    let days = |year: i32| (1..=12).filter_map(|month| days_in_month(year as u32, month)).sum::<u32>() as i64;
    while left >= days(year) {
        left -= days(year);
        year += 1;
    }
    let mut month = 1;
    while left >= i64::from(days_in_month(year as u32, month)?) {
        left -= i64::from(days_in_month(year as u32, month)?);
        month += 1;
    }
    let midnight = seconds.rem_euclid(86_400) == 0;
    Some(Period { year, month: Some(month as u8), day: Some(left as u8 + 1), midnight })
}

impl Period {
    /// Returns the last period of a range with this end: a range that ends before 2024 includes 2023.
    pub fn reached_period(self, role: Role) -> Self {
        let Self { year, month, day, midnight } = self;
        let is_first = day.is_none_or(|day| day == 1 && midnight);
        let is_last = match (month, day) {
            (Some(month), Some(day)) => days_in_month(year as u32, month.into()) == Some(day.into()),
            _ => true,
        };
        match (role, month) {
            (Role::Before, None) => Self { year: year - 1, ..self },
            (Role::After, None) => Self { year: year + 1, ..self },
            (Role::Before, Some(1)) if is_first => Self { year: year - 1, month: Some(12), ..self },
            (Role::Before, Some(month)) if is_first => Self { month: Some(month - 1), ..self },
            (Role::After, Some(12)) if is_last => Self { year: year + 1, month: Some(1), ..self },
            (Role::After, Some(month)) if is_last => Self { month: Some(month + 1), ..self },
            _ => self,
        }
    }
}

/// Returns the month, and the year if fixed, of a date pattern: `%-03-%`, `%.03.2024`.
pub(super) fn month_pattern(pattern: &str) -> Option<(Option<i32>, u8)> {
    if !pattern.contains(['%', '_']) {
        return None;
    }
    let bare = |part: &str| part.trim_matches(['%', '_']).to_owned();
    let parts: Vec<String> = pattern.split(['-', '/', '.']).map(bare).collect();
    let month = |part: &str| part.parse::<u8>().ok().filter(|month| part.len() == 2 && (1..=12).contains(month));
    match parts.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["", part] | ["", part, ""] => Some((None, month(part)?)),
        ["", part, year] | [part, "", year] | [year, part, ""] => Some((Some(year_of(year)?), month(part)?)),
        _ => None,
    }
}
