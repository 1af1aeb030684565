//! Codes that a workbook stores as numbers and shows with leading zeros or separators, such as zip codes in the format
//! `00000`. Reading them as numbers would lose the zeros.

use calamine::{Data, Range, StyleRange};

/// Numbers beyond this are not exact in a workbook.
const EXACT: f64 = 1e15;

/// Replaces numbers with the texts that the workbook shows, in columns whose number format makes a difference.
pub(super) fn restore_shown_codes(cells: &mut Range<Data>, styles: &StyleRange) {
    let (Some(first), Some(last)) = (cells.start(), cells.end()) else { return };
    for column in first.1..=last.1 {
        let shown: Vec<((u32, u32), String, bool)> = (first.0..=last.0)
            .filter_map(|row| {
                let place = (row, column);
                let format = styles.get(place)?.number_format.as_ref()?;
                let digits = whole_number(cells.get_value(place)?)?;
                let text = shown_code(&digits, &format.format_code)?;
                let differs = text != digits;
                Some((place, text, differs))
            })
            .collect();
        if shown.iter().any(|(_, _, differs)| *differs) {
            shown.into_iter().for_each(|(place, text, _)| cells.set_value(place, Data::String(text)));
        }
    }
}

/// Returns true if a number format shows codes: only zeros and separators.
pub(super) fn is_code_format(format: &str) -> bool {
    shown_code("1", format).is_some()
}

/// Returns the digits of a whole number that is not negative.
fn whole_number(cell: &Data) -> Option<String> {
    match cell {
        Data::Int(number) => (*number >= 0).then(|| number.to_string()),
        Data::Float(number) if (0.0..EXACT).contains(number) && number.fract() == 0.0 => Some(format!("{number:.0}")),
        _ => None,
    }
}

/// Returns digits as a format of zeros and separators shows them; `None` for any other format.
fn shown_code(digits: &str, format: &str) -> Option<String> {
    let places = format_places(format)?;
    if places.iter().filter(|place| place.is_none()).count() < 2 {
        return None;
    }
    let mut rest: Vec<char> = digits.chars().collect();
    let mut shown: Vec<char> = Vec::new();
    for place in places.iter().rev() {
        shown.push(place.unwrap_or_else(|| rest.pop().unwrap_or('0')));
    }
    // Digits beyond the format precede its first digit.
    let at = places.iter().position(Option::is_none)?;
    let mut shown: Vec<char> = shown.into_iter().rev().collect();
    shown.splice(at..at, rest);
    Some(shown.into_iter().collect())
}

/// Returns the places of a format's first section: `None` for a digit, else a separator. `None` if it has other parts.
fn format_places(format: &str) -> Option<Vec<Option<char>>> {
    let mut places = Vec::new();
    let mut letters = format.split(';').next()?.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '0' => places.push(None),
            '\\' => places.push(Some(letters.next()?)),
            '-' | ' ' | '/' | '(' | ')' => places.push(Some(letter)),
            '"' => {
                let text: String = letters.by_ref().take_while(|letter| *letter != '"').collect();
                places.extend(text.chars().map(Some));
            }
            // A locale or a colour, such as `[$-407]`.
            '[' => drop(letters.by_ref().find(|letter| *letter == ']')),
            _ => return None,
        }
    }
    // A text beside the digits, such as a unit, does not make a code.
    let separates = |place: &Option<char>| place.is_none_or(|letter| !letter.is_alphanumeric());
    places.iter().all(separates).then_some(places)
}

#[cfg(test)]
mod tests {
    use super::{is_code_format, shown_code};

    #[test]
    fn codes_are_shown_as_their_format_says() {
        for (digits, format, shown) in [
            ("1067", "00000", "01067"),
            ("1067", "[$-407]00000", "01067"),
            ("12", "000;[Red]-000", "012"),
            ("123456", "00000", "123456"),
            ("21391234", "00000\\-0000", "02139-1234"),
            ("21391234", "00000-0000", "02139-1234"),
            ("78051120", "000\\-00\\-0000", "078-05-1120"),
            ("7", "\"No. \"", ""),
        ] {
            assert_eq!(shown_code(digits, format).unwrap_or_default(), shown, "{format}");
        }
    }

    #[test]
    fn formats_of_amounts_and_dates_are_no_codes() {
        for format in
            ["General", "0", "0.00", "#,##0", "0%", "00.0", "0.00E+00", "yyyy-mm-dd", "@", "00\" kg\"", "hh:mm"]
        {
            assert!(!is_code_format(format), "{format}");
        }
    }
}
