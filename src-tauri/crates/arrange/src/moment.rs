//! Dates and times as the database wrote them, as points in time.

use crate::number::NO_PLACE;

const NANOS: i128 = 1_000_000_000;

/// The parts of a written date, optionally with a time.
pub(crate) struct Moment<'a> {
    pub(crate) year: i32,
    pub(crate) month: u32,
    pub(crate) day: u32,
    /// The time in its original notation; empty for a date.
    pub(crate) clock: &'a str,
    /// The zone in its original notation; empty without one.
    pub(crate) zone: &'a str,
}

/// Parses a date such as `2025-01-31` or `2025-01-31 10:22:33.5+02:00`.
pub(crate) fn parse_moment(text: &str) -> Option<Moment<'_>> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let (year, rest) = split_digits(rest, 4, 6)?;
    let (month, rest) = split_digits(rest.strip_prefix('-')?, 2, 2)?;
    let (day, rest) = split_digits(rest.strip_prefix('-')?, 2, 2)?;
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let date = Moment { year: sign * year as i32, month, day, clock: "", zone: "" };
    if rest.is_empty() {
        return Some(date);
    }
    let (clock, rest) = split_clock(rest.strip_prefix([' ', 'T'])?)?;
    Some(Moment { clock, zone: parse_zone(rest)?, ..date })
}

/// Splits a number of `least` to `most` digits from the start.
fn split_digits(text: &str, least: usize, most: usize) -> Option<(u32, &str)> {
    let length = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let number = text[..length].parse().ok().filter(|_| length >= least)?;
    Some((number, &text[length..]))
}

/// Splits a time such as `10:22:33.5` from the start.
fn split_clock(text: &str) -> Option<(&str, &str)> {
    let mut rest = after_two_digits(after_two_digits(text)?.strip_prefix(':')?)?;
    if let Some(seconds) = rest.strip_prefix(':').and_then(after_two_digits) {
        rest = seconds;
        if let Some((_, part)) = rest.strip_prefix('.').and_then(|part| split_digits(part, 1, 9)) {
            rest = part;
        }
    }
    Some(text.split_at(text.len() - rest.len()))
}

fn after_two_digits(text: &str) -> Option<&str> {
    split_digits(text, 2, 2).map(|(_, rest)| rest)
}

/// Parses the text after a time: a zone or nothing.
fn parse_zone(text: &str) -> Option<&str> {
    let zone = text.trim_start();
    let is_offset = || {
        let rest = split_digits(zone.strip_prefix(['+', '-'])?, 2, 2)?.1;
        let minutes = rest.strip_prefix(':').unwrap_or(rest);
        (rest.is_empty() || split_digits(minutes, 2, 2)?.1.is_empty()).then_some(())
    };
    (zone.is_empty() || zone == "Z" || zone == "UTC" || is_offset().is_some()).then_some(zone)
}

/// A point in time that can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TimePoint {
    /// Minus infinity, before all points in time.
    First,
    /// Nanoseconds since 1970 or since midnight.
    At(i128),
    /// Infinity, after all points in time.
    Last,
}

/// Parses a date, optionally with a time; `None` for other texts.
pub(crate) fn parse_instant(text: &str) -> Option<TimePoint> {
    match text {
        "infinity" => return Some(TimePoint::Last),
        "-infinity" => return Some(TimePoint::First),
        _ => {}
    }
    let Moment { year, month, day, clock, zone } = parse_moment(text)?;
    let days = days_until(year, month) + i128::from(day) - 1;
    Some(TimePoint::At(days * 86_400 * NANOS + clock_nanos(clock) - zone_offset(zone)))
}

/// Parses a time of day; `None` for other texts.
pub(crate) fn parse_time(text: &str) -> Option<TimePoint> {
    let (clock, rest) = split_clock(text)?;
    Some(TimePoint::At(clock_nanos(clock) - zone_offset(parse_zone(rest)?)))
}

/// Parses a point in time from the window: nanoseconds, `infinity` or `-infinity`.
pub(crate) fn parse_time_point(text: &str) -> Option<TimePoint> {
    match text {
        "infinity" => Some(TimePoint::Last),
        "-infinity" => Some(TimePoint::First),
        nanos => nanos.parse().ok().map(TimePoint::At),
    }
}

/// Returns a key whose byte order equals the order in time; values without a point in time come last.
pub(crate) fn sort_key(place: Option<TimePoint>) -> Vec<u8> {
    let (class, at) = match place {
        Some(TimePoint::First) => (0x00, 0),
        Some(TimePoint::At(at)) => (0x20, at),
        Some(TimePoint::Last) => (0x40, 0),
        None => (NO_PLACE, 0),
    };
    let mut key = vec![class];
    key.extend((at.cast_unsigned() ^ (1 << 127)).to_be_bytes());
    key
}

/// Returns the days from 1970 to the first of a month in the Gregorian calendar.
fn days_until(year: i32, month: u32) -> i128 {
    // Years start in March, so that the leap day is at the end.
    let year = i128::from(year) - i128::from(month < 3);
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((i128::from(month) + 9) % 12) + 2) / 5;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Returns the nanoseconds of a time such as `10:22:33.5`; 0 without one.
fn clock_nanos(clock: &str) -> i128 {
    let (whole, part) = clock.split_once('.').unwrap_or((clock, ""));
    let seconds = whole.split(':').chain(["0"; 3]).take(3).fold(0, |n, part| n * 60 + part.parse().unwrap_or(0));
    seconds * NANOS + format!("{part:0<9}").parse::<i128>().unwrap_or(0)
}

/// Returns the offset of a zone from UTC in nanoseconds.
fn zone_offset(zone: &str) -> i128 {
    let (sign, rest) = match zone.split_at_checked(1) {
        Some(("+", rest)) => (1, rest),
        Some(("-", rest)) => (-1, rest),
        _ => return 0,
    };
    let part = |at: usize| rest.get(at..at + 2).and_then(|part| part.parse::<i128>().ok());
    let minutes = part(if rest.contains(':') { 3 } else { 2 }).unwrap_or(0);
    sign * (part(0).unwrap_or(0) * 3600 + minutes * 60) * NANOS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_their_places() {
        let seconds = |text: &str| match parse_instant(text) {
            Some(TimePoint::At(at)) => Some(at / NANOS),
            _ => None,
        };
        assert_eq!(seconds("1970-01-01"), Some(0));
        assert_eq!(seconds("2000-03-01"), Some(951_868_800));
        assert_eq!(seconds("1969-12-31 23:59:59"), Some(-1));
        assert_eq!(seconds("2025-01-01 01:00:00+02:00"), seconds("2024-12-31T23:00:00Z"));
        assert_eq!(seconds("2025-01-01 01:00:00-0130"), seconds("2025-01-01 02:30"));
        assert_eq!(parse_instant("1970-01-01 00:00:00.5"), Some(TimePoint::At(500_000_000)));
        assert_eq!(seconds("0001-01-01"), Some(-62_135_596_800));
        assert_eq!([seconds("2025-13-01"), seconds("31.1.2025"), seconds("2025-01-01 noon")], [None; 3]);
        assert_eq!(parse_time("09:30"), Some(TimePoint::At(34_200 * NANOS)));
        assert_eq!(parse_time("nine"), None);
        assert!(
            parse_instant("-0044-03-15") < parse_instant("2024-12-31")
                && parse_instant("-infinity") < parse_instant("-0044-03-15")
        );
    }
}
