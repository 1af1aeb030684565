//! Detects the notation of numbers in text columns: decimal comma, thousands separators, currency or percent signs.
//! `1.200` may be a count or a fraction, `1,5` a list of ids: a form is returned only if a value excludes other
//! readings.

use std::collections::HashSet;
use vitrine_domain::{NumberForm, UnitPlace, without_unit};

const COMMA_GROUPS: [char; 6] = ['.', ' ', '\u{a0}', '\u{202f}', '\'', '’'];
const POINT_GROUPS: [char; 6] = [',', ' ', '\u{a0}', '\u{202f}', '\'', '’'];
/// Number of decimals of currency amounts.
const CENTS: usize = 2;

/// Returns the notation in which every text is a number, if one of them is unambiguous. Plain numbers have none, since
/// engines can parse them.
pub(super) fn number_form<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Option<NumberForm> {
    let texts = texts.map(str::trim).filter(|text| !text.is_empty());
    let comma = detect_form(texts.clone(), ',', &COMMA_GROUPS);
    comma.or_else(|| detect_form(texts, '.', &POINT_GROUPS).filter(|form| form.group.is_some() || form.unit.is_some()))
}

fn detect_form<'a>(texts: impl Iterator<Item = &'a str>, decimal: char, groups: &[char]) -> Option<NumberForm> {
    let (mut group, mut shown) = (None, false);
    let mut unit: Option<UnitPlace> = None;
    let mut fractions: HashSet<&str> = HashSet::new();
    let (mut all_cents, mut separated, mut surely) = (true, false, false);
    for text in texts {
        let parted = without_unit(text);
        let number = parted.as_ref().map_or(text, |(number, _)| number.as_str());
        if let Some((_, place)) = &parted {
            let first = unit.get_or_insert(*place);
            if (first.unit, first.before) != (place.unit, place.before) {
                return None;
            }
            // A blank that engines do not trim is removed together with the unit, if there is one.
            first.blank = first.blank.max(place.blank);
        }
        let written = ParsedNumber::from_text(number, decimal, groups)?;
        if let Some(sign) = written.group
            && *group.get_or_insert(sign) != sign
        {
            return None;
        }
        separated |= written.group.is_some() || written.places.is_some();
        surely |= written.groups > 1 || written.places.is_some_and(|places| places != 3);
        let Some(places) = written.places else { continue };
        fractions.insert(text);
        all_cents &= places == CENTS;
        // Thousands separators together with a fraction, or a value below one: both exclude a list of ids.
        shown |= written.group.is_some() || (written.below_one && places != 3);
    }
    // Several different values, all with two decimals.
    shown |= all_cents && fractions.len() > 1;
    let proven = match unit {
        None => shown && !fractions.is_empty(),
        // A value with a unit is a number; only the decimal sign is open, and whole numbers have none.
        Some(_) => shown || surely || (!separated && decimal == '.'),
    };
    proven.then_some(NumberForm { group, decimal, unit })
}

/// A number in its original notation.
struct ParsedNumber {
    group: Option<char>,
    /// Number of thousands separators in it.
    groups: usize,
    /// Number of decimals, if there is a decimal sign.
    places: Option<usize>,
    /// True if the part before the decimal sign is zero.
    below_one: bool,
}

impl ParsedNumber {
    /// Parses a number; returns `None` for other text and for codes with leading zeros.
    fn from_text(text: &str, decimal: char, groups: &[char]) -> Option<Self> {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (whole, fraction) = match unsigned.split_once(decimal) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (unsigned, None),
        };
        let group = whole.chars().find(|c| groups.contains(c));
        let fits = match group {
            None => digits(whole),
            Some(sign) => {
                let mut parts = whole.split(sign);
                parts.next().is_some_and(|first| digits(first) && first.len() <= 3)
                    && parts.all(|part| digits(part) && part.len() == 3)
            }
        };
        let zeros = whole.len() > 1 && whole.starts_with('0');
        (fits && !zeros && fraction.is_none_or(digits)).then(|| Self {
            group,
            groups: group.map_or(0, |sign| whole.matches(sign).count()),
            places: fraction.map(str::len),
            below_one: whole == "0",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect_example(texts: &[&str]) -> Option<String> {
        number_form(texts.iter().copied()).map(NumberForm::example_number)
    }

    #[test]
    fn amounts_with_their_signs_are_numbers() {
        for (texts, example) in [
            (&["1.200,00", "-950,50", "12"][..], "1.234,56"),
            (&["950,50", "12,00"], "1234,56"),
            (&["0,5", "12,25", "3"], "1234,56"),
            (&["1.200", "3.400.000", "7,50", "8,10"], "1.234,56"),
            (&["1 200,50", "17"], "1 234,56"),
            (&["1\u{202f}200,50", "17"], "1\u{202f}234,56"),
            (&["1,200.50", "7.5"], "1,234.56"),
            (&["1'200.50", "7"], "1'234.56"),
            (&["€ 1.200,00", "€ 950,50"], "€ 1.234,56"),
            (&["1,200.00 USD", "7.50 USD", "12"], "1,234.56 USD"),
            (&["12,5 %", "3 %", "100%"], "1234,56 %"),
            (&["12,5\u{a0}%", "3 %"], "1234,56\u{a0}%"),
            (&["$12.50", "-$3"], "$1234.56"),
            (&["$5", "$12"], "$1234.56"),
            (&["1.200.000 kr", "950 kr"], "1.234,56 kr"),
            (&["1\u{202f}200,50\u{a0}€", "7,00\u{a0}€"], "1\u{202f}234,56\u{a0}€"),
        ] {
            assert_eq!(detect_example(texts).as_deref(), Some(example), "{texts:?}");
        }
    }

    #[test]
    fn what_may_be_something_else_stays_text() {
        for texts in [
            &["1.200", "3.400"][..],
            &["1,200", "3,400"],
            &["1.2.3", "1.10.0"],
            &["10.0.0.1", "192.168.100.200"],
            &["192.168.100.200", "172.100.200.100"],
            &["0341 123 456", "030 987 654"],
            &["+49 301 234 567"],
            &["31.12.2024", "01.02.2024"],
            &["1,2", "3,4", "10,11"],
            &["1,2,3", "4,50"],
            &["1.200,00", "n/a"],
            &["1.200,00", "1,200.00"],
            &["1.200,00", "1 300,00"],
            &["04109,10", "04229,20"],
            &["12,50", "12.50"],
            &["9,99"],
            &["12.345.678,901,2"],
            &["€ 1.200", "€ 3.400"],
            &["1,799 €", "1,849 €"],
            &["€ 5", "$ 7"],
            &["€ 5,50", "7,50 €"],
            &["TL500", "TL700"],
            &["MAR-24", "APR-25"],
            &["5 %", "n/a"],
            &["0050 €", "0070 €"],
            &["5 pcs", "7 pcs"],
            &[""],
        ] {
            assert_eq!(detect_example(texts), None, "{texts:?}");
        }
    }
}
