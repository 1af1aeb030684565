//! Numbers in sentences.

use crate::number::Number;
use vitrine_words::{format_number, localize_decimal_mark};

/// Formats the size of a number for a sentence, with its unit: whole from 1,000, two decimal places from 1, else three
/// significant digits.
pub(crate) fn format_amount(number: &Number, unit: Option<&str>) -> String {
    let size = number.abs();
    let places = match () {
        () if size >= Number::from_whole(1_000) || size.decimal_places() == Some(0) => 0,
        () if size >= Number::from_whole(1) => 2,
        () => size.places_for_digits(3),
    };
    let text = size.format(places);
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let grouped = whole.parse::<u64>().map_or_else(|_| whole.to_owned(), format_number);
    let text = match fraction.is_empty() {
        true => grouped,
        false => format!("{grouped}{}", localize_decimal_mark(&format!(".{fraction}"))),
    };
    match unit.map(str::trim).filter(|unit| !unit.is_empty()) {
        Some(unit) => format!("{text} {unit}"),
        None => text,
    }
}

/// Formats a number with its sign: `+12`, `-3.50`.
pub(crate) fn format_signed(number: &Number, unit: Option<&str>) -> String {
    let sign = match () {
        () if number.is_zero() => "",
        () if number.is_negative() => "-",
        () => "+",
    };
    format!("{sign}{}", format_amount(number, unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_the_digits_that_matter() {
        let show = |text: &str| format_signed(&Number::parse(text).unwrap(), None);
        for (text, shown) in [
            ("12300.49", "+12,300"),
            ("-9100", "-9,100"),
            ("12.345", "+12.35"),
            ("0.012345", "+0.0123"),
            ("0", "0"),
            ("-7", "-7"),
            ("123456789012345678901234.5", "+123456789012345678901235"),
        ] {
            assert_eq!(show(text), shown);
        }
        assert_eq!(format_amount(&Number::from_whole(5), Some("EUR")), "5 EUR");
    }
}
