//! Parses dates in databases without suitable format functions: the text is converted to a JSON list of its parts, and
//! these to a date.

use super::terms::text_literal;
use crate::model::hidden::{FormatPart, parse_format};
use std::collections::BTreeMap;
use vitrine_domain::Dialect;

/// Returns true if the parts have no separators, so that each has its full width.
pub(super) fn is_packed(parts: &[FormatPart]) -> bool {
    !parts.iter().any(|part| matches!(part, FormatPart::Text(_)))
}

/// Position of a letter of a format: index in the list, or first character and width for formats without separators.
struct PartPosition {
    index: usize,
    from: usize,
    width: usize,
}

/// Converts a text to the members of the list, without its brackets; formats without separators only trim it.
fn to_list_members(expr: &str, parts: &[FormatPart], dialect: Dialect) -> String {
    let mut separators: Vec<&str> = parts
        .iter()
        .filter_map(|part| if let FormatPart::Text(text) = part { Some(text.as_str()) } else { None })
        .collect();
    separators.sort_by_key(|text| (std::cmp::Reverse(text.len()), *text));
    separators.dedup();
    separators.iter().fold(format!("TRIM({expr})"), |list, separator| {
        format!("REPLACE({list}, {}, '\",\"')", text_literal(separator, dialect))
    })
}

/// Maps each letter of a format to the expression that reads it.
fn map_letters(parts: &[FormatPart], read: impl Fn(PartPosition) -> String) -> BTreeMap<char, String> {
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

/// Parses a date in SQLite, which has no strptime: the text is converted to a JSON list of its parts, and these to
/// SQLite's own format. Without separators, every part has its full width.
pub(super) fn in_sqlite(expr: &str, format: &str) -> String {
    let parts = parse_format(format);
    let packed = is_packed(&parts);
    let list = to_list_members(expr, &parts, Dialect::Sqlite);
    let places = map_letters(&parts, |place| match packed {
        true => format!("SUBSTR(p, {}, {})", place.from, place.width),
        false => format!("JSON_EXTRACT(p, '$[{}]')", place.index),
    });
    let place = |letter: char| places.get(&letter);
    let year = match (place('Y'), place('y')) {
        (Some(year), _) => year.clone(),
        (_, Some(year)) => format!("{year} + CASE WHEN {year} + 0 < 69 THEN 2000 ELSE 1900 END"),
        _ => "0".to_owned(),
    };
    let month = match (place('m'), place('b').or(place('B'))) {
        (Some(month), _) => month.clone(),
        (_, Some(name)) => {
            format!("(INSTR('janfebmaraprmayjunjulaugsepoctnovdec', LOWER(SUBSTR({name}, 1, 3))) + 2) / 3")
        }
        _ => "0".to_owned(),
    };
    let day = place('d').map_or("0", String::as_str);
    let hour = match (place('H'), place('I'), place('p')) {
        (Some(hour), ..) => Some(hour.clone()),
        (_, Some(hour), Some(half)) => Some(format!("{hour} % 12 + 12 * (UPPER({half}) = 'PM')")),
        _ => None,
    };
    let zero = "0".to_owned();
    let (minute, second) = (place('M').unwrap_or(&zero), place('S').unwrap_or(&zero));
    let read = match hour {
        Some(hour) => {
            let shape = "%04d-%02d-%02d %02d:%02d:%02d";
            format!("DATETIME(PRINTF('{shape}', {year}, {month}, {day}, {hour}, {minute}, {second}))")
        }
        None => format!("DATE(PRINTF('%04d-%02d-%02d', {year}, {month}, {day}))"),
    };
    match packed {
        true => format!("(SELECT {read} FROM (SELECT {list} AS p))"),
        false => format!("(SELECT {read} FROM (SELECT '[\"' || {list} || '\"]' AS p) WHERE JSON_VALID(p))"),
    }
}

/// Parses a date in SQL Server, which only knows formats of its own: the text is converted to a JSON list of its parts,
/// as for SQLite, and these to the ISO form. Summed expressions must not contain subqueries, so the list is repeated
/// for each part.
pub(super) fn in_tsql(expr: &str, format: &str, clock: bool) -> String {
    let parts = parse_format(format);
    let packed = is_packed(&parts);
    let trimmed = to_list_members(expr, &parts, Dialect::Mssql);
    let list = format!("CONCAT('[\"', {trimmed}, '\"]')");
    let places = map_letters(&parts, |place| match packed {
        true => format!("SUBSTRING({trimmed}, {}, {})", place.from, place.width),
        false => format!("JSON_VALUE({list}, '$[{}]')", place.index),
    });
    let place = |letter: char| places.get(&letter);
    let year = match (place('Y'), place('y')) {
        (Some(year), _) => year.clone(),
        (_, Some(year)) => format!("CASE WHEN {year} < '69' THEN CONCAT('20', {year}) ELSE CONCAT('19', {year}) END"),
        _ => "NULL".to_owned(),
    };
    let month = match (place('m'), place('b').or(place('B'))) {
        (Some(month), _) => month.clone(),
        (_, Some(name)) => {
            // For an unknown month, position 0 gives no valid month.
            let at = format!("CHARINDEX(LOWER(LEFT({name}, 3)), 'janfebmaraprmayjunjulaugsepoctnovdec')");
            format!("SUBSTRING('01 02 03 04 05 06 07 08 09 10 11 12 ', {at}, 2)")
        }
        _ => "NULL".to_owned(),
    };
    let day = place('d').map_or("NULL", String::as_str);
    let hour = match (place('H'), place('I'), place('p')) {
        (Some(hour), ..) => Some(hour.clone()),
        (_, Some(hour), Some(half)) => {
            let later = format!("CASE UPPER({half}) WHEN 'PM' THEN 12 WHEN 'AM' THEN 0 END");
            Some(format!("TRY_CAST({hour} AS INT) % 12 + {later}"))
        }
        _ => None,
    };
    let zero = "'00'".to_owned();
    let (minute, second) = (place('M').unwrap_or(&zero), place('S').unwrap_or(&zero));
    let whole = match &hour {
        Some(hour) => format!("CONCAT({year}, '-', {month}, '-', {day}, ' ', {hour}, ':', {minute}, ':', {second})"),
        None => format!("CONCAT({year}, '-', {month}, '-', {day})"),
    };
    let read = format!("TRY_CAST({whole} AS {})", if clock { "DATETIME2" } else { "DATE" });
    match packed {
        true => read,
        false => {
            let last = places.len() - 1;
            let ends = format!(
                "JSON_VALUE({list}, '$[{last}]') IS NOT NULL AND JSON_VALUE({list}, '$[{}]') IS NULL",
                places.len()
            );
            format!("CASE WHEN ISJSON({list}) = 1 THEN CASE WHEN {ends} THEN {read} END END")
        }
    }
}
