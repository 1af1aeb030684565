//! Formats numbers and dates for users.

use crate::{Language, current_language};

/// Formats a whole number in the program's language: `1,200`, `1.200`.
pub fn format_number(number: u64) -> String {
    with_separator(number, thousands_separator())
}

/// Formats a whole number in English, whatever the language.
pub fn format_english_number(number: u64) -> String {
    with_separator(number, ",")
}

/// Formats a number with this many decimal places: `0.5`, `0,5`.
pub fn format_decimal(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    match current_language() {
        Language::English => text,
        Language::German | Language::French => text.replace('.', ","),
    }
}

/// Formats a number in SQL notation with the decimal mark of the language: `0.5`, `0,5`. Digits are not grouped,
/// because it may be a year or a key.
pub fn localize_decimal_mark(written: &str) -> String {
    match current_language() {
        Language::English => written.to_owned(),
        Language::German | Language::French => written.replace('.', ","),
    }
}

/// Returns true if the point of a number may group digits in the current language: "1.000" of a German or French reader is a thousand, and
/// one in SQL.
pub fn is_ambiguous_number(written: &str) -> bool {
    let digits = written.trim().trim_start_matches('-');
    let groups = |(whole, rest): (&str, &str)| {
        let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        // A group has no leading zero: "0.125" is a fraction.
        rest.len() == 3 && all_digits(rest) && !whole.is_empty() && !whole.starts_with('0') && all_digits(whole)
    };
    current_language() != Language::English && digits.split_once('.').is_some_and(groups)
}

/// Formats a date in database notation (`2024-05-31`), optionally with a time: `31.05.2024`, `31/05/2024`. English
/// keeps the notation, since its readers differ in the order of day and month.
pub fn format_date(written: &str) -> String {
    let between = match current_language() {
        Language::English => return written.to_owned(),
        Language::German => ".",
        Language::French => "/",
    };
    let at = written.find(['T', ' ']).unwrap_or(written.len());
    let (day, time) = written.split_at(at);
    let parts: Vec<&str> = day.split('-').rev().collect();
    format!("{}{}", parts.join(between), time.replacen('T', " ", 1))
}

/// Formats a fraction as a whole percentage: `45%`, `45 %`.
pub fn format_percent(share: f64) -> String {
    let blank = match current_language() {
        Language::English => "",
        Language::German => "\u{a0}",
        Language::French => "\u{202f}",
    };
    format!("{:.0}{blank}%", 100.0 * share)
}

fn thousands_separator() -> &'static str {
    match current_language() {
        Language::English => ",",
        Language::German => ".",
        Language::French => "\u{202f}",
    }
}

fn with_separator(number: u64, separator: &str) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push_str(separator);
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{format_date, format_english_number, is_ambiguous_number, localize_decimal_mark};
    use crate::{Language, set_language};

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(format_english_number), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn dates_and_decimals_are_those_of_the_language() {
        let written = ["2024-05-31", "2024-05-31T10:30:00", "2024-05-31 10:30:00"];
        for (language, expected, half) in [
            (Language::German, ["31.05.2024", "31.05.2024 10:30:00", "31.05.2024 10:30:00"], "0,5"),
            (Language::French, ["31/05/2024", "31/05/2024 10:30:00", "31/05/2024 10:30:00"], "0,5"),
            (Language::English, written, "0.5"),
        ] {
            set_language(language, "");
            assert_eq!(
                (written.map(format_date), localize_decimal_mark("0.5").as_str()),
                (expected.map(str::to_owned), half)
            );
        }
    }

    #[test]
    fn a_point_before_three_digits_is_ambiguous_unless_the_language_groups_by_commas() {
        let ambiguous = || ["1.000", "-12.345", "1.5", "1000", "0.125", "1.0000"].map(is_ambiguous_number);
        set_language(Language::English, "");
        assert_eq!(ambiguous(), [false; 6]);
        for language in [Language::German, Language::French] {
            set_language(language, "");
            assert_eq!(ambiguous(), [true, true, false, false, false, false]);
        }
    }
}
