//! Days and periods of time dimensions, by the calendar of the definitions.

use super::compiler::Compiler;
use super::scope::Column;
use crate::definition::WeekDay;
use crate::grain::{Grain, Span};
use crate::problem::MetricError;
use vitrine_domain::views::Period;
use vitrine_sql::ColumnType;
use vitrine_words::tr;

impl WeekDay {
    /// Returns the number of days by which the week begins before Monday.
    fn days_before_monday(self) -> i64 {
        (7 - self as i64) % 7
    }
}

impl Compiler<'_, '_> {
    /// Converts a time dimension to local time.
    ///
    /// # Errors
    /// Fails if the column holds no dates, or if the dialect does not know time zones.
    pub fn local_time(&self, column: Column, dimension: &str) -> Result<Column, MetricError> {
        if !column.family.may_be_date() {
            return Err(MetricError::new(tr!(
                "The time dimension '{name}' has the type {kind}, which is not a date",
                name = dimension,
                kind = column.stored_type
            ))
            .with_hint(tr!("Set its column to an expression that converts it to a date")));
        }
        let calendar = &self.file.calendar;
        let Some(zone) = &calendar.time_zone else { return Ok(column) };
        if column.family == ColumnType::Date {
            return Ok(column);
        }
        let stored = calendar.stored_time_zone.as_deref().unwrap_or("UTC");
        if column.family != ColumnType::Timestamp {
            // Text and computed values may be times of either zone.
            if stored.eq_ignore_ascii_case(zone) {
                return Ok(column);
            }
            return Err(MetricError::new(tr!(
                "This database cannot convert '{name}' to the time zone {zone}",
                name = dimension,
                zone
            ))
            .with_hint(tr!("Set its column to an expression that converts it to a date")));
        }
        let zoned = self.sql().is_zoned_type(&column.stored_type);
        if !zoned && stored.eq_ignore_ascii_case(zone) {
            return Ok(column);
        }
        let local = self.sql().local_time(&column.sql, zone, stored, zoned).ok_or_else(|| {
            MetricError::new(tr!(
                "This database cannot convert '{name}' to the time zone {zone}",
                name = dimension,
                zone
            ))
            .with_hint(tr!("Remove time_zone from the calendar, or store local times"))
        })?;
        Ok(Column { sql: local, ..column })
    }

    /// Returns the first day of a moment's period.
    pub fn truncate(&self, moment: &Column, grain: Grain) -> String {
        let sql = self.sql();
        let back = self.file.calendar.week_start.days_before_monday();
        let shift = i64::from(self.file.calendar.fiscal_year_start) - 1;
        match grain {
            Grain::Week if back > 0 => {
                let day = sql.add_days(&sql.day_of(&moment.sql, moment.family), &back.to_string());
                sql.add_days(&sql.first_day(&day, Period::Week, ColumnType::Date), &format!("(-{back})"))
            }
            Grain::FiscalQuarter | Grain::FiscalYear if shift > 0 => {
                let month = sql.first_day(&moment.sql, Period::Month, moment.family);
                let earlier = sql.add_months(&month, -shift);
                sql.add_months(&sql.first_day(&earlier, grain.period(), ColumnType::Date), shift)
            }
            _ => sql.first_day(&moment.sql, grain.period(), moment.family),
        }
    }

    /// Returns the day of a moment, moved forward by a span.
    pub fn shifted_day(&self, moment: &Column, shift: Option<Span>) -> Column {
        let sql = self.sql();
        let day = sql.day_of(&moment.sql, moment.family);
        let shifted = match shift.map(|span| (span.days(), span.months())) {
            Some((Some(days), _)) => sql.add_days(&day, &days.to_string()),
            Some((_, Some(months))) => sql.add_months(&day, months),
            _ => day,
        };
        Column { sql: shifted, family: ColumnType::Date, stored_type: String::new() }
    }

    /// Returns the first day of the period that a moment belongs to after it is moved forward by a span.
    ///
    /// # Errors
    /// Fails if a span of months moves days or weeks, because months differ in length.
    pub fn shifted_period(&self, moment: &Column, grain: Grain, shift: Option<Span>) -> Result<String, MetricError> {
        let Some(span) = shift else { return Ok(self.truncate(moment, grain)) };
        let Some(months) = span.months() else { return Ok(self.truncate(&self.shifted_day(moment, shift), grain)) };
        if grain.months().is_none() {
            return Err(MetricError::new(tr!(
                "Values by {grain} cannot be compared with those of {span} before, because months differ in length",
                grain = grain.name(),
                span
            ))
            .with_hint(tr!("Group by month, quarter or year, or compare with a number of days or weeks before")));
        }
        let sql = self.sql();
        let month = sql.first_day(&moment.sql, Period::Month, moment.family);
        let moved =
            Column { sql: sql.add_months(&month, months), family: ColumnType::Date, stored_type: String::new() };
        Ok(self.truncate(&moved, grain))
    }

    /// Returns the day at the beginning of a window that ends with a day; the window excludes it.
    pub fn window_start(&self, day: &str, window: Span) -> String {
        match (window.days(), window.months()) {
            (Some(days), _) => self.sql().add_days(day, &format!("(-{days})")),
            (_, months) => self.sql().add_months(day, -months.unwrap_or(0)),
        }
    }
}
