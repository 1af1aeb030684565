//! Periods of time as first and last days.

use chrono::{Datelike, Days, Months, NaiveDate};
use vitrine_metrics::{Grain, WeekDay};
use vitrine_words::tr;

/// A period of time; a missing bound is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Period {
    pub from: Option<NaiveDate>,
    pub to: Option<NaiveDate>,
    /// The grain if the period is exactly one of its periods.
    pub unit: Option<Grain>,
}

impl Period {
    /// Creates the period of a grain that contains a day, moved by a number of periods.
    pub fn containing(day: NaiveDate, grain: Grain, moved: i32, week_start: WeekDay) -> Option<Self> {
        let first = first_day(day, grain, week_start)?;
        let from = move_by(first, grain, moved)?;
        Self::from_first(from, grain)
    }

    /// Creates the period of a grain that begins on a day.
    pub fn from_first(from: NaiveDate, grain: Grain) -> Option<Self> {
        let to = move_by(from, grain, 1)?.pred_opt()?;
        Some(Self { from: Some(from), to: Some(to), unit: Some(grain) })
    }

    /// Creates a year.
    pub fn year(year: i32) -> Option<Self> {
        Self::from_first(NaiveDate::from_ymd_opt(year, 1, 1)?, Grain::Year)
    }

    /// Creates a quarter from 1 to 4.
    pub fn quarter(year: i32, quarter: u32) -> Option<Self> {
        Self::from_first(NaiveDate::from_ymd_opt(year, quarter.checked_mul(3)?.checked_sub(2)?, 1)?, Grain::Quarter)
    }

    /// Creates a month from 1 to 12.
    pub fn month(year: i32, month: u32) -> Option<Self> {
        Self::from_first(NaiveDate::from_ymd_opt(year, month, 1)?, Grain::Month)
    }

    /// Creates half a year, 1 or 2.
    pub fn half(year: i32, half: u32) -> Option<Self> {
        let from = NaiveDate::from_ymd_opt(year, half.checked_mul(6)?.checked_sub(5)?, 1)?;
        let to = from.checked_add_months(Months::new(6))?.pred_opt()?;
        Some(Self { from: Some(from), to: Some(to), unit: None })
    }

    /// Creates a day.
    pub fn day(day: NaiveDate) -> Self {
        Self { from: Some(day), to: Some(day), unit: Some(Grain::Day) }
    }

    /// Creates a range from the first day of one period to the last day of another.
    pub fn range(first: Self, last: Self) -> Option<Self> {
        let (from, to) = (first.from?, last.to?);
        (from <= last.from? && first.to? <= to).then_some(Self { from: Some(from), to: Some(to), unit: None })
    }

    /// Describes the period with its days.
    pub fn describe(&self) -> String {
        match (self.from, self.to) {
            (Some(from), Some(to)) if from == to => from.to_string(),
            (Some(from), Some(to)) => tr!("{from} to {to}", from, to),
            (Some(from), None) => tr!("from {from}", from),
            (None, Some(to)) => tr!("until {to}", to),
            (None, None) => String::new(),
        }
    }
}

/// Returns the first day of the period that contains a day. Fiscal periods depend on the calendar and have none here.
fn first_day(day: NaiveDate, grain: Grain, week_start: WeekDay) -> Option<NaiveDate> {
    match grain {
        Grain::Day => Some(day),
        Grain::Week => {
            let back = (day.weekday().num_days_from_monday() + 7 - week_start as u32) % 7;
            day.checked_sub_days(Days::new(back.into()))
        }
        Grain::Month => day.with_day(1),
        Grain::Quarter => NaiveDate::from_ymd_opt(day.year(), day.month0() / 3 * 3 + 1, 1),
        Grain::Year => NaiveDate::from_ymd_opt(day.year(), 1, 1),
        Grain::FiscalQuarter | Grain::FiscalYear => None,
    }
}

/// Moves the first day of a period by a number of periods.
pub(crate) fn move_by(day: NaiveDate, grain: Grain, count: i32) -> Option<NaiveDate> {
    let days = |length: u64| {
        let days = Days::new(u64::from(count.unsigned_abs()) * length);
        if count < 0 { day.checked_sub_days(days) } else { day.checked_add_days(days) }
    };
    let months = |length: u32| {
        let months = Months::new(count.unsigned_abs().checked_mul(length)?);
        if count < 0 { day.checked_sub_months(months) } else { day.checked_add_months(months) }
    };
    match grain {
        Grain::Day => days(1),
        Grain::Week => days(7),
        Grain::Month => months(1),
        Grain::Quarter => months(3),
        Grain::Year => months(12),
        Grain::FiscalQuarter | Grain::FiscalYear => None,
    }
}
