//! Validation of days in constants.

use vitrine_sql::days_in_month;

/// Returns true for an existing calendar day in the form `2024-02-29`.
pub(crate) fn is_day(text: &str) -> bool {
    let bytes = text.as_bytes();
    let shape = bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, b)| if at == 4 || at == 7 { *b == b'-' } else { b.is_ascii_digit() });
    let part = |from: usize, to: usize| text.get(from..to).and_then(|t| t.parse::<u32>().ok()).unwrap_or(0);
    shape && {
        let (year, month, day) = (part(0, 4), part(5, 7), part(8, 10));
        year > 0 && days_in_month(year, month).is_some_and(|days| (1..=days).contains(&day))
    }
}

#[cfg(test)]
mod tests {
    use super::is_day;

    #[test]
    fn days_are_those_of_the_calendar() {
        for day in ["2024-02-29", "2000-02-29", "1999-12-31", "0001-01-01"] {
            assert!(is_day(day), "{day}");
        }
        for text in
            ["2023-02-29", "1900-02-29", "2024-13-01", "2024-04-31", "2024-1-1", "", "2024-01-01 ", "0000-01-01"]
        {
            assert!(!is_day(text), "{text}");
        }
    }
}
