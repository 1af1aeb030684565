//! Due times in the time zone of this computer. A time that a clock change skips is moved to after the gap, and a time
//! that occurs twice is due the first time.

use jiff::civil::{Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use vitrine_domain::{AppError, ErrorCode};
use vitrine_store::{WatchInterval, WatchPlan};
use vitrine_words::{format_date, tr};

/// Returns the time zone of this computer.
pub(super) fn local_zone() -> TimeZone {
    TimeZone::system()
}

/// Returns the first scheduled time after `since`.
///
/// # Errors
/// When the time is beyond the calendar.
pub(super) fn find_next_due(plan: &WatchPlan, since: Timestamp, zone: &TimeZone) -> Result<Timestamp, AppError> {
    let next = match plan.interval {
        WatchInterval::Hour => next_full_hour(since, zone),
        WatchInterval::Day => next_at_time(plan, since, zone, None),
        WatchInterval::Week => next_at_time(plan, since, zone, Some(weekday_from(plan.weekday))),
    };
    next.map_err(|error| {
        AppError::new(ErrorCode::Internal, tr!("The next time of this watched answer cannot be computed"))
            .with_hint(tr!("Check the clock and the time zone of this computer"))
            .with_detail(error)
    })
}

/// Returns the next time at which the minutes and seconds of the local clock are 0.
fn next_full_hour(since: Timestamp, zone: &TimeZone) -> Result<Timestamp, jiff::Error> {
    let into_hour = |at: Timestamp| {
        let local = at.to_zoned(zone.clone());
        SignedDuration::from_secs(i64::from(local.minute()) * 60 + i64::from(local.second()))
    };
    let whole_seconds = Timestamp::from_second(since.as_second())?;
    let next = whole_seconds.checked_sub(into_hour(whole_seconds))?.checked_add(1.hour())?;
    let beyond = into_hour(next);
    // A clock change of half an hour moves the full hour.
    if beyond.is_zero() { Ok(next) } else { next.checked_sub(beyond)?.checked_add(1.hour()) }
}

fn next_at_time(
    plan: &WatchPlan,
    since: Timestamp,
    zone: &TimeZone,
    weekday: Option<Weekday>,
) -> Result<Timestamp, jiff::Error> {
    let time = Time::new((plan.minute / 60) as i8, (plan.minute % 60) as i8, 0, 0)?;
    let mut date = since.to_zoned(zone.clone()).date();
    loop {
        if weekday.is_none_or(|weekday| date.weekday() == weekday) {
            let next = zone.to_ambiguous_zoned(date.to_datetime(time)).compatible()?.timestamp();
            if next > since {
                return Ok(next);
            }
        }
        date = date.tomorrow()?;
    }
}

fn weekday_from(number: u8) -> Weekday {
    Weekday::from_monday_zero_offset(number as i8 % 7).unwrap_or(Weekday::Monday)
}

/// Parses a stored time.
pub(super) fn parse_stored(text: &str) -> Result<Timestamp, AppError> {
    text.parse::<Timestamp>().map_err(|error| {
        AppError::new(ErrorCode::Internal, tr!("A stored time cannot be read: {text}", text)).with_detail(error)
    })
}

/// Parses the stored time after which a run is due. A time in the future comes from a wrong clock and counts as now; so does
/// one that cannot be read.
pub(super) fn parse_since(text: &str, now: Timestamp) -> Timestamp {
    parse_stored(text).map_or(now, |since| since.min(now))
}

/// Parses a time that a user typed: local, such as `2026-12-01T08:00`, or with an offset.
pub(super) fn parse_typed(text: &str, zone: &TimeZone) -> Result<Timestamp, AppError> {
    let text = text.trim();
    let refused = |error: jiff::Error| {
        AppError::new(ErrorCode::Usage, tr!("'{text}' is not a time", text))
            .with_hint(tr!("Write it as 2026-12-01T08:00"))
            .with_detail(error)
    };
    if let Ok(exact) = text.parse::<Timestamp>() {
        return Ok(exact);
    }
    let local: jiff::civil::DateTime = text.parse().map_err(refused)?;
    Ok(zone.to_ambiguous_zoned(local).compatible().map_err(refused)?.timestamp())
}

/// Formats a time as stored: RFC 3339, UTC, with milliseconds.
pub(super) fn format_stored(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// Formats a time for the user in a time zone: "2026-12-01 08:00".
pub(super) fn format_local(at: Timestamp, zone: &TimeZone) -> String {
    let local = at.to_zoned(zone.clone());
    format!("{} {}", format_date(&local.strftime("%Y-%m-%d").to_string()), local.strftime("%H:%M"))
}

#[cfg(test)]
mod tests;
