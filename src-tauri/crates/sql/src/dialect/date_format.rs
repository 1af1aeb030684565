//! Formats of dates and timestamps in text columns: their parts, and their conversion to the letters of engines.

use super::expressions::Expressions;
use std::collections::BTreeMap;

/// Returns true if a format contains a time of day.
pub fn has_clock(format: &str) -> bool {
    format.contains("%H") || format.contains("%I")
}

/// Returns true if SQLite parses the format itself; such text sorts by time.
pub fn is_iso(format: &str) -> bool {
    let rest = format.strip_prefix("%Y-%m-%d").map(|rest| rest.trim_start_matches([' ', 'T']));
    rest.is_some_and(|rest| matches!(rest, "" | "%H:%M" | "%H:%M:%S" | "%H:%M:%SZ" | "%H:%M:%S.%f" | "%H:%M:%S.%fZ"))
}

/// A part of a format: a strptime letter, or text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FormatPart {
    Letter(char),
    Text(String),
}

/// Splits a format into its parts.
pub(crate) fn parse_format(format: &str) -> Vec<FormatPart> {
    let mut parts = Vec::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        match (letter, parts.last_mut()) {
            ('%', _) => parts.extend(letters.next().map(FormatPart::Letter)),
            (_, Some(FormatPart::Text(text))) => text.push(letter),
            _ => parts.push(FormatPart::Text(letter.to_string())),
        }
    }
    parts
}

/// Returns true if the parts have no separators, so that each has its full width.
pub(crate) fn is_packed(parts: &[FormatPart]) -> bool {
    !parts.iter().any(|part| matches!(part, FormatPart::Text(_)))
}

/// Converts the format to MySQL's letters, which ClickHouse and Trino also use.
pub(crate) fn to_mysql_letters(format: &str) -> String {
    let part = |part: &FormatPart| match part {
        FormatPart::Letter('M') => "%i".to_owned(),
        FormatPart::Letter('B') => "%M".to_owned(),
        FormatPart::Letter(letter) => format!("%{letter}"),
        FormatPart::Text(text) => text.replace('%', "%%"),
    };
    parse_format(format).iter().map(part).collect()
}

/// Words of a template of TO_DATE that differ between engines.
pub(crate) struct TemplateWords {
    pub fraction: &'static str,
    pub short_month: &'static str,
    pub month: &'static str,
}

/// Converts the format to a template of TO_DATE.
pub(crate) fn to_template(format: &str, words: &TemplateWords) -> String {
    let part = |part: &FormatPart| match part {
        FormatPart::Letter('Y') => "YYYY".to_owned(),
        FormatPart::Letter('y') => "YY".to_owned(),
        FormatPart::Letter('m') => "MM".to_owned(),
        FormatPart::Letter('d') => "DD".to_owned(),
        FormatPart::Letter('H') => "HH24".to_owned(),
        FormatPart::Letter('I') => "HH12".to_owned(),
        FormatPart::Letter('M') => "MI".to_owned(),
        FormatPart::Letter('S') => "SS".to_owned(),
        FormatPart::Letter('f') => words.fraction.to_owned(),
        FormatPart::Letter('b') => words.short_month.to_owned(),
        FormatPart::Letter('B') => words.month.to_owned(),
        FormatPart::Letter('a') => "DY".to_owned(),
        FormatPart::Letter(_) => "AM".to_owned(),
        FormatPart::Text(text) if text.contains(|c: char| c.is_ascii_alphabetic()) => format!("\"{text}\""),
        FormatPart::Text(text) => text.clone(),
    };
    parse_format(format).iter().map(part).collect()
}

/// Moves two-digit years after 2068, as an engine reads them, to the previous century.
pub(crate) fn with_two_digit_years(moment: &str) -> String {
    format!("CASE WHEN YEAR({moment}) > 2068 THEN {moment} - INTERVAL '100' YEAR ELSE {moment} END")
}

/// Position of a letter of a format: index in the list, or first character and width for formats without separators.
pub(crate) struct PartPosition {
    pub index: usize,
    pub from: usize,
    pub width: usize,
}

/// Converts a text to the members of a JSON list of its parts, without the brackets, for databases without suitable
/// format functions; formats without separators only trim it.
pub(crate) fn to_list_members(expr: &str, parts: &[FormatPart], dialect: &dyn Expressions) -> String {
    let mut separators: Vec<&str> = parts
        .iter()
        .filter_map(|part| if let FormatPart::Text(text) = part { Some(text.as_str()) } else { None })
        .collect();
    separators.sort_by_key(|text| (std::cmp::Reverse(text.len()), *text));
    separators.dedup();
    separators.iter().fold(format!("TRIM({expr})"), |list, separator| {
        format!("REPLACE({list}, {}, '\",\"')", dialect.text_literal(separator))
    })
}

/// Maps each letter of a format to the expression that reads it.
pub(crate) fn map_letters(parts: &[FormatPart], read: impl Fn(PartPosition) -> String) -> BTreeMap<char, String> {
    let letters =
        parts.iter().filter_map(|part| if let FormatPart::Letter(letter) = part { Some(*letter) } else { None });
    let mut from = 1;
    letters
        .enumerate()
        .map(|(index, letter)| {
            let width = if letter == 'Y' { 4 } else { 2 };
            from += width;
            (letter, read(PartPosition { index, from: from - width, width }))
        })
        .collect()
}
