//! Calendar periods of questions, and the constants by which queries select them.

use vitrine_sql::days_in_month;

/// A year, or a quarter, month or day of a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Period {
    /// A calendar year.
    Year(u32),
    /// A year and a quarter from 1 to 4.
    Quarter(u32, u32),
    /// A year and a month from 1 to 12.
    Month(u32, u32),
    /// A year, a month and a day.
    Day(u32, u32, u32),
}

impl Period {
    /// Returns the year.
    pub fn year(self) -> u32 {
        match self {
            Self::Year(year) | Self::Quarter(year, _) | Self::Month(year, _) | Self::Day(year, ..) => year,
        }
    }

    /// Returns true if both have the same length.
    pub fn is_alike(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    /// Returns periods that each differ in one component: another year, quarter, month or day.
    pub fn variations(self) -> Vec<Self> {
        match self {
            Self::Year(year) => vec![Self::Year(year + 1)],
            Self::Quarter(year, quarter) => {
                vec![Self::Quarter(year + 1, quarter), Self::Quarter(year, quarter % 4 + 1)]
            }
            Self::Month(year, month) => vec![Self::Month(year + 1, month), Self::Month(year, month % 12 + 1)],
            Self::Day(year, month, day) => vec![
                Self::Day(year + 1, month, day),
                Self::Day(year, month % 12 + 1, day),
                Self::Day(year, month, day % last_day(year, month) + 1),
            ],
        }
    }

    /// Returns the month, or the quarter as `q1`, if the period is one.
    pub fn month_or_quarter(self) -> Option<String> {
        match self {
            Self::Quarter(_, quarter) => Some(format!("q{quarter}")),
            Self::Month(_, month) | Self::Day(_, month, _) => Some(month.to_string()),
            Self::Year(_) => None,
        }
    }

    /// Returns the text of a constant for another period of the same length; `None` if the constant does not select this
    /// period. `name` is the name of the constant's parameter.
    pub fn translate(self, constant: &str, name: &str, other: Self) -> Option<String> {
        if !self.is_alike(other) {
            return None;
        }
        let named = |part: &str| name == part || name.strip_prefix(part).is_some_and(|rest| rest.starts_with('_'));
        for (own, new) in self.bounds().into_iter().zip(other.bounds()) {
            if let Some(rest) = constant.strip_prefix(own.as_str()).filter(|rest| !starts_with_digit(rest)) {
                return Some(format!("{new}{rest}"));
            }
        }
        // Prefixes of dates such as `2024`, `2024-03` and `2024-03-%`.
        if let (Some(own), Some(new)) = (self.prefix(), other.prefix())
            && let Some(rest) = constant.strip_prefix(own.as_str()).filter(|rest| matches!(*rest, "" | "%" | "-%"))
        {
            return Some(format!("{new}{rest}"));
        }
        if named("year") && constant == self.year().to_string() {
            return Some(other.year().to_string());
        }
        match (self, other) {
            (Self::Quarter(_, own), Self::Quarter(_, new)) if named("quarter") => translate_number(constant, own, new),
            (Self::Month(_, own), Self::Month(_, new)) if named("month") => translate_number(constant, own, new),
            _ => None,
        }
    }

    /// Returns the first day, the last day, and the first day after the period.
    fn bounds(self) -> [String; 3] {
        let day = |year: u32, month: u32, day: u32| format!("{year:04}-{month:02}-{day:02}");
        let span = |year: u32, first: u32, last: u32| {
            let next = if last == 12 { day(year + 1, 1, 1) } else { day(year, last + 1, 1) };
            [day(year, first, 1), day(year, last, last_day(year, last)), next]
        };
        match self {
            Self::Year(year) => span(year, 1, 12),
            Self::Quarter(year, quarter) => span(year, quarter * 3 - 2, quarter * 3),
            Self::Month(year, month) => span(year, month, month),
            Self::Day(year, month, date) => {
                let next = match (date < last_day(year, month), month) {
                    (true, _) => day(year, month, date + 1),
                    (false, 12) => day(year + 1, 1, 1),
                    (false, _) => day(year, month + 1, 1),
                };
                [day(year, month, date), day(year, month, date), next]
            }
        }
    }

    fn prefix(self) -> Option<String> {
        match self {
            Self::Year(year) => Some(format!("{year:04}")),
            Self::Month(year, month) => Some(format!("{year:04}-{month:02}")),
            Self::Quarter(..) | Self::Day(..) => None,
        }
    }
}

fn last_day(year: u32, month: u32) -> u32 {
    // Months of periods are between 1 and 12.
    days_in_month(year, month).unwrap_or(31)
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// Replaces a number and keeps a leading zero.
fn translate_number(constant: &str, own: u32, new: u32) -> Option<String> {
    if constant == own.to_string() {
        return Some(new.to_string());
    }
    (constant == format!("{own:02}")).then(|| format!("{new:02}"))
}
