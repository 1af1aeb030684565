//! Formats of numbers in text.

use crate::units::{Unit, UnitPlace, is_unit_sign};

/// The format of numbers in text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NumberForm {
    /// The separator of thousands, if any.
    pub group: Option<char>,
    /// The separator between integer part and fraction.
    pub decimal: char,
    /// The unit (money or percent) next to the numbers, which some numbers may omit.
    pub unit: Option<UnitPlace>,
}

impl NumberForm {
    /// The format of SQL literals: no groups, a decimal point, no unit.
    pub const PLAIN: Self = Self { group: None, decimal: '.', unit: None };

    /// Parses the format from [`crate::ColumnProfile::hidden`].
    pub fn from_hidden(hidden: &str) -> Option<Self> {
        let shape = match hidden.strip_prefix("number")? {
            "" => return Some(Self::PLAIN),
            shape => shape.strip_prefix(' ')?,
        };
        let (before, shape) = shape.split_once('1')?;
        let (group, rest) = match shape.split_once("234") {
            Some(("", rest)) => (None, rest),
            Some((group, rest)) => (Some(group.chars().next()?), rest),
            None => return None,
        };
        let decimal = rest.chars().next()?;
        let behind = rest.strip_prefix(decimal)?.strip_prefix("56")?;
        let unit = match (before, behind) {
            ("", "") => None,
            (text, "") => {
                let blank = text.chars().last().filter(|c| c.is_whitespace());
                Some(UnitPlace { unit: Unit::from_text(text.trim_end())?, before: true, blank })
            }
            ("", text) => {
                let blank = text.chars().next().filter(|c| c.is_whitespace());
                Some(UnitPlace { unit: Unit::from_text(text.trim_start())?, before: false, blank })
            }
            _ => return None,
        };
        Some(Self { group, decimal, unit })
    }

    /// Formats the value of [`crate::ColumnProfile::hidden`]: `number`, or an example in this format.
    pub fn to_hidden(self) -> String {
        if self == Self::PLAIN { "number".to_owned() } else { format!("number {}", self.example_number()) }
    }

    /// Returns an example in this format: `1.234,56 €`.
    pub fn example_number(self) -> String {
        let group = self.group.map(String::from).unwrap_or_default();
        let number = format!("1{group}234{}56", self.decimal);
        let Some(UnitPlace { unit, before, blank }) = self.unit else { return number };
        let (unit, blank) = (unit.to_text(), blank.map(String::from).unwrap_or_default());
        if before { format!("{unit}{blank}{number}") } else { format!("{number}{blank}{unit}") }
    }
}

/// Splits a number and its unit; the sign stays with the number. Returns `None` without a unit at either end, or if
/// letters precede the number without a blank: `TL500` may be a product code.
pub fn without_unit(text: &str) -> Option<(String, UnitPlace)> {
    let (sign, unsigned) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (&text[..1], rest),
        None => ("", text),
    };
    let digits = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    if digits(unsigned) {
        let at = text.rfind(|c: char| c.is_ascii_digit())? + 1;
        let (number, rest) = text.split_at(at);
        let blank = rest.chars().next().filter(|c| c.is_whitespace());
        let unit = Unit::from_text(blank.map_or(rest, |blank| &rest[blank.len_utf8()..]))?;
        return Some((number.to_owned(), UnitPlace { unit, before: false, blank }));
    }
    let at = unsigned.find(|c: char| c.is_ascii_digit() || c == '-' || c == '+' || c.is_whitespace())?;
    let (unit, rest) = unsigned.split_at(at);
    let blank = rest.chars().next().filter(|c| c.is_whitespace());
    let number = blank.map_or(rest, |blank| &rest[blank.len_utf8()..]);
    let signed = number.strip_prefix(['-', '+']);
    let touches = blank.is_none() && !unit.chars().all(is_unit_sign);
    let one_sign = sign.is_empty() || (signed.is_none() && blank.is_none());
    (!touches && one_sign && digits(signed.unwrap_or(number)))
        .then(|| Some((format!("{sign}{number}"), UnitPlace { unit: Unit::from_text(unit)?, before: true, blank })))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_read_from_the_word_that_names_it() {
        let forms = [(Some('.'), ','), (None, ','), (Some(','), '.'), (Some('\u{202f}'), ','), (Some('\''), '.')];
        let place = |unit: &str, before, blank| Unit::from_text(unit).map(|unit| UnitPlace { unit, before, blank });
        let units = [
            None,
            place("€", true, Some(' ')),
            place("$", true, None),
            place("USD", false, Some(' ')),
            place("%", false, Some('\u{a0}')),
            place("kr", false, None),
        ];
        for (group, decimal) in forms {
            for unit in units {
                let form = NumberForm { group, decimal, unit };
                assert_eq!(NumberForm::from_hidden(&form.to_hidden()), Some(form), "{}", form.to_hidden());
            }
        }
        let german = NumberForm { group: Some('.'), decimal: ',', unit: None };
        assert_eq!(german.to_hidden(), "number 1.234,56");
        assert_eq!(NumberForm { unit: units[1], ..german }.to_hidden(), "number € 1.234,56");
        assert_eq!(NumberForm { unit: units[4], ..german }.to_hidden(), "number 1.234,56\u{a0}%");
        assert_eq!(
            (NumberForm::from_hidden("number"), NumberForm::PLAIN.to_hidden().as_str()),
            (Some(NumberForm::PLAIN), "number")
        );
        for other in ["%Y", "WKB", "numbers", "number X 1.234,56", "number € 1.234,56 €", "number 1.234,57"] {
            assert_eq!(NumberForm::from_hidden(other), None, "{other}");
        }
    }

    #[test]
    fn a_unit_stands_at_one_end_of_a_number() {
        for (text, number, unit, before) in [
            ("€ 1.200,00", "1.200,00", "€", true),
            ("-€5.00", "-5.00", "€", true),
            ("€ -5,00", "-5,00", "€", true),
            ("1,200.00 USD", "1,200.00", "USD", false),
            ("12,5\u{a0}%", "12,5", "%", false),
            ("100kr", "100", "kr", false),
        ] {
            let (found, place) = without_unit(text).expect(text);
            assert_eq!((found.as_str(), place.unit.to_text().as_str(), place.before), (number, unit, before), "{text}");
        }
        for text in ["1.200,00", "TL500", "5€50", "MAR-24", "€", "% of 5", "5 pcs", "--€5", "-€-5", "-€ 5", ""]
        {
            assert_eq!(without_unit(text), None, "{text}");
        }
    }
}
