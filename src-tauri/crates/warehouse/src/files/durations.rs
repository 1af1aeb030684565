//! Durations of a day and more, such as `36:30:00`. They are converted to seconds, because the engine cannot sum
//! intervals.

use super::column::{Column, How};
use crate::engines::duck::quote_literal;
use ::duckdb::{Connection, Result};
use vitrine_domain::FileReading;
use vitrine_words::tr;

/// Matches hours, minutes and seconds, with days before them: `36:30:00`, `1 day 12:30:00`, `1.12:30:00`.
const DURATION: &str = r"([-+−])?(?:([0-9]+)(?: ?(?:d|days?|Tage?|jours?|j),? ?|[. ]))?([0-9]+):([0-5][0-9]):([0-5][0-9](?:[.,][0-9]{1,6})?)";
/// Matches two parts whose units are unknown.
const TWO_PARTS: &str = "[-+−]?[0-9]+:[0-5][0-9]";

/// Returns the pattern of a time of day or a duration.
pub(super) fn any_pattern() -> String {
    format!("(?:{DURATION})|(?:{TWO_PARTS})")
}

/// Converts columns of durations to seconds if some exceed a day or are negative.
pub(super) fn convert_duration_columns(
    connection: &Connection,
    raw: &str,
    columns: &mut [&mut Column],
    reading: &mut FileReading,
) -> Result<()> {
    let mut texts: Vec<&mut &mut Column> = columns.iter_mut().filter(|column| column.may_be_numbers()).collect();
    if texts.is_empty() {
        return Ok(());
    }
    let looks: Vec<String> = texts.iter().map(|column| duration_tests(&column.text_expression())).collect();
    let sql = format!("SELECT {} FROM {raw}", looks.join(", "));
    let looks: Vec<(bool, bool, bool, i32, String)> = connection.query_row(&sql, [], |row| {
        (0..texts.len())
            .map(|at| at * PARTS)
            .map(|at| Ok((row.get(at)?, row.get(at + 1)?, row.get(at + 2)?, row.get(at + 3)?, row.get(at + 4)?)))
            .collect()
    })?;
    for (column, (durations, two_parts, long, fraction, example)) in texts.iter_mut().zip(looks) {
        let example = quote_literal(&example);
        if durations && long {
            let value = seconds_expression(&column.text_expression(), fraction);
            column.set_conversion(
                value,
                How::new(|| tr!("a duration in seconds, read from text such as {example}", example)),
            );
        } else if two_parts && long {
            column.has_reason = true;
            reading.doubts.push(tr!(
                "{name} may contain hours and minutes or minutes and seconds, such as {example}; it stays text.",
                name = column.name,
                example
            ));
        }
    }
    Ok(())
}

/// Number of expressions per column.
const PARTS: usize = 5;

fn duration_tests(text: &str) -> String {
    let full = |pattern: &str| format!("regexp_full_match({text}, {})", quote_literal(pattern));
    // A time of day has no sign, no days, and at most 23 hours.
    let long = format!(r"regexp_matches({text}, '^[-+−]|^[0-9]+[^0-9:]|^(?:2[4-9]|[3-9][0-9]|[0-9]{{3,}}):')");
    format!(
        "coalesce(bool_and({}), false), coalesce(bool_and({}), false), coalesce(bool_or({long}), false),
         coalesce(max(length(regexp_extract({text}, '[.,]([0-9]+)$', 1))), 0)::INTEGER,
         coalesce(first({text}) FILTER (WHERE {long}), first({text}), '')",
        full(DURATION),
        full(TWO_PARTS)
    )
}

/// Returns the expression for the number of seconds; a decimal if some values have a fraction.
fn seconds_expression(text: &str, fraction: i32) -> String {
    let groups =
        format!("regexp_extract({text}, {}, ['s', 'd', 'h', 'm', 'f'])", quote_literal(&format!("^{DURATION}$")));
    let part = |name: &str| format!("struct_extract({groups}, '{name}')");
    let whole = |name: &str| format!("CAST(nullif({}, '') AS BIGINT)", part(name));
    let data_type = if fraction > 0 { format!("DECIMAL(18,{fraction})") } else { "BIGINT".to_owned() };
    format!(
        "CAST(CASE WHEN {} IN ('-', '−') THEN -1 ELSE 1 END * (coalesce({}, 0) * 86400 + {} * 3600 + {} * 60 + CAST(nullif(replace({}, ',', '.'), '') AS {data_type})) AS {data_type})",
        part("s"),
        whole("d"),
        whole("h"),
        whole("m"),
        part("f"),
    )
}
