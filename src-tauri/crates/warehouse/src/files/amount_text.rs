//! Numbers with text around them: `12 kg`, `1.5k`, `~100`, `3rd`, `100.00 CR`.

use super::cell::Figure;
use super::units::is_unit;
use super::value_counts::is_clear_majority;
use std::collections::HashMap;
use vitrine_domain::DecimalSign;

/// Signs before a number that is not exact.
const INEXACT: &[char] = &['~', '≈', '≃', '≅', '<', '>', '≤', '≥', '±'];
/// Multipliers, endings of ordinal numbers, and the sides of an account, in lower case.
#[rustfmt::skip]
const ENDINGS: &[&str] = &[
    "k", "m", "b", "bn", "mm", "mn", "mio", "mio.", "mrd", "mrd.", "mln", "mld", "mld.", "tsd", "tsd.", "t€", "k€", "m€", "million",
    "millions", "millionen", "milliarden", "billion", "billions", "milliards", "thousand", "tausend", "mille", "lakh", "crore", "tys.",
    "st", "nd", "rd", "th", "er", "re", "e", "ème", "ª", "º", "ος", "cr", "dr", "cr.", "dr.", "c", "d", "s", "h", "soll", "haben",
];
/// Maximum length of a text after a number in characters.
const LONGEST: usize = 20;

/// A number with the text after it.
struct Amount<'t> {
    ending: &'t str,
    has_fraction: bool,
    /// True if a sign before it or digits of another script keep it from being a number.
    is_marked: bool,
}

impl<'t> Amount<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        if text.chars().all(char::is_numeric) && !text.is_ascii() {
            return Some(Self { ending: "", has_fraction: false, is_marked: true });
        }
        let exact = text.trim_start_matches(INEXACT);
        let rest = exact.trim_start();
        let unsigned = rest.trim_start_matches(['-', '−', '–', '+']).trim_start();
        let (number, ending) = unsigned.split_at(number_length(unsigned));
        let ending = ending.trim();
        let is_figure = |sign: DecimalSign| Figure::parse(number, sign).is_some();
        let is_code = number.len() > 1 && number.starts_with('0') && number.as_bytes()[1].is_ascii_digit();
        let fits = ending.chars().count() <= LONGEST && (!ending.contains(char::is_numeric) || is_unit(ending));
        ([DecimalSign::Comma, DecimalSign::Point].into_iter().any(is_figure) && !is_code && fits).then(|| Self {
            ending,
            has_fraction: number.contains(['.', ',']),
            is_marked: exact.len() < text.len(),
        })
    }
}

/// Returns the length of the digits, with separators between them, at the start of a text.
fn number_length(text: &str) -> usize {
    let mut length = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next_is_digit = chars.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        let separates = matches!(c, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{2007}'..='\u{200a}' | '\u{202f}');
        if !(c.is_ascii_digit() || separates && next_is_digit && at > 0 || matches!(c, '.' | ',') && next_is_digit) {
            break;
        }
        length = at + c.len_utf8();
    }
    length
}

/// Returns true if most of these distinct texts are numbers with the same text after them, or with units.
pub(super) fn are_amounts(texts: &[&str]) -> bool {
    let amounts: Vec<Amount<'_>> = texts.iter().filter_map(|text| Amount::parse(text)).collect();
    if !is_clear_majority(amounts.len(), texts.len())
        || amounts.iter().all(|amount| amount.ending.is_empty() && !amount.is_marked)
    {
        return false;
    }
    let mut endings: HashMap<&str, usize> = HashMap::new();
    for amount in amounts.iter().filter(|amount| !amount.ending.is_empty()) {
        *endings.entry(amount.ending).or_default() += 1;
    }
    let carriers: usize = endings.values().sum();
    let is_sign = |ending: &str| !ending.contains(char::is_alphanumeric);
    if endings.keys().all(|ending| is_sign(ending)) {
        return true;
    }
    let are_known = endings.keys().all(|ending| is_sign(ending) || is_unit(ending) || is_ending(ending));
    // A letter behind an integer may belong to a code, such as a room or a house number.
    let are_clear = endings.keys().all(|ending| ending.chars().count() > 1 || is_sign(ending))
        || amounts.iter().any(|amount| amount.has_fraction);
    are_known && are_clear || endings.len() == 1 && carriers > 1 && carriers * 2 > texts.len()
}

fn is_ending(text: &str) -> bool {
    ENDINGS.contains(&text.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::are_amounts;

    #[test]
    fn numbers_with_units_are_told_from_codes_and_names() {
        for texts in [
            &["12 kg", "5 kg", "100 kg"][..],
            &["512 MB", "2 GB", "1.5 GB"],
            &["1.5k", "800", "12k"],
            &["1,5 Mio.", "20 Mio."],
            &["~100", "90"],
            &["<5", "10"],
            &["12*", "5"],
            &["5°C", "-3°C"],
            &["5 km/h", "10 km/h"],
            &["5 Besucher", "10 Besucher", "7 Besucher"],
            &["1st", "2nd", "10th"],
            &["100.00 CR", "9.00 DR"],
            &["12 m2", "9 m2"],
            &["１２", "５"],
            &["1 234 l", "9 l"],
        ] {
            assert!(are_amounts(texts), "{texts:?}");
        }
        for texts in [
            &["12 Main St", "5 Oak Ave"][..],
            &["101 B", "12 A", "7 C"],
            &["102A", "103B", "101"],
            &["99 Problems", "7 Rings", "24 Hours"],
            &["1 l", "6 x 1.5 l", "loaf"],
            &["18-24", "25-34", "65+"],
            &["A-100", "A-20"],
            &["10:15", "22:40"],
            &["2024-01", "2024-02"],
            &["007 x", "008 x"],
            &["192.168.1.1", "10.0.0.2"],
            &["1", "2"],
            &["12 ABC 34", "13 XYZ 99"],
        ] {
            assert!(!are_amounts(texts), "{texts:?}");
        }
    }
}
