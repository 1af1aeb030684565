use super::Sqlite;
use crate::column_type::ColumnType;
use crate::dialect::date_format::{has_clock, is_iso, is_packed, map_letters, parse_format, to_list_members};
use crate::dialect::{Expressions, NumberTextComparison};
use vitrine_domain::views::{Period, Step};

impl Expressions for Sqlite {
    // Booleans are stored as 1 and 0.
    fn boolean_literal(&self, value: bool) -> &'static str {
        if value { "1" } else { "0" }
    }

    fn day_literal(&self, day: &str) -> String {
        format!("'{day}'")
    }

    fn has_date_types(&self) -> bool {
        false
    }

    // Keys are verified only when a row is written with foreign keys enabled, and benchmarks often have keys that refer
    // to repeated values.
    fn enforces_referenced_keys(&self) -> bool {
        false
    }

    // By column affinity.
    fn number_text_comparison(&self) -> NumberTextComparison {
        NumberTextComparison::ConvertsNumbers
    }

    fn day_of(&self, expr: &str, _family: ColumnType) -> String {
        format!("DATE({expr})")
    }

    // Text has several formats.
    fn comparable_timestamp(&self, expr: String) -> String {
        format!("JULIANDAY({expr})")
    }

    fn first_day_of_longer(&self, expr: &str, period: Period, _family: ColumnType) -> String {
        match period {
            Period::Year | Period::Month => format!("DATE({expr}, 'start of {}')", period.name()),
            Period::Week => format!("DATE({expr}, 'weekday 0', '-6 days')"),
            Period::Quarter | Period::Day => {
                let back = format!("(CAST(STRFTIME('%m', {expr}) AS INTEGER) - 1) % 3");
                format!("DATE({expr}, 'start of month', '-' || ({back}) || ' months')")
            }
        }
    }

    fn add_days(&self, day: &str, days: &str) -> String {
        format!("DATE({day}, ({days}) || ' days')")
    }

    fn add_months(&self, day: &str, months: i64) -> String {
        format!("DATE({day}, '{months} months', 'floor')")
    }

    fn count_days(&self, from: &str, to: &str) -> String {
        format!("CAST(JULIANDAY({to}) - JULIANDAY({from}) AS INTEGER)")
    }

    fn date_number(&self, part: Period, day: &str) -> String {
        match part {
            Period::Year => format!("CAST(STRFTIME('%Y', {day}) AS INTEGER)"),
            Period::Quarter => format!("(CAST(STRFTIME('%m', {day}) AS INTEGER) + 2) / 3"),
            Period::Month | Period::Week | Period::Day => format!("CAST(STRFTIME('%m', {day}) AS INTEGER)"),
        }
    }

    fn dividend(&self, expr: &str, _family: ColumnType) -> String {
        format!("CAST({expr} AS REAL)")
    }

    fn has_median(&self) -> bool {
        false
    }

    fn has_standard_deviation(&self) -> bool {
        false
    }

    fn truncate_number(&self, expr: &str) -> String {
        format!("CAST({expr} AS INTEGER)")
    }

    fn read_number(&self, expr: &str) -> String {
        format!(
            "CASE WHEN TRIM({expr}) GLOB '*[0-9]*' AND NOT (TRIM({expr}) GLOB '*[^-+.0-9eE]*') THEN CAST({expr} AS REAL) END"
        )
    }

    // The cast would take the beginning of a day for a number.
    fn cast_text_to_number(&self, expr: &str) -> String {
        let odd = ["*[0-9.][-+]*", "*.*.*", "*[eE]*[eE]*", "*[eE]", "*[-+]"];
        let odd = odd.map(|shape| format!("TRIM({expr}) GLOB '{shape}'"));
        format!("CASE WHEN NOT ({}) THEN {} END", odd.join(" OR "), self.read_number(expr))
    }

    fn day_to_text(&self, expr: &str) -> String {
        format!("DATE({expr})")
    }

    // For the 31st of February, DATE returns a day in March.
    fn iso_text_to_day(&self, text: &str) -> String {
        format!("CASE WHEN DATE({text}) = {text} THEN {text} END")
    }

    fn text_to_moment(&self, expr: &str, format: &str) -> String {
        match is_iso(format) {
            true if has_clock(format) => format!("DATETIME({expr})"),
            true => format!("DATE({expr})"),
            false => parse_parts(expr, format),
        }
    }

    fn contains_condition(&self, expr: &str, wanted: &str) -> String {
        format!("INSTR({expr}, {wanted}) > 0")
    }

    fn text_at_path(&self, expr: &str, path: &[Step], _family: ColumnType) -> String {
        let path = self.json_path(path);
        let found = format!("CAST(JSON_EXTRACT({expr}, {path}) AS TEXT)");
        // Booleans would become 1 and 0.
        let truth = format!("CASE JSON_TYPE({expr}, {path}) WHEN 'true' THEN 'true' WHEN 'false' THEN 'false'");
        format!("CASE WHEN JSON_VALID({expr}) THEN {truth} ELSE {found} END END")
    }
}

/// Parses a date without strptime, which SQLite lacks: the text is converted to a JSON list of its parts, and these to
/// SQLite's own format. Without separators, every part has its full width.
fn parse_parts(expr: &str, format: &str) -> String {
    let parts = parse_format(format);
    let packed = is_packed(&parts);
    let list = to_list_members(expr, &parts, &Sqlite);
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
