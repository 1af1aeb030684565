//! Converts text to its hidden type, in each dialect. Text that does not parse becomes NULL.

use super::part_list::{in_sqlite, in_tsql, is_packed};
use super::terms::text_literal;
use crate::model::hidden::{FormatPart, Hidden, has_clock, is_iso, parse_format};
use vitrine_domain::{AROUND_MONTHS, Dialect, NamedMonths, NumberForm};
use vitrine_sql::written_number;

/// Converts a text column to its hidden type.
pub(crate) fn read_as_hidden(expr: &str, hidden: &Hidden, dialect: Dialect) -> String {
    match hidden {
        Hidden::Nothing => expr.to_owned(),
        Hidden::Number(NumberForm::PLAIN) => read_number(expr, dialect),
        Hidden::Number(form) => written_number(expr, *form, dialect),
        Hidden::Moment(format) => read_moment(expr, format, dialect),
    }
}

/// Converts text for uses of the day only: SQLite's date functions parse its own format.
pub(crate) fn read_day(expr: &str, hidden: &Hidden, dialect: Dialect) -> String {
    match hidden {
        Hidden::Moment(format) if dialect == Dialect::Sqlite && is_iso(format) => expr.to_owned(),
        _ => read_as_hidden(expr, hidden, dialect),
    }
}
/// A regular expression for numbers, for engines that fail on other text or convert only its beginning.
const NUMBER: &str = "'^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)? *$'";

pub(crate) fn read_number(expr: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Sqlite => format!(
            "CASE WHEN TRIM({expr}) GLOB '*[0-9]*' AND NOT (TRIM({expr}) GLOB '*[^-+.0-9eE]*') THEN CAST({expr} AS REAL) END"
        ),
        Dialect::Duckdb => format!("TRY_CAST({expr} AS DOUBLE)"),
        Dialect::Postgres => format!("CASE WHEN {expr} ~ {NUMBER} THEN CAST({expr} AS NUMERIC) END"),
        Dialect::Mysql => format!("CASE WHEN {expr} REGEXP {NUMBER} THEN CAST({expr} AS DOUBLE) END"),
        Dialect::Clickhouse => format!("toFloat64OrNull(trim({expr}))"),
        Dialect::Mssql => format!(
            "CASE WHEN {expr} NOT LIKE '%[^-+.0-9eE ]%' THEN TRY_CAST(NULLIF(TRIM({expr}), '') AS DOUBLE PRECISION) END"
        ),
        // Java's number syntax allows a trailing letter.
        Dialect::Trino => format!("CASE WHEN REGEXP_LIKE({expr}, {NUMBER}) THEN TRY_CAST(TRIM({expr}) AS DOUBLE) END"),
        Dialect::Databricks => format!("CASE WHEN {expr} RLIKE {NUMBER} THEN TRY_CAST(TRIM({expr}) AS DOUBLE) END"),
        Dialect::Snowflake => format!("TRY_TO_DOUBLE(TRIM({expr}))"),
        Dialect::Bigquery => format!("SAFE_CAST(TRIM({expr}) AS FLOAT64)"),
    }
}

fn read_moment(expr: &str, format: &str, dialect: Dialect) -> String {
    if let Some(named) = NamedMonths::from_hidden(format) {
        return read_moment(&replace_month_names(expr, named, dialect), &named.in_numbers(), dialect);
    }
    let clock = has_clock(format);
    match dialect {
        Dialect::Sqlite if is_iso(format) && clock => format!("DATETIME({expr})"),
        Dialect::Sqlite if is_iso(format) => format!("DATE({expr})"),
        Dialect::Sqlite => in_sqlite(expr, format),
        Dialect::Duckdb => {
            let read = format!("TRY_STRPTIME(TRIM({expr}), {})", text_literal(format, dialect));
            if clock { read } else { format!("CAST({read} AS DATE)") }
        }
        Dialect::Postgres => {
            let template = text_literal(&format_template(format, dialect), dialect);
            let read = match clock {
                true => format!("CAST(TO_TIMESTAMP(TRIM({expr}), {template}) AS TIMESTAMP)"),
                false => format!("TO_DATE(TRIM({expr}), {template})"),
            };
            format!("CASE WHEN TRIM({expr}) ~ {} THEN {read} END", text_literal(&days_of_a_calendar(format), dialect))
        }
        // STR_TO_DATE ignores text after the format and accepts the 31st of February; adding an interval makes that
        // NULL.
        Dialect::Mysql => {
            let read =
                format!("STR_TO_DATE(TRIM({expr}), {}) + INTERVAL 0 DAY", text_literal(&in_mysql(format), dialect));
            format!("CASE WHEN TRIM({expr}) REGEXP {} THEN {read} END", text_literal(&format_pattern(format), dialect))
        }
        Dialect::Clickhouse => {
            // ClickHouse requires two digits for day and month.
            let padded = match format.contains("%f") {
                true => format!("trim({expr})"),
                false => format!("replaceRegexpAll(trim({expr}), '\\\\b([0-9])\\\\b', '0\\\\1')"),
            };
            let read = format!("parseDateTime64OrNull({padded}, {})", text_literal(&in_mysql(format), dialect));
            if clock { read } else { format!("toDate32({read})") }
        }
        Dialect::Databricks => in_spark(expr, format, clock),
        Dialect::Trino => in_trino(expr, format, clock),
        Dialect::Mssql => in_tsql(expr, format, clock),
        Dialect::Snowflake => {
            let function = if clock { "TRY_TO_TIMESTAMP_NTZ" } else { "TRY_TO_DATE" };
            format!("{function}(TRIM({expr}), {})", text_literal(&format_template(format, dialect), dialect))
        }
        Dialect::Bigquery => {
            let function = if clock { "SAFE.PARSE_DATETIME" } else { "SAFE.PARSE_DATE" };
            format!("{function}({}, TRIM({expr}))", text_literal(&format.replace("%S.%f", "%E*S"), dialect))
        }
    }
}

/// Replaces month names by numbers; NULL if the text has no such name. The name is the rest after removing digits and
/// separators around it.
fn replace_month_names(expr: &str, named: NamedMonths<'_>, dialect: Dialect) -> String {
    let lower = if dialect == Dialect::Clickhouse { "lowerUTF8" } else { "LOWER" };
    let small = format!("{lower}(TRIM({expr}))");
    let plain = named
        .replacement_pairs()
        .into_iter()
        .fold(small, |plain, (from, to)| format!("REPLACE({plain}, '{from}', '{to}')"));
    let name = match dialect {
        Dialect::Mysql => format!("REGEXP_SUBSTR({plain}, '[^-0-9 /:]+')"),
        Dialect::Clickhouse => format!("regexpExtract({plain}, '([^-0-9 /:]+)', 1)"),
        // Their TRIM functions have other arguments.
        Dialect::Databricks | Dialect::Trino => format!("REGEXP_EXTRACT({plain}, '[^-0-9 /:]+', 0)"),
        _ => format!("RTRIM(LTRIM({plain}, '{AROUND_MONTHS}'), '{AROUND_MONTHS}')"),
    };
    let month = |(name, number): &(String, &str)| format!(" WHEN {} THEN '{number}'", text_literal(name, dialect));
    let months: String = named.language.month_names().iter().map(month).collect();
    // For an empty pattern, REPLACE of SQLite and MariaDB is not NULL even if the replacement is.
    format!("REPLACE({plain}, NULLIF({name}, ''), CASE {name}{months} END)")
}

/// Converts the format to MySQL's letters, which ClickHouse and Trino also use.
fn in_mysql(format: &str) -> String {
    let part = |part: &FormatPart| match part {
        FormatPart::Letter('M') => "%i".to_owned(),
        FormatPart::Letter('B') => "%M".to_owned(),
        FormatPart::Letter(letter) => format!("%{letter}"),
        FormatPart::Text(text) => text.replace('%', "%%"),
    };
    parse_format(format).iter().map(part).collect()
}

/// Converts the format to the letters of PostgreSQL and Snowflake.
fn format_template(format: &str, dialect: Dialect) -> String {
    let snowflake = dialect == Dialect::Snowflake;
    let part = |part: &FormatPart| match part {
        FormatPart::Letter('Y') => "YYYY".to_owned(),
        FormatPart::Letter('y') => "YY".to_owned(),
        FormatPart::Letter('m') => "MM".to_owned(),
        FormatPart::Letter('d') => "DD".to_owned(),
        FormatPart::Letter('H') => "HH24".to_owned(),
        FormatPart::Letter('I') => "HH12".to_owned(),
        FormatPart::Letter('M') => "MI".to_owned(),
        FormatPart::Letter('S') => "SS".to_owned(),
        FormatPart::Letter('f') => if snowflake { "FF" } else { "US" }.to_owned(),
        FormatPart::Letter('b') => if snowflake { "MON" } else { "Mon" }.to_owned(),
        FormatPart::Letter('B') => if snowflake { "MMMM" } else { "Month" }.to_owned(),
        FormatPart::Letter('a') => "DY".to_owned(),
        FormatPart::Letter(_) => "AM".to_owned(),
        FormatPart::Text(text) if text.contains(|c: char| c.is_ascii_alphabetic()) => format!("\"{text}\""),
        FormatPart::Text(text) => text.clone(),
    };
    parse_format(format).iter().map(part).collect()
}

/// Parses a date in Spark, whose patterns are Java's: days of the week are not parsed, and two-digit years start with
/// 2000.
fn in_spark(expr: &str, format: &str, clock: bool) -> String {
    let parts = parse_format(format);
    // One or two digits if there are separators.
    let width = if is_packed(&parts) { 2 } else { 1 };
    let pattern = |part: &FormatPart| match part {
        FormatPart::Letter('Y') => "yyyy".to_owned(),
        FormatPart::Letter('y') => "yy".to_owned(),
        FormatPart::Letter('m') => "M".repeat(width),
        FormatPart::Letter('d') => "d".repeat(width),
        FormatPart::Letter('H') => "H".repeat(width),
        FormatPart::Letter('I') => "h".repeat(width),
        FormatPart::Letter('M') => "mm".to_owned(),
        FormatPart::Letter('S') => "ss".to_owned(),
        FormatPart::Letter('f') => "[SSSSSS][SSSSS][SSSS][SSS][SS][S]".to_owned(),
        FormatPart::Letter('b') => "MMM".to_owned(),
        FormatPart::Letter('B') => "MMMM".to_owned(),
        FormatPart::Letter('a') => String::new(),
        FormatPart::Letter(_) => "a".to_owned(),
        FormatPart::Text(text) if text.contains(|c: char| c.is_ascii_alphabetic()) => format!("'{text}'"),
        FormatPart::Text(text) => text.clone(),
    };
    let week = format.contains("%a");
    let source = match week {
        true => format!("REGEXP_REPLACE(TRIM({expr}), '^[A-Za-z]+', '')"),
        false => format!("TRIM({expr})"),
    };
    let pattern: String = parts.iter().map(pattern).collect();
    let mut read = format!("TRY_TO_TIMESTAMP({source}, {})", text_literal(&pattern, Dialect::Databricks));
    if format.contains("%y") {
        read = format!("CASE WHEN YEAR({read}) > 2068 THEN {read} - INTERVAL '100' YEAR ELSE {read} END");
    }
    format!("CAST({read} AS {})", if clock { "TIMESTAMP_NTZ" } else { "DATE" })
}

/// Parses a date in Trino, which fails on other text; two-digit years start with 1970.
fn in_trino(expr: &str, format: &str, clock: bool) -> String {
    let mut read = format!("TRY(DATE_PARSE(TRIM({expr}), {}))", text_literal(&in_mysql(format), Dialect::Trino));
    if format.contains("%y") {
        read = format!("CASE WHEN YEAR({read}) > 2068 THEN {read} - INTERVAL '100' YEAR ELSE {read} END");
    }
    if clock { read } else { format!("CAST({read} AS DATE)") }
}

/// Returns a regular expression for text of this format, because MySQL ignores trailing text.
fn format_pattern(format: &str) -> String {
    let part = |part: &FormatPart| match part {
        FormatPart::Letter('Y') => "[0-9]{4}".to_owned(),
        FormatPart::Letter('m' | 'd' | 'H' | 'I') => "[0-9]{1,2}".to_owned(),
        FormatPart::Letter('f') => "[0-9]+".to_owned(),
        FormatPart::Letter('b' | 'a') => "[A-Za-z]{3}".to_owned(),
        FormatPart::Letter('B') => "[A-Za-z]+".to_owned(),
        FormatPart::Letter('p') => "[AaPp][Mm]".to_owned(),
        FormatPart::Letter(_) => "[0-9]{2}".to_owned(),
        FormatPart::Text(text) => text.replace('.', "[.]"),
    };
    let shape: String = parse_format(format).iter().map(part).collect();
    format!("^{shape}$")
}

/// Returns a regular expression for existing dates in this format: PostgreSQL fails on others, including the 31st of
/// February. It enumerates months and years for each day, so that no value is computed from text before it is known to
/// be a date.
fn days_of_a_calendar(format: &str) -> String {
    // Months by their numbers and names, days, and years.
    let february = ["0?2", "feb", "february"];
    let others = [
        "0?[13-9]|1[0-2]",
        "jan|mar|apr|may|jun|jul|aug|sep|oct|nov|dec",
        "january|march|april|may|june|july|august|september|october|november|december",
    ];
    let long = ["0?[13578]|1[02]", "jan|mar|may|jul|aug|oct|dec", "january|march|may|july|august|october|december"];
    let every = ["(?!0000)[0-9]{4}", "[0-9]{2}"];
    // Two-digit years mean 1970 to 2069, so that leap years are those divisible by four.
    let leap = [
        "(?!0000)(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)",
        "(?:[02468][048]|[13579][26])",
    ];
    let days = [
        (others, "0?[1-9]|[12][0-9]|30", every),
        (long, "31", every),
        (february, "0?[1-9]|1[0-9]|2[0-8]", every),
        (february, "29", leap),
    ];
    let read = parse_format(format);
    let packed = is_packed(&read);
    let shapes = days.map(|(months, day, years)| {
        let part = |part: &FormatPart| match part {
            FormatPart::Letter('Y') => years[0].to_owned(),
            FormatPart::Letter('y') => years[1].to_owned(),
            FormatPart::Letter('m') => format!("(?:{})", months[0]),
            FormatPart::Letter('b') => format!("(?:{})", months[1]),
            FormatPart::Letter('B') => format!("(?:{})", months[2]),
            FormatPart::Letter('d') => format!("(?:{day})"),
            FormatPart::Letter('H') => "(?:[01]?[0-9]|2[0-3])".to_owned(),
            FormatPart::Letter('I') => "(?:0?[1-9]|1[0-2])".to_owned(),
            FormatPart::Letter('f') => "[0-9]+".to_owned(),
            FormatPart::Letter('a') => "(?:mon|tue|wed|thu|fri|sat|sun)".to_owned(),
            FormatPart::Letter('p') => "[ap]m".to_owned(),
            FormatPart::Letter(_) => "[0-5][0-9]".to_owned(),
            FormatPart::Text(text) => text.replace('.', "[.]"),
        };
        let shape: String = read.iter().map(part).collect();
        // Without separators every part has its full width.
        if packed { shape.replace("0?", "0").replace("[01]?", "[01]") } else { shape }
    });
    format!("(?i)^(?:{})$", shapes.join("|"))
}
