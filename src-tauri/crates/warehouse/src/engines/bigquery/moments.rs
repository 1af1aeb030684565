//! Dates, times and intervals in BigQuery's text form, parsed without loss.

use arrow::datatypes::IntervalMonthDayNano;

const MICROSECONDS: i64 = 1_000_000;
const DAY: i64 = 86_400 * MICROSECONDS;

/// Parses `2024-02-29` into days since 1970.
pub(super) fn parse_date(text: &str) -> Option<i32> {
    let mut parts = text.splitn(3, '-');
    let mut number = || parts.next()?.parse::<i32>().ok();
    let (year, month, day) = (number()?, number()?, number()?);
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Counts days from years that begin in March, in eras of 400 years, so that the leap day is the last of a year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// Parses `12:34:56.789` into microseconds since midnight.
pub(super) fn parse_time(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, ':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    let whole = |text: &str, most: i64| text.parse::<i64>().ok().filter(|number| (0..=most).contains(number));
    let (seconds, micros) = split_fraction(seconds, 6)?;
    Some(((whole(hours, 23)? * 60 + whole(minutes, 59)?) * 60 + whole(seconds, 60)?) * MICROSECONDS + micros)
}

/// Parses `2024-02-29T23:59:59.000001` into microseconds since 1970.
pub(super) fn parse_datetime(text: &str) -> Option<i64> {
    let (day, clock) = text.split_once(['T', ' '])?;
    Some(i64::from(parse_date(day)?) * DAY + parse_time(clock)?)
}

/// Parses `1-2 3 -4:5:6.7`: years and months; days; hours, minutes and seconds; each group with its own sign.
pub(super) fn parse_interval(text: &str) -> Option<IntervalMonthDayNano> {
    let mut parts = text.split(' ');
    let (months, days, clock) = (parts.next()?, parts.next()?, parts.next()?);
    let (sign, months) = split_sign(months);
    let (years, months) = months.split_once('-')?;
    let months = sign * (years.parse::<i64>().ok()? * 12 + months.parse::<i64>().ok()?);
    let (sign, clock) = split_sign(clock);
    let mut clock = clock.splitn(3, ':');
    let (hours, minutes, seconds) = (clock.next()?, clock.next()?, clock.next()?);
    let (seconds, nanos) = split_fraction(seconds, 9)?;
    let whole = |text: &str| text.parse::<i64>().ok().filter(|number| *number >= 0);
    let seconds = (whole(hours)?.checked_mul(60)? + whole(minutes)?).checked_mul(60)? + whole(seconds)?;
    let nanos = seconds.checked_mul(1_000_000_000)?.checked_add(nanos)?;
    Some(IntervalMonthDayNano::new(months.try_into().ok()?, days.parse().ok()?, sign * nanos))
}

fn split_sign(text: &str) -> (i64, &str) {
    text.strip_prefix('-').map_or((1, text), |rest| (-1, rest))
}

/// Splits a time into whole seconds and its fraction in units of 10^-`digits`. Returns `None` if the fraction is not
/// exact in these units.
fn split_fraction(text: &str, digits: usize) -> Option<(&str, i64)> {
    let Some((whole, part)) = text.split_once('.') else { return Some((text, 0)) };
    if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (kept, rest) = part.split_at_checked(digits).unwrap_or((part, ""));
    if rest.bytes().any(|byte| byte != b'0') {
        return None;
    }
    Some((whole, format!("{kept:0<digits$}").parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times_are_exact() {
        for (text, days) in
            [("1970-01-01", 0), ("2024-02-29", 19_782), ("0001-01-01", -719_162), ("9999-12-31", 2_932_896)]
        {
            assert_eq!(parse_date(text), Some(days), "{text}");
        }
        for text in ["0000-01-01", "2024-13-01", "2024-01", "x"] {
            assert_eq!(parse_date(text), None, "{text}");
        }
        assert_eq!(parse_time("12:34:56.789"), Some(45_296_789_000));
        assert_eq!(parse_time("12:34:56.7891234"), None);
        assert_eq!(parse_datetime("1969-12-31T23:59:59.999999"), Some(-1));
        assert_eq!(parse_datetime("1969-12-31"), None);
    }

    #[test]
    fn spans_have_a_sign_for_each_part() {
        assert_eq!(parse_interval("1-2 3 0:0:0"), Some(IntervalMonthDayNano::new(14, 3, 0)));
        assert_eq!(parse_interval("-0-1 -3 -4:5:6.7"), Some(IntervalMonthDayNano::new(-1, -3, -14_706_700_000_000)));
        assert_eq!(parse_interval("0-0 0 87840000:0:0"), None);
        assert_eq!(parse_interval("1-2 3"), None);
    }
}
