//! The format of a value: evidence for excluding columns of numbers, dates and codes from the index.

/// The kind of a value's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A number with an optional sign, separators, currency or percent sign.
    Number,
    /// A date, a time, or both.
    Date,
    /// A telephone number: groups of at least seven digits in total.
    Phone,
    /// A post code in a common format that is not a plain number.
    PostCode,
    /// A UUID, a long hexadecimal or random-looking token, or a URL.
    Token,
    /// One short token of capitals or symbols with digits: "AB-1234".
    Code,
    /// Any other text: a name or a phrase.
    Name,
}

impl Shape {
    /// Classifies the format of one value.
    pub fn from_value(value: &str) -> Self {
        let value = value.trim();
        let digits = value.chars().filter(char::is_ascii_digit).count();
        let letters = value.chars().filter(|c| c.is_alphabetic()).count();
        if digits == 0 {
            return if is_token(value, digits) { Shape::Token } else { Shape::Name };
        }
        if is_date(value, letters) {
            Shape::Date
        } else if is_number(value, letters) {
            Shape::Number
        } else if is_post_code(value) {
            Shape::PostCode
        } else if is_phone(value, digits, letters) {
            Shape::Phone
        } else if is_token(value, digits) {
            Shape::Token
        } else if is_code(value) {
            Shape::Code
        } else {
            Shape::Name
        }
    }
}

fn is_number(value: &str, letters: usize) -> bool {
    if letters > 0 {
        return value.parse::<f64>().is_ok();
    }
    let body = value.trim_matches(|c: char| "+-$€£¥%() ".contains(c));
    // "1 234 567" has groups of three digits; "030 1234567" has not, and "9-12" is a range with several spellings.
    body.chars().all(|c| c.is_ascii_digit() || ",.' ".contains(c))
        && body.split(' ').skip(1).all(|group| group.split([',', '.']).next().is_some_and(|whole| whole.len() == 3))
}

fn is_date(value: &str, letters: usize) -> bool {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let parts: Vec<&str> =
        value.split(['-', '/', '.', ':', ' ', ',', 'T', 'Z', '+']).filter(|p| !p.is_empty()).collect();
    let numeric = parts.iter().filter(|p| p.chars().all(|c| c.is_ascii_digit())).count();
    let words = parts.iter().filter(|p| p.chars().all(char::is_alphabetic));
    let year =
        parts.iter().any(|p| p.len() == 4 && (p.starts_with("19") || p.starts_with("20") || p.starts_with("18")));
    if letters == 0 || value.contains('T') && letters <= 2 {
        let clock = value.contains(':') && (2..=7).contains(&numeric);
        let small = parts.iter().all(|p| p.len() <= 4 || value.contains(':'));
        // Without a four-digit year, "01.02.99" is a date and "1.5.2" is a version.
        let short = parts.iter().all(|p| p.len() <= 2) && parts.last().is_some_and(|p| p.len() == 2);
        return clock || (numeric == parts.len() && parts.len() == 3 && small && (year || short));
    }
    let clock = value.contains(':') && numeric >= 2;
    words.clone().all(|w| {
        let w = w.to_lowercase();
        w == "am"
            || w == "pm"
            || w == "utc"
            || w == "gmt"
            || w.len() <= 9 && MONTHS.iter().any(|m| w.starts_with(m))
            || is_day(&w)
    }) && numeric + words.count() == parts.len()
        && (clock || numeric >= 1 && year)
}

fn is_day(word: &str) -> bool {
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].iter().any(|d| word.starts_with(d)) && word.len() <= 9
}

fn is_phone(value: &str, digits: usize, letters: usize) -> bool {
    (7..=16).contains(&digits)
        && (letters == 0 || value.to_lowercase().contains("ext") && letters <= 9 || value.contains('x') && letters == 1)
        && value.chars().all(|c| c.is_alphanumeric() || "+-(). /".contains(c))
}

fn is_post_code(value: &str) -> bool {
    // Pattern with A for a letter and 9 for a digit: GB, CA, NL and US nine-digit codes.
    let pattern: String = value
        .chars()
        .map(|c| {
            if c.is_ascii_digit() {
                '9'
            } else if c.is_ascii_uppercase() {
                'A'
            } else {
                c
            }
        })
        .collect();
    ["99999-9999", "A9A 9A9", "A9A9A9", "9999 AA", "9999AA"].contains(&pattern.as_str())
        || ["A9", "A99", "AA9", "AA99", "A9A", "AA9A"].iter().any(|area| pattern == format!("{area} 9AA"))
}

fn is_token(value: &str, digits: usize) -> bool {
    if value.contains(char::is_whitespace) {
        return false;
    }
    let hex = value.chars().filter(char::is_ascii_hexdigit).count();
    let plain = value.chars().all(|c| c.is_ascii_alphanumeric() || "-_=+/{}".contains(c));
    let dashes = value.chars().filter(|c| *c == '-').count();
    value.contains("://")
        || (hex + dashes == value.len() && hex >= 16 && digits > 0)
        || (plain && value.len() >= 20 && digits * 6 >= value.len())
}

fn is_code(value: &str) -> bool {
    value.len() <= 20
        && value.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || "-_/.#".contains(c))
        && value.chars().any(|c| c.is_ascii_digit())
        && value.chars().any(|c| c.is_ascii_uppercase())
        || (value.len() <= 20
            && !value.contains(' ')
            && value.chars().filter(char::is_ascii_digit).count() * 2 > value.len()
            && value.chars().any(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_told_apart() {
        let cases = [
            (Shape::Number, &["42", "-3.50", "1,234.5", "$12.00", "15 %", "1e-5", "94607", "1 234 567", "(12)"][..]),
            (
                Shape::Date,
                &[
                    "2024-01-31",
                    "31/12/2023",
                    "2024-01-31 10:00:00",
                    "2024-01-31T10:00:00Z",
                    "Jan 5, 2020",
                    "5 March 2021",
                    "10:30",
                    "10:30 PM",
                    "01.02.99",
                ],
            ),
            (Shape::Phone, &["(510) 555-1234", "+49 30 1234567", "510-555-1234 ext 12", "555-1234"]),
            (Shape::PostCode, &["SW1A 1AA", "K1A 0B1", "1012 AB", "94607-1234"]),
            (
                Shape::Token,
                &["550e8400-e29b-41d4-a716-446655440000", "d41d8cd98f00b204e9800998ecf8427e", "https://example.org/x"],
            ),
            (Shape::Code, &["AB-1234", "SKU00017", "A320", "B2B"]),
            (
                Shape::Name,
                &[
                    "Alameda",
                    "US",
                    "9-12",
                    "18-25 years",
                    "Apollo 11",
                    "Area 51",
                    "7-Eleven",
                    "May Fair",
                    "3M Company",
                    "1984 by Orwell",
                    "Internationalisierung",
                    "O'Brien 2nd",
                ],
            ),
        ];
        for (shape, values) in cases {
            for value in values {
                assert_eq!(Shape::from_value(value), shape, "{value}");
            }
        }
    }
}
