//! Values in their displayed form, so that users find a text as they see it.

use crate::moment::{Moment, parse_moment};
use crate::number::{Exact, parse_exact};
use crate::types::{ShownAs, ShownNumber};
use unicode_normalization::UnicodeNormalization;

/// Numbers with more digits are shown without changes.
const MOST_DIGITS: usize = 100;

impl ShownAs {
    /// Returns the displayed form of a value, if it differs from the value.
    pub(crate) fn format_value(&self, value: &str) -> Option<String> {
        let shown = match self {
            Self::Exact => return None,
            Self::Json => compact_json(value),
            Self::Number { number, years } => format_number(number, *years, value)?,
            Self::Rounded { number, places, shift, positive, negative } => {
                let n = parse_exact(value).filter(|n| n.scale <= MOST_DIGITS && n.digits.len() <= MOST_DIGITS)?;
                let (below_zero, digits) = round_decimal(n, *places as usize, *shift as usize);
                let (before, after) = if below_zero { negative } else { positive };
                let (whole, part) = digits.split_at(digits.len() - *places as usize);
                let point = if part.is_empty() { "" } else { number.point.as_str() };
                format!("{before}{}{point}{part}{after}", group_digits(number, whole))
            }
            Self::Day { months } => format_day(months, value)?,
        };
        (shown != value).then_some(shown)
    }
}

fn format_number(number: &ShownNumber, years: bool, value: &str) -> Option<String> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if years && value.len() == 4 && digits(value) && value.starts_with(['1', '2']) {
        return None;
    }
    let (sign, rest) = match value.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", value),
    };
    let (whole, part) = match rest.split_once('.') {
        Some((whole, part)) => (whole, Some(part)),
        None => (rest, None),
    };
    if !digits(whole) || !part.is_none_or(digits) {
        return None;
    }
    let part = part.map(|part| format!("{}{part}", number.point)).unwrap_or_default();
    Some(format!("{sign}{}{part}", group_digits(number, whole)))
}

/// Inserts separators between the groups of an integer.
fn group_digits(number: &ShownNumber, whole: &str) -> String {
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if whole.len() < number.least as usize || number.first == 0 || whole.len() <= number.first as usize {
        return whole.to_owned();
    }
    let (mut rest, last) = whole.split_at(whole.len() - number.first as usize);
    let mut groups = vec![last];
    let width = number.next.max(1) as usize;
    while rest.len() > width {
        let (before, group) = rest.split_at(rest.len() - width);
        groups.push(group);
        rest = before;
    }
    groups.push(rest);
    groups.reverse();
    groups.join(&number.group)
}

/// Rounds to a number of decimal places, halves away from zero. Returns true for negative numbers, and the digits, the
/// last `places` being the fraction.
fn round_decimal(Exact { negative, mut digits, scale }: Exact, places: usize, shift: usize) -> (bool, String) {
    digits.extend(std::iter::repeat_n('0', (places + shift).saturating_sub(scale)));
    let cut = scale.saturating_sub(places + shift);
    let mut padded = format!("0{digits:0>width$}", width = cut + places + 1).into_bytes();
    let kept = padded.len() - cut;
    let rounds_up = padded.get(kept).is_some_and(|digit| *digit >= b'5');
    padded.truncate(kept);
    if rounds_up {
        let nines = padded.iter().rev().take_while(|digit| **digit == b'9').count();
        let at = padded.len() - nines;
        padded[at..].fill(b'0');
        padded[at - 1] += 1;
    }
    let digits: String = padded.into_iter().map(char::from).collect();
    (negative && digits.bytes().any(|digit| digit != b'0'), digits)
}

fn format_day(months: &[String], value: &str) -> Option<String> {
    let Moment { year, month, day, clock, zone } =
        parse_moment(value).filter(|moment| (1..=9999).contains(&moment.year))?;
    let template = months.get(month as usize - 1)?;
    let date = template.replace("{dd}", &format!("{day:02}")).replace("{d}", &day.to_string());
    let date = date.replace("{y}", &year.to_string());
    let zone = if matches!(zone, "Z" | "UTC" | "+00" | "+0000" | "+00:00") { "UTC" } else { zone };
    Some(match (clock, zone) {
        ("", _) => date,
        (clock, "") => format!("{date}, {clock}"),
        (clock, zone) => format!("{date}, {clock} {zone}"),
    })
}

/// Removes white space outside of strings.
fn compact_json(json: &str) -> String {
    let mut written = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(letter) = rest.chars().next() {
        let length = match letter {
            '"' => string_length(rest).unwrap_or(1),
            letter => letter.len_utf8(),
        };
        if !letter.is_whitespace() {
            written.push_str(&rest[..length]);
        }
        rest = &rest[length..];
    }
    written
}

/// Returns the length in bytes of the string at the start of a text; `None` if it does not end.
fn string_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Normalizes a text to ignore case and the encoding of accents.
pub(crate) fn fold_text(text: &str) -> String {
    match text.is_ascii() {
        true => text.to_ascii_lowercase(),
        false => text.nfc().collect::<String>().to_lowercase(),
    }
}

/// Searches for a text in values.
pub(crate) struct Containing<'a> {
    wanted: String,
    /// True for digits, which are adjacent in the exact text if they are adjacent in the displayed text.
    only_exact: bool,
    shown: &'a ShownAs,
}

impl<'a> Containing<'a> {
    pub(crate) fn new(text: &str, shown: &'a ShownAs) -> Self {
        let wanted = fold_text(text);
        let only_exact = !wanted.is_empty() && wanted.bytes().all(|byte| byte.is_ascii_digit());
        Self { wanted, only_exact, shown }
    }

    pub(crate) fn is_in(&self, value: &str) -> bool {
        let has = |text: &str| fold_text(text).contains(&self.wanted);
        has(value) || (!self.only_exact && self.shown.format_value(value).is_some_and(|shown| has(&shown)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english_number() -> ShownNumber {
        ShownNumber { group: ",".to_owned(), point: ".".to_owned(), first: 3, next: 3, least: 4 }
    }

    fn format_shown(shown: &ShownAs, value: &str) -> String {
        shown.format_value(value).unwrap_or_else(|| value.to_owned())
    }

    #[test]
    fn numbers_have_their_groups() {
        let number = ShownAs::Number { number: english_number(), years: false };
        let shown =
            ["1234567.50", "-1234", "999", "NaN", "0.5", "12345678901234567890"].map(|n| format_shown(&number, n));
        assert_eq!(shown, ["1,234,567.50", "-1,234", "999", "NaN", "0.5", "12,345,678,901,234,567,890"]);
        let indian = ShownNumber { next: 2, ..english_number() };
        assert_eq!(format_shown(&ShownAs::Number { number: indian, years: false }, "12345678"), "1,23,45,678");
        let spanish = ShownNumber { group: ".".to_owned(), point: ",".to_owned(), least: 5, ..english_number() };
        let spanish = ShownAs::Number { number: spanish, years: false };
        assert_eq!(["1234", "12345.5"].map(|n| format_shown(&spanish, n)), ["1234", "12.345,5"]);
        let years = ShownAs::Number { number: english_number(), years: true };
        assert_eq!(["2024", "3024"].map(|n| format_shown(&years, n)), ["2024", "3,024"]);
    }

    #[test]
    fn formats_round_and_add_units() {
        let frame = |before: &str, after: &str| (before.to_owned(), after.to_owned());
        let euro = |places| ShownAs::Rounded {
            number: english_number(),
            places,
            shift: 0,
            positive: frame("€", ""),
            negative: frame("-€", ""),
        };
        assert_eq!(format_shown(&euro(2), "9500"), "€9,500.00");
        assert_eq!(format_shown(&euro(2), "-1234.565"), "-€1,234.57");
        assert_eq!(format_shown(&euro(0), "999.5"), "€1,000");
        assert_eq!(format_shown(&euro(1), "-0.04"), "€0.0", "no sign before zero");
        assert_eq!(format_shown(&euro(2), "many"), "many");
        let percent = ShownAs::Rounded {
            number: english_number(),
            places: 1,
            shift: 2,
            positive: frame("", "%"),
            negative: frame("-", "%"),
        };
        assert_eq!(["0.25", "0.12345", "2"].map(|n| format_shown(&percent, n)), ["25.0%", "12.3%", "200.0%"]);
    }

    #[test]
    fn dates_and_json_are_read_as_shown() {
        let months = ["Jan", "Feb"].map(|month| format!("{month} {{d}}, {{y}}")).to_vec();
        let day = ShownAs::Day { months };
        assert_eq!(format_shown(&day, "2025-01-05"), "Jan 5, 2025");
        assert_eq!(format_shown(&day, "2025-02-28 10:22:33+00"), "Feb 28, 2025, 10:22:33 UTC");
        assert_eq!(format_shown(&day, "infinity"), "infinity");
        assert_eq!(format_shown(&ShownAs::Json, r#"{ "a b" : [1, "\" x"] }"#), r#"{"a b":[1,"\" x"]}"#);
    }

    #[test]
    fn a_text_is_found_as_it_is_and_as_it_is_shown() {
        let number = ShownAs::Number { number: english_number(), years: false };
        let found = |text: &str, value: &str| Containing::new(text, &number).is_in(value);
        assert!(found("184,2", "184230.40") && found("1842", "184230.40"));
        assert!(!found("18,4", "184230.40") && !found("4,2", "42"));
        let exact = |text: &str, value: &str| Containing::new(text, &ShownAs::Exact).is_in(value);
        assert!(exact("SOFA", "Harbour Sofa") && exact("ÄRA", "ära") && exact("a\u{308}", "Ä"));
        assert!(!exact(".*", "abc"));
    }
}
