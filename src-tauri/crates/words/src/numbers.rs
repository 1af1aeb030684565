//! Numbers as people write them.

use crate::{Language, language};

/// A whole number in the language of the program: `1,200`, `1.200`.
pub fn number(number: u64) -> String {
    with_separator(number, separator())
}

/// A whole number as English writes it, in every language.
pub fn grouped(number: u64) -> String {
    with_separator(number, ",")
}

/// A number with this many places behind its mark: `0.5`, `0,5`.
pub fn decimal(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    match language() {
        Language::English => text,
        Language::German | Language::French => text.replace('.', ","),
    }
}

/// A share of one as a whole percentage: `45%`, `45 %`.
pub fn percent(share: f64) -> String {
    let blank = match language() {
        Language::English => "",
        Language::German => "\u{a0}",
        Language::French => "\u{202f}",
    };
    format!("{:.0}{blank}%", 100.0 * share)
}

fn separator() -> &'static str {
    match language() {
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
    use super::grouped;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
