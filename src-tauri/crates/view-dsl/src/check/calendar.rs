//! Days in constants.

/// Whether a text is an existing calendar day, as `2024-02-29`.
pub(crate) fn is_day(text: &str) -> bool {
    let bytes = text.as_bytes();
    let shape = bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, b)| if at == 4 || at == 7 { *b == b'-' } else { b.is_ascii_digit() });
    let part = |from: usize, to: usize| text.get(from..to).and_then(|t| t.parse::<u32>().ok()).unwrap_or(0);
    shape && {
        let (year, month, day) = (part(0, 4), part(5, 7), part(8, 10));
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            _ => 0,
        };
        year > 0 && (1..=days).contains(&day)
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
