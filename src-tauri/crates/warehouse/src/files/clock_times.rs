//! Times of day with a word behind them: `9:05 PM`, `9 a.m.`, `14:30 Uhr`.

use super::column::{Column, How};
use crate::engines::duck::quote_literal;
use ::duckdb::{Connection, Result};
use vitrine_words::tr;

/// Matches hour, minute, second, and the half of the day.
const HALF_DAY: &str =
    r"(0?[0-9]|1[0-2])(?::([0-5][0-9])(?::([0-5][0-9]))?)?[ \x{00a0}\x{202f}]?([AaPp])[.]? ?[Mm][.]?";
/// Matches hour, minute and second of a day with 24 hours.
const WHOLE_DAY: &str = "([01]?[0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9]))? ?(?:Uhr|uhr)";

/// Returns the pattern of a time of day with a word behind it.
pub(super) fn any_pattern() -> String {
    format!("(?:{HALF_DAY})|(?:{WHOLE_DAY})")
}

/// Converts columns in which every value is such a time.
pub(super) fn convert_clock_columns(connection: &Connection, raw: &str, columns: &mut [&mut Column]) -> Result<()> {
    let mut texts: Vec<&mut &mut Column> = columns.iter_mut().filter(|column| column.may_be_numbers()).collect();
    if texts.is_empty() {
        return Ok(());
    }
    let looks = texts.iter().map(|column| {
        let text = column.text_expression();
        let all =
            |pattern: &str| format!("coalesce(bool_and(regexp_full_match({text}, {})), false)", quote_literal(pattern));
        format!("{}, {}, coalesce(first({text}), '')", all(HALF_DAY), all(WHOLE_DAY))
    });
    let sql = format!("SELECT {} FROM {raw}", looks.collect::<Vec<_>>().join(", "));
    let looks: Vec<(bool, bool, String)> = connection.query_row(&sql, [], |row| {
        (0..texts.len()).map(|at| at * 3).map(|at| Ok((row.get(at)?, row.get(at + 1)?, row.get(at + 2)?))).collect()
    })?;
    for (column, (half_day, whole_day, example)) in texts.iter_mut().zip(looks) {
        if !half_day && !whole_day {
            continue;
        }
        let pattern = if half_day { HALF_DAY } else { WHOLE_DAY };
        let value = time_expression(&column.text_expression(), pattern, half_day);
        let example = quote_literal(&example);
        column.set_conversion(value, How::new(|| tr!("read as a time of day from text such as {example}", example)));
    }
    Ok(())
}

fn time_expression(text: &str, pattern: &str, half_day: bool) -> String {
    let part = |number: usize| format!("regexp_extract({text}, {}, {number})", quote_literal(&format!("^{pattern}$")));
    let two_digits = |digits: &str| format!("lpad({digits}, 2, '0')");
    let hour = format!("CAST({} AS INTEGER)", part(1));
    let hour = match half_day {
        true => format!("{hour} % 12 + CASE WHEN upper({}) = 'P' THEN 12 ELSE 0 END", part(4)),
        false => hour,
    };
    let parts = [format!("CAST({hour} AS VARCHAR)"), part(2), part(3)].map(|digits| two_digits(&digits));
    format!("CASE WHEN {text} IS NOT NULL THEN CAST({} AS TIME) END", parts.join(" || ':' || "))
}
