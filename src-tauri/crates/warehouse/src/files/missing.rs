//! Markers of missing values. If all other values of a column are numbers, dates or times, a known marker is read as
//! empty, and so is a short word that repeats: `n/a`, `keine Angabe`, or a word of any other language. A column with
//! other values stays text.

use super::column::Column;
use super::missing_words::{is_known, known_condition, may_be_marker};
use super::number_text::{OTHER_BASE, any_number_pattern, beyond_floats};
use super::value_counts::{self, ValueCount};
use super::{clock_times, date_text, durations};
use crate::engines::duck::quote_literal;
use ::duckdb::{Connection, Result};

/// Maximum number of unknown words per column that are treated as missing.
const MOST_WORDS: usize = 2;
/// Maximum length of a number or date in characters; longer texts match no pattern.
const LONGEST: usize = 60;

/// Finds the markers of each text column, or the values that keep a mostly numeric column as text.
pub(super) fn find_missing_markers(connection: &Connection, raw: &str, columns: &mut [&mut Column]) -> Result<()> {
    let mut texts: Vec<&mut &mut Column> = columns.iter_mut().filter(|column| column.data_type == "VARCHAR").collect();
    if texts.is_empty() {
        return Ok(());
    }
    let patterns = [
        any_number_pattern(),
        date_text::any_pattern(),
        durations::any_pattern(),
        clock_times::any_pattern(),
        OTHER_BASE.to_owned(),
    ];
    let is_kind = |text: &str, pattern: &str| {
        let is_kind = format!("length({text}) <= {LONGEST} AND regexp_full_match({text}, {})", quote_literal(pattern));
        format!("coalesce({is_kind} AND NOT {}, false)", beyond_floats(text))
    };
    let looks = (0..texts.len()).map(|at| {
        let text = format!("t{at}");
        let kinds = patterns.iter().map(|pattern| is_kind(&text, pattern)).chain([known_condition(&text)]);
        let counts: Vec<String> = kinds.map(|kind| format!("count(*) FILTER (WHERE {kind})")).collect();
        format!("count({text}), {}", counts.join(", "))
    });
    let looks: Vec<String> = looks.collect();
    let inner: Vec<String> =
        texts.iter().enumerate().map(|(at, column)| format!("{} AS t{at}", column.text_expression())).collect();
    let sql = format!("SELECT {} FROM (SELECT {} FROM {raw})", looks.join(", "), inner.join(", "));
    let counts: Vec<Vec<i64>> = connection.query_row(&sql, [], |row| {
        let parts = patterns.len() + 2;
        (0..texts.len()).map(|at| (0..parts).map(|part| row.get(at * parts + part)).collect()).collect()
    })?;
    for (column, counts) in texts.iter_mut().zip(counts) {
        let [filled, kinds @ .., known] = &counts[..] else { continue };
        let (at, typed) = kinds.iter().enumerate().max_by_key(|(_, rows)| **rows).unwrap_or((0, &0));
        let others = filled - typed;
        if others == 0 {
            continue;
        }
        if *typed == 0 || others - known >= *typed {
            column.is_words = true;
            continue;
        }
        let no_kind = format!("NOT {}", is_kind("v", &patterns[at]));
        let others = value_counts::count_values(connection, raw, &column.text_expression(), &no_kind)?;
        match split_markers(&column.name, *typed, others) {
            Ok(markers) => column.missing = markers,
            Err(others) => (column.others, column.is_words) = (others, true),
        }
    }
    Ok(())
}

/// Returns the markers among values that match no type, or the values that are not markers.
fn split_markers(
    name: &str,
    typed: i64,
    values: Vec<ValueCount>,
) -> std::result::Result<Vec<ValueCount>, Vec<ValueCount>> {
    let (known, unknown): (Vec<ValueCount>, Vec<ValueCount>) =
        values.into_iter().partition(|value| is_known(&value.text));
    let repeats = |value: &ValueCount| value.rows > 1 && value.text != name && may_be_marker(&value.text);
    let all_repeat = unknown.len() <= MOST_WORDS && unknown.iter().all(repeats);
    match all_repeat && value_counts::sum_row_counts(&unknown) < typed {
        true => Ok([known, unknown].concat()),
        false => Err(unknown),
    }
}

/// Returns the markers that are recognized only by their column.
pub(super) fn filter_guessed_markers(markers: &[ValueCount]) -> Vec<ValueCount> {
    markers.iter().filter(|marker| !is_known(&marker.text)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make_counts(values: &[(&str, i64)]) -> Vec<ValueCount> {
        values.iter().map(|(text, rows)| ValueCount { text: (*text).to_owned(), rows: *rows }).collect()
    }

    #[test]
    fn values_are_markers_where_the_column_uses_them_as_such() {
        for (typed, values) in
            [(1, vec![("n/a", 9)]), (5, vec![("puuttuu", 2)]), (5, vec![("-", 1), ("puuttuu", 2), ("ei tietoa", 2)])]
        {
            assert_eq!(
                split_markers("visitors", typed, make_counts(&values)).map(|markers| markers.len()),
                Ok(values.len())
            );
        }
        for (typed, values, left) in [
            (5, vec![("puuttuu", 1)], 1),
            (2, vec![("puuttuu", 2)], 1),
            (50, vec![("36a", 3), ("n/a", 2)], 1),
            (50, vec![("EG", 9), ("UG", 3), ("OG", 3)], 3),
            (50, vec![("A", 9)], 1),
            (50, vec![("free", 9)], 1),
            (50, vec![("+", 4), ("-", 4)], 1),
            (50, vec![("visitors", 2)], 1),
        ] {
            assert_eq!(
                split_markers("visitors", typed, make_counts(&values)).map_err(|others| others.len()),
                Err(left),
                "{values:?}"
            );
        }
    }
}
