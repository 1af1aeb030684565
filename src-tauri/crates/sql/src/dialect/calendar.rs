//! Calendar dates in texts.

/// Returns the number of days of a month from 1 to 12. `None` for any other number.
pub fn days_in_month(year: u32, month: u32) -> Option<u32> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    Some(match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    })
}

/// Returns true if a text is a valid calendar date, `2024-05-31`, also with a time after it.
pub fn is_date(text: &str) -> bool {
    let (day, time) = text.split_at_checked(10).unwrap_or((text, ""));
    let parts: Vec<&str> = day.split('-').collect();
    let [year, month, date] = parts.as_slice() else { return false };
    let number = |text: &str, digits: usize| {
        (text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse::<u32>().ok())?
    };
    let (Some(year), Some(month), Some(date)) = (number(year, 4), number(month, 2), number(date, 2)) else {
        return false;
    };
    let Some(days) = days_in_month(year, month) else { return false };
    (1..=days).contains(&date) && (time.is_empty() || is_time(time))
}

/// Returns true for a time of day: ` 10:30:00`, or with a `T` and fractions of a second.
fn is_time(text: &str) -> bool {
    let Some(clock) = text.strip_prefix([' ', 'T']) else { return false };
    let mut parts = clock.splitn(3, ':');
    let mut below =
        |most: u32| parts.next().is_some_and(|part| part.len() == 2 && part.parse().is_ok_and(|n: u32| n < most));
    let fits = below(24) && below(60);
    fits && parts.next().is_none_or(|rest| {
        let (seconds, fraction) = rest.split_once('.').unwrap_or((rest, "0"));
        seconds.len() == 2
            && seconds.parse().is_ok_and(|n: u32| n < 60)
            && !fraction.is_empty()
            && fraction.bytes().all(|byte| byte.is_ascii_digit())
    })
}
