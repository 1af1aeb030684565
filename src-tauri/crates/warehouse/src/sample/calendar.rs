//! Dates as days since 1970-01-01, proleptic Gregorian.

use duckdb::types::Value;

/// A date as days since 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Day(pub i32);

impl Day {
    /// Returns the day of a date.
    pub(super) fn new(year: i32, month: u32, day: u32) -> Self {
        let y = if month <= 2 { year - 1 } else { year };
        let era = y.div_euclid(400);
        let yoe = y.rem_euclid(400);
        let doy = (153 * (month as i32 + if month > 2 { -3 } else { 9 }) + 2) / 5 + day as i32 - 1;
        let doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
        Self(era * 146_097 + doe - 719_468)
    }

    /// Returns year, month and day of the month.
    pub(super) fn year_month_day(self) -> (i32, u32, u32) {
        let z = self.0 + 719_468;
        let era = z.div_euclid(146_097);
        let doe = z.rem_euclid(146_097);
        let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
        let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
        let mp = (5 * doy + 2) / 153;
        let day = (doy - (153 * mp + 2) / 5 + 1) as u32;
        let month = if mp < 10 { mp + 3 } else { mp - 9 } as u32;
        (yoe + era * 400 + i32::from(month <= 2), month, day)
    }

    /// Returns the day of the week; 0 is Monday.
    pub(super) fn weekday(self) -> usize {
        (self.0 + 3).rem_euclid(7) as usize
    }

    /// Returns the date a number of days later.
    pub(super) fn add_days(self, days: i64) -> Self {
        Self(self.0 + days as i32)
    }

    /// Formats the date in the order day, month, year: `31/12/2023`.
    pub(super) fn day_first(self) -> String {
        let (year, month, day) = self.year_month_day();
        format!("{day:02}/{month:02}/{year}")
    }

    /// Converts the date to a DATE value.
    pub(super) fn to_value(self) -> Value {
        Value::Date32(self.0)
    }
}
