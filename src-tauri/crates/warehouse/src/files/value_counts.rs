//! Distinct values of a column with the number of their rows, for notes that name the values responsible.

use crate::engines::duck::quote_literal;
use ::duckdb::{Connection, Result};
use vitrine_words::tr;

/// A value and the number of rows that contain it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ValueCount {
    pub text: String,
    pub rows: i64,
}

/// Maximum number of values in a note.
const NAMED: usize = 5;
/// Maximum number of distinct values that are read; a column with more is not an exception.
pub(super) const READ: usize = 40;

/// Counts the values of `text` that satisfy `condition`, most frequent first; the condition calls the value `v`.
pub(super) fn count_values(connection: &Connection, raw: &str, text: &str, condition: &str) -> Result<Vec<ValueCount>> {
    let sql = format!(
        "SELECT v, count(*) FROM (SELECT {text} AS v FROM {raw}) WHERE v IS NOT NULL AND {condition} GROUP BY v ORDER BY 2 DESC, 1 LIMIT {READ}"
    );
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([], |row| Ok(ValueCount { text: row.get(0)?, rows: row.get(1)? }))?;
    rows.collect()
}

/// Returns the total number of rows of all values.
pub(super) fn sum_row_counts(values: &[ValueCount]) -> i64 {
    values.iter().map(|value| value.rows).sum()
}

/// Formats the first values with their numbers of rows: `'n/a' (3), '-' (1)`.
pub(super) fn in_words(values: &[ValueCount]) -> String {
    const LONGEST: usize = 40;
    let one = |value: &ValueCount| {
        let text = match value.text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &value.text[..end]),
            None => value.text.clone(),
        };
        format!("{} ({})", quote_literal(&text), value.rows)
    };
    let list = values.iter().take(NAMED).map(one).collect::<Vec<_>>().join(", ");
    match values.len() {
        0..=NAMED => list,
        READ.. => tr!("{list} and others", list),
        all => tr!("{list} and {n} more", list, n = all - NAMED),
    }
}

/// Returns true if at least four of five items satisfy a condition.
pub(super) fn is_clear_majority(count: usize, all: usize) -> bool {
    count * 5 >= all * 4
}
