//! Dates and timestamps of results, which engines and CSV files write in different forms.

const SECOND: i128 = 1_000_000_000;
const DAY: i128 = 86_400 * SECOND;

/// Parses a date, or a date with a time, as nanoseconds since 1970-01-01: `2024-02-29`, `2024-02-29 10:00:00.5`,
/// `2024-02-29T10:00:00+01:00`, `2024-02-29 10:00:00 UTC`. A time without a zone is taken as UTC, and a date as
/// midnight, because pandas omits a midnight in CSV files.
pub(super) fn parse_moment(text: &str) -> Option<i128> {
    let (date, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut parts = date.splitn(3, '-');
    let (year, month, day) = (number(parts.next()?, 4)?, number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    if !(1..=12).contains(&month) || !(1..=days_in_month(year, month)).contains(&day) {
        return None;
    }
    let nanoseconds = time.map_or(Some(0), parse_time)?;
    Some(days_since_epoch(year, month, day) * DAY + nanoseconds)
}

fn parse_time(text: &str) -> Option<i128> {
    let (clock, zone) = match text.find(['Z', 'U', ' ', '+', '-']) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let offset = match zone.trim() {
        "" | "Z" | "UTC" => 0,
        zone => {
            let (sign, digits) = match zone.split_at_checked(1)? {
                ("+", digits) => (1, digits),
                ("-", digits) => (-1, digits),
                _ => return None,
            };
            let (hours, minutes) = digits.split_once(':').unwrap_or((digits, "00"));
            sign * (number(hours, 2)? * 60 + number(minutes, 2)?) * 60
        }
    };
    let mut parts = clock.splitn(3, ':');
    let (hours, minutes) = (number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    let (seconds, fraction) = match parts.next() {
        None => (0, 0),
        Some(seconds) => {
            let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, ""));
            let digits: String = fraction.chars().chain("000000000".chars()).take(9).collect();
            (number(whole, 2)?, number(&digits, 9)?)
        }
    };
    (hours < 24 && minutes < 60 && seconds < 60)
        .then(|| ((hours * 60 + minutes) * 60 + seconds - offset) * SECOND + fraction)
}

/// Parses exactly this many digits.
fn number(text: &str, digits: usize) -> Option<i128> {
    (text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

fn is_leap(year: i128) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in_month(year: i128, month: i128) -> i128 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn days_since_epoch(year: i128, month: i128, day: i128) -> i128 {
    let before = year - 1;
    let leap_days = before / 4 - before / 100 + before / 400;
    let in_year: i128 = (1..month).map(|month| days_in_month(year, month)).sum();
    before * 365 + leap_days + in_year + day - 719_163
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_moment_has_many_forms() {
        let at = |text: &str| parse_moment(text);
        assert_eq!((at("1970-01-01"), at("1970-01-02 00:00:01")), (Some(0), Some(DAY + SECOND)));
        assert_eq!(at("2024-03-01"), Some(19_783 * DAY));
        for form in
            ["2011-06-12T00:00:00", "2011-06-12 00:00:00.000000 UTC", "2011-06-12 01:00:00+01:00", "2011-06-12 00:00Z"]
        {
            assert_eq!(at(form), at("2011-06-12"), "{form}");
        }
        assert_eq!(at("2010-08-09 08:04:24.123"), at("2010-08-09T08:04:24.123000Z"));
        for other in ["2023-02-29", "2024-13-01", "2024-01", "20240101", "2024-01-01 25:00:00", "2024-01-01 noon", ""] {
            assert_eq!(at(other), None, "{other}");
        }
    }
}
