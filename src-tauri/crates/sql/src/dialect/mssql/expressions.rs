use super::Mssql;
use crate::column_type::ColumnType;
use crate::dialect::Expressions;
use crate::dialect::date_format::{has_clock, is_packed, map_letters, parse_format, to_list_members};
use vitrine_domain::views::{Period, Step};

impl Expressions for Mssql {
    // Without N, characters outside of the server's code page are lost.
    fn text_literal(&self, value: &str) -> String {
        let prefix = if value.is_ascii() { "" } else { "N" };
        format!("{prefix}'{}'", value.replace('\'', "''"))
    }

    // Booleans are bits.
    fn boolean_literal(&self, value: bool) -> &'static str {
        if value { "1" } else { "0" }
    }

    fn day_literal(&self, day: &str) -> String {
        format!("CAST('{day}' AS DATE)")
    }

    // A plain cast fails on other text.
    fn day_cast_of_text(&self) -> &'static str {
        "TRY_CAST"
    }

    // The first of January 1900 was a Monday.
    fn first_day_of_longer(&self, expr: &str, period: Period, family: ColumnType) -> String {
        let day = self.day_of(expr, family);
        match period {
            Period::Week => format!("DATEADD(day, -((DATEDIFF(day, '1900-01-01', {day}) % 7 + 7) % 7), {day})"),
            Period::Month => format!("DATEFROMPARTS(YEAR({day}), MONTH({day}), 1)"),
            Period::Quarter => format!("DATEFROMPARTS(YEAR({day}), 3 * DATEPART(quarter, {day}) - 2, 1)"),
            Period::Year | Period::Day => format!("DATEFROMPARTS(YEAR({day}), 1, 1)"),
        }
    }

    fn add_days(&self, day: &str, days: &str) -> String {
        format!("DATEADD(day, {days}, {day})")
    }

    fn add_months(&self, day: &str, months: i64) -> String {
        format!("DATEADD(month, {months}, {day})")
    }

    fn count_days(&self, from: &str, to: &str) -> String {
        format!("DATEDIFF(day, {from}, {to})")
    }

    fn count_longer_steps(&self, from: &str, to: &str, unit: Period) -> String {
        format!("DATEDIFF({}, {from}, {to})", unit.name())
    }

    fn dividend(&self, expr: &str, _family: ColumnType) -> String {
        format!("CAST({expr} AS DOUBLE PRECISION)")
    }

    // The mean of integers is an integer.
    fn mean(&self, of: &str) -> String {
        format!("AVG(CAST({of} AS DOUBLE PRECISION))")
    }

    fn has_median(&self) -> bool {
        false
    }

    fn standard_deviation(&self, of: &str) -> String {
        format!("STDEV({of})")
    }

    fn truncate_number(&self, expr: &str) -> String {
        format!("TRY_CAST(CASE WHEN {expr} < 0 THEN CEILING({expr}) ELSE FLOOR({expr}) END AS BIGINT)")
    }

    fn read_number(&self, expr: &str) -> String {
        format!(
            "CASE WHEN {expr} NOT LIKE '%[^-+.0-9eE ]%' THEN TRY_CAST(NULLIF(TRIM({expr}), '') AS DOUBLE PRECISION) END"
        )
    }

    fn boolean_case(&self, expr: &str, yes: &str, no: &str) -> String {
        format!("CASE {expr} WHEN 1 THEN {yes} WHEN 0 THEN {no} END")
    }

    fn first_letters(&self, expr: &str, letters: u32) -> String {
        format!("SUBSTRING({expr}, 1, {letters})")
    }

    // SQL Server only knows formats of its own.
    fn text_to_moment(&self, expr: &str, format: &str) -> String {
        parse_parts(expr, format)
    }

    fn contains_condition(&self, expr: &str, wanted: &str) -> String {
        format!("CHARINDEX({wanted}, {expr}) > 0")
    }

    // Brackets enclose a set of characters.
    fn like_pattern(&self, pattern: &str) -> String {
        pattern.replace('[', "[[]")
    }

    fn text_at_path(&self, expr: &str, path: &[Step], _family: ColumnType) -> String {
        format!("CASE WHEN ISJSON({expr}) = 1 THEN JSON_VALUE({expr}, {}) END", self.json_path(path))
    }

    fn sorts_by_expressions_over_aliases(&self) -> bool {
        false
    }

    fn nulls_last(&self, key: &str, descending: bool) -> String {
        if descending { format!("{key} DESC") } else { format!("CASE WHEN {key} IS NULL THEN 1 ELSE 0 END, {key}") }
    }

    // A subquery may have ORDER BY only together with OFFSET.
    fn sort_and_limit_clauses(&self, keys: &[String], limit: Option<u32>) -> String {
        let rows = limit.map(|limit| format!(" FETCH NEXT {limit} ROWS ONLY")).unwrap_or_default();
        match keys {
            [] if limit.is_none() => String::new(),
            [] => format!("\nORDER BY (SELECT NULL) OFFSET 0 ROWS{rows}"),
            keys => format!("\nORDER BY {} OFFSET 0 ROWS{rows}", keys.join(", ")),
        }
    }

    fn row_numbers(&self) -> &'static str {
        "ROW_NUMBER() OVER (ORDER BY (SELECT NULL))"
    }
}

/// Parses a date in any format: the text is converted to a JSON list of its parts, as for SQLite, and these to the ISO
/// form. Summed expressions must not contain subqueries, so the list is repeated for each part.
fn parse_parts(expr: &str, format: &str) -> String {
    let parts = parse_format(format);
    let packed = is_packed(&parts);
    let trimmed = to_list_members(expr, &parts, &Mssql);
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
    let read = format!("TRY_CAST({whole} AS {})", if has_clock(format) { "DATETIME2" } else { "DATE" });
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
