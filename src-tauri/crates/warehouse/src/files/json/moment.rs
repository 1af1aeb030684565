//! Dates and times in JSON files: ISO 8601.

/// The kind of date or time that a text contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    Date,
    Time,
    /// A date and a time without a time zone.
    Local,
    /// A date and a time with an offset from UTC in minutes.
    Zoned(i32),
}

/// Parses a date, a time or both; returns `None` for other texts and for times finer than a microsecond, the engine's
/// resolution.
pub(super) fn parse_moment(text: &str) -> Option<Moment> {
    if text.len() < 8 || text.len() > 40 || !text.is_ascii() {
        return None;
    }
    match text.as_bytes().get(10) {
        None if text.len() == 10 => parse_date(text).map(|_| Moment::Date),
        Some(b'T' | b' ') => {
            parse_date(&text[..10])?;
            let (clock, offset) = split_offset(&text[11..])?;
            validate_time(clock, false)?;
            Some(offset.map_or(Moment::Local, Moment::Zoned))
        }
        _ if text.as_bytes()[2] == b':' => validate_time(text, true).map(|()| Moment::Time),
        _ => None,
    }
}

/// Converts a time with an offset to UTC, in the engine's text form.
pub(super) fn in_utc(text: &str) -> Option<String> {
    let days = parse_date(text.get(..10)?)?;
    let (clock, offset) = split_offset(text.get(11..)?)?;
    let minutes = parse_digits(clock.get(..2)?)? * 60 + parse_digits(clock.get(3..5)?)? - i64::from(offset?);
    let (days, minutes) = (days + minutes.div_euclid(1440), minutes.rem_euclid(1440));
    let (year, month, day) = civil_from_days(days);
    // Offsets have whole minutes, so seconds and fractions are unchanged.
    let rest = &clock[5..];
    (1..=9999)
        .contains(&year)
        .then(|| format!("{year:04}-{month:02}-{day:02} {:02}:{:02}{rest}", minutes / 60, minutes % 60))
}

/// Splits a text into the time and its offset in minutes, if it has one.
fn split_offset(text: &str) -> Option<(&str, Option<i32>)> {
    if let Some(clock) = text.strip_suffix(['Z', 'z']) {
        return Some((clock, Some(0)));
    }
    let Some(at) = text.find(['+', '-']) else { return Some((text, None)) };
    let (clock, offset) = text.split_at(at);
    let (sign, digits) = offset.split_at(1);
    let digits = digits.replace(':', "");
    let (hours, minutes) = match digits.len() {
        2 => (parse_digits(&digits)?, 0),
        4 if offset.len() == 5 || offset.as_bytes()[3] == b':' => {
            (parse_digits(&digits[..2])?, parse_digits(&digits[2..])?)
        }
        _ => return None,
    };
    let offset = (hours * 60 + minutes) as i32;
    (hours <= 15 && minutes < 60).then_some((clock, Some(if sign == "-" { -offset } else { offset })))
}

fn validate_time(text: &str, with_seconds: bool) -> Option<()> {
    let bytes = text.as_bytes();
    let (hours, minutes) = (parse_digits(text.get(..2)?)?, parse_digits(text.get(3..5)?)?);
    if bytes[2] != b':' || hours > 23 || minutes > 59 {
        return None;
    }
    match text.get(5..)? {
        "" => (!with_seconds).then_some(()),
        rest => {
            let seconds = parse_digits(rest.strip_prefix(':')?.get(..2)?)?;
            let fraction = match &rest[3..] {
                "" => "",
                fraction => fraction.strip_prefix('.').filter(|digits| !digits.is_empty())?,
            };
            let is_kept = fraction.bytes().all(|b| b.is_ascii_digit()) && fraction.trim_end_matches('0').len() <= 6;
            (seconds < 60 && is_kept).then_some(())
        }
    }
}

/// Parses an existing date and returns its days since 1970.
fn parse_date(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let (year, month, day) =
        (parse_digits(text.get(..4)?)?, parse_digits(text.get(5..7)?)?, parse_digits(text.get(8..10)?)?);
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' || year == 0 || !(1..=12).contains(&month) {
        return None;
    }
    let days = days_from_civil(year, month, day);
    (day > 0 && civil_from_days(days) == (year, month, day)).then_some(days)
}

fn parse_digits(text: &str) -> Option<i64> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// Returns the days since 1970; the computation starts years in March, so that a leap day is the last day.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month > 2 { year } else { year - 1 };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Returns year, month and day for a number of days since 1970.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let years = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * years + years / 4 - years / 100);
    let months = (5 * of_year + 2) / 153;
    let month = (months + 2) % 12 + 1;
    (era * 400 + years + i64::from(month <= 2), month, of_year - (153 * months + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_are_told_apart() {
        for (text, moment) in [
            ("2024-02-29", Some(Moment::Date)),
            ("2023-02-29", None),
            ("0000-00-00", None),
            ("2024-1-31", None),
            ("10:00:59", Some(Moment::Time)),
            ("24:00:00", None),
            ("2024-01-31T10:00:00", Some(Moment::Local)),
            ("2024-01-31 10:00", Some(Moment::Local)),
            ("2024-01-31T10:00:00.123456Z", Some(Moment::Zoned(0))),
            ("2024-01-31T10:00:00.1234567Z", None),
            ("2024-01-31T10:00:00.1234560Z", Some(Moment::Zoned(0))),
            ("2024-01-31T10:00:00+05:30", Some(Moment::Zoned(330))),
            ("2024-01-31T10:00:00-0800", Some(Moment::Zoned(-480))),
            ("2024-01-31T10:00:00-08", Some(Moment::Zoned(-480))),
            ("2024-01-31Tnoon!", None),
            ("12345678", None),
            ("2024-01-31x", None),
        ] {
            assert_eq!(parse_moment(text), moment, "{text}");
        }
    }

    #[test]
    fn an_offset_is_taken_off() {
        for (text, utc) in [
            ("2024-01-01T01:30:00+02:00", "2023-12-31 23:30:00"),
            ("2024-02-28T20:00:00.5-08:00", "2024-02-29 04:00:00.5"),
            ("2024-03-01 00:00Z", "2024-03-01 00:00"),
            ("2100-02-28T23:59:59-00:01", "2100-03-01 00:00:59"),
        ] {
            assert_eq!(in_utc(text).as_deref(), Some(utc));
        }
    }
}
