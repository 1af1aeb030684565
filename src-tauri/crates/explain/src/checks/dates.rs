//! Checks date ranges: the last day of a range over timestamps, and days without data.

use super::filters::Filter;
use super::flow::{Flow, column_said};
use chrono::{Days, NaiveDate};
use vitrine_domain::{ExplanationCheck, capitalize_first};
use vitrine_sql::facts::Comparison;
use vitrine_sql_steps::Origin;
use vitrine_words::{plural, tr};

/// A range of days to which a filter limits a column.
struct Range<'a> {
    origin: &'a Origin,
    first: NaiveDate,
    last: NaiveDate,
}

impl Flow<'_> {
    /// Reports events on the last day of a range such as `BETWEEN '2024-01-01' AND '2024-01-31'`, which ends at
    /// midnight and excludes them.
    pub(super) fn last_day(&self, filter: &Filter<'_>) -> Option<ExplanationCheck> {
        let ends = |comparison: &Comparison| match comparison.operator {
            "<=" | "between" if comparison.is_column => parse_day(comparison.constants.last()?.as_text()),
            _ => None,
        };
        let (place, asked, value, day) = filter.condition_pairs().enumerate().find_map(|(place, (asked, run))| {
            let comparison = run.comparison.as_ref()?;
            Some((place, asked, &comparison.value, ends(comparison)?))
        })?;
        let next = day.checked_add_days(Days::new(1))?;
        let others =
            filter.condition_pairs().enumerate().filter(|(other, _)| *other != place).map(|(_, (_, run))| &run.text);
        let (after, before) = (format!("{value} > '{day}'"), format!("{value} < '{next}'"));
        let conditions: Vec<&str> = others.map(String::as_str).chain([after.as_str(), before.as_str()]).collect();
        let missing = self.request_number(filter.count_query(&conditions))?;
        let text = plural!(
            missing,
            "{n} row of {day} is left out: the range ends at the start of that day, and {column} has times",
            "{n} rows of {day} are left out: the range ends at the start of that day, and {column} has times",
            day,
            column = column_said(self.origin_of(asked, value)?)
        );
        (missing > 0).then(|| self.build_check(filter.at, "last-day", true, text))
    }

    /// Reports a range if the data covers less than half of it.
    pub(super) fn beyond_data(&self, filter: &Filter<'_>) -> Option<ExplanationCheck> {
        let range = self.bounded_range(filter)?;
        let known = self.known_whole(range.origin)?;
        let (first, last) = (parse_timestamp_day(known.min.as_ref()?)?, parse_timestamp_day(known.max.as_ref()?)?);
        let days = |from: NaiveDate, to: NaiveDate| (to - from).num_days() + 1;
        let covered = days(range.first.max(first), range.last.min(last));
        let text = tr!(
            "{column} has data only from {first} to {last}, but the query asks for {from} to {to}",
            column = capitalize_first(&column_said(range.origin)),
            first,
            last,
            from = range.first,
            to = range.last
        );
        let missing = days(range.first, range.last) - covered;
        // "Between 1900 and 1950" often means up to 1950; an early end of the data is rarely intended.
        let ends_early = days(last, range.last) > 31;
        let told = covered > 0 && missing > 31 && missing >= covered;
        told.then(|| self.build_check(filter.at, "beyond-data", ends_early, text))
    }

    /// Reports the range of the data if the filter's conditions on a date column keep no rows, even if their bounds are
    /// computed ("last month").
    pub(super) fn days_of_data(&self, filter: &Filter<'_>) -> Option<ExplanationCheck> {
        let days = |origin: &Origin| {
            let known = self.column_profile(origin)?;
            Some((parse_timestamp_day(known.min.as_ref()?)?, parse_timestamp_day(known.max.as_ref()?)?))
        };
        let (origin, (first, last)) = filter
            .asked
            .iter()
            .filter(|asked| asked.columns.len() == 1)
            .find_map(|asked| Some((&asked.columns[0], days(&asked.columns[0])?)))?;
        let of_column =
            filter.condition_pairs().filter(|(asked, _)| asked.columns.as_slice() == std::slice::from_ref(origin));
        let conditions: Vec<&str> = of_column.map(|(_, run)| run.text.as_str()).collect();
        let is_outside = self.request_number(filter.count_query(&conditions))? == 0;
        let column = capitalize_first(&column_said(origin));
        let text = tr!("{column} has data only from {first} to {last}", column, first, last);
        is_outside.then(|| self.build_check(filter.at, "beyond-data", false, text))
    }

    /// Returns the range of the only column that the filter bounds by days.
    fn bounded_range<'f>(&self, filter: &'f Filter<'_>) -> Option<Range<'f>> {
        let (mut first, mut last, mut column): (Option<NaiveDate>, Option<NaiveDate>, Option<&Origin>) =
            Default::default();
        for (asked, run) in filter.condition_pairs() {
            let Some(comparison) = run.comparison.as_ref().filter(|comparison| comparison.is_column) else { continue };
            let days: Vec<NaiveDate> =
                comparison.constants.iter().filter_map(|c| parse_timestamp_day(c.as_text())).collect();
            match (comparison.operator, days.as_slice()) {
                (">" | ">=", [day]) => first = Some(*day),
                ("<" | "<=", [day]) => last = Some(*day),
                ("between", [from, to]) => (first, last) = (Some(*from), Some(*to)),
                _ => continue,
            }
            let origin = self.origin_of(asked, &comparison.value)?;
            if column.is_some_and(|known| known != origin) {
                return None;
            }
            column = Some(origin);
        }
        Some(Range { origin: column?, first: first?, last: last? })
    }
}

/// Parses a day without a time.
fn parse_day(text: &str) -> Option<NaiveDate> {
    (text.len() == 10).then(|| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()).flatten()
}

/// Parses the day of a timestamp.
fn parse_timestamp_day(text: &str) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(text.get(..10)?, "%Y-%m-%d").ok()
}
