//! Periods of time dimensions, and spans such as `7 days`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use vitrine_domain::views::Period;
use vitrine_words::tr;

/// The period of a time dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grain {
    /// A day of the calendar.
    #[default]
    Day,
    /// A week, from the calendar's first day of the week.
    Week,
    /// A month of the calendar.
    Month,
    /// A quarter from January, April, July or October.
    Quarter,
    /// A year from January.
    Year,
    /// A quarter of the fiscal year.
    FiscalQuarter,
    /// A fiscal year, named by its first day.
    FiscalYear,
}

impl Grain {
    /// All grains, the shortest first.
    pub const ALL: [Grain; 7] =
        [Grain::Day, Grain::Week, Grain::Month, Grain::Quarter, Grain::Year, Grain::FiscalQuarter, Grain::FiscalYear];

    /// Returns the name of the grain, as in the names of dimensions.
    pub fn name(self) -> &'static str {
        match self {
            Grain::Day => "day",
            Grain::Week => "week",
            Grain::Month => "month",
            Grain::Quarter => "quarter",
            Grain::Year => "year",
            Grain::FiscalQuarter => "fiscal_quarter",
            Grain::FiscalYear => "fiscal_year",
        }
    }

    /// Parses the name of a grain, in any case.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|grain| grain.name().eq_ignore_ascii_case(name))
    }

    /// Returns the calendar period that the grain is computed from.
    pub(crate) fn period(self) -> Period {
        match self {
            Grain::Day => Period::Day,
            Grain::Week => Period::Week,
            Grain::Month => Period::Month,
            Grain::Quarter | Grain::FiscalQuarter => Period::Quarter,
            Grain::Year | Grain::FiscalYear => Period::Year,
        }
    }

    /// Returns a number that orders periods by their length.
    pub(crate) fn length(self) -> i64 {
        match self.months() {
            Some(months) => months * 28,
            None if self == Grain::Week => 7,
            None => 1,
        }
    }

    /// Returns the number of months in the period; `None` for days and weeks.
    pub(crate) fn months(self) -> Option<i64> {
        match self {
            Grain::Day | Grain::Week => None,
            Grain::Month => Some(1),
            Grain::Quarter | Grain::FiscalQuarter => Some(3),
            Grain::Year | Grain::FiscalYear => Some(12),
        }
    }
}

/// A length of time, such as `7 days` or `1 month`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The number of periods, 1 or more.
    pub count: u32,
    /// The period: day, week, month, quarter or year.
    pub grain: Grain,
}

impl Span {
    /// Parses `7 days`, `1 month` or `month`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let first = words.next()?;
        let (count, unit) = match first.parse::<u32>() {
            Ok(count) => (count, words.next()?),
            Err(_) => (1, first),
        };
        let unit = unit.to_ascii_lowercase();
        let grain = Grain::parse(&unit).or_else(|| Grain::parse(unit.strip_suffix('s')?))?;
        let is_fiscal = matches!(grain, Grain::FiscalQuarter | Grain::FiscalYear);
        (words.next().is_none() && count > 0 && count <= 36_600 && !is_fiscal).then_some(Self { count, grain })
    }

    /// Returns the number of days; `None` for spans of months or more.
    pub(crate) fn days(self) -> Option<i64> {
        match self.grain {
            Grain::Day => Some(self.count.into()),
            Grain::Week => Some(i64::from(self.count) * 7),
            _ => None,
        }
    }

    /// Returns the number of months; `None` for spans of days and weeks.
    pub(crate) fn months(self) -> Option<i64> {
        self.grain.months().map(|months| months * i64::from(self.count))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.count, self.grain.name(), if self.count == 1 { "" } else { "s" })
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text)
            .ok_or_else(|| serde::de::Error::custom(tr!("'{text}' is not a length of time such as: 7 days", text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_a_number_and_a_period() {
        for (text, shown) in
            [("7 days", "7 days"), ("1 month", "1 month"), ("quarter", "1 quarter"), ("2 Weeks", "2 weeks")]
        {
            assert_eq!(Span::parse(text).unwrap().to_string(), shown);
        }
        for wrong in ["", "0 days", "7", "seven days", "7 days ago", "1 fiscal_year", "1 hour", "-1 day"] {
            assert_eq!(Span::parse(wrong), None, "{wrong}");
        }
    }
}
