//! Text templates of clauses.

use vitrine_words::tr;

/// Formats a column with its table: `region of store`.
pub fn column_of(column: &str, table: &str) -> String {
    tr!("{column} of {table}", column, table)
}

/// Formats the rows of a table that meet a condition.
pub fn rows_where(rows: &str, condition: &str) -> String {
    tr!("{rows} where {condition}", rows, condition)
}

pub(super) fn sum_phrase(value: &str) -> String {
    tr!("sum of {value}", value)
}

pub(super) fn average_phrase(value: &str) -> String {
    tr!("average {value}", value)
}

pub(super) fn rows_where_counted(condition: &str) -> String {
    tr!("number of rows where {condition}", condition)
}

/// Formats a value of only those rows that meet a condition.
pub(super) fn only_where(value: &str, condition: &str) -> String {
    tr!("{value} where {condition}", value, condition)
}

/// Formats a sort key in descending order.
pub fn largest_first(key: &str) -> String {
    tr!("{key}, largest first", key)
}

/// Formats sort keys, the most significant first.
pub fn one_by_one(keys: &[String]) -> String {
    let mut keys = keys.iter();
    let first = keys.next().cloned().unwrap_or_default();
    keys.fold(first, |before, key| tr!("{before}, then {key}", before, key))
}

/// Formats a part of a date, such as its year or month.
pub(super) fn part_of_date(part: &str, value: &str) -> String {
    match part {
        "year" => tr!("year of {value}", value),
        "quarter" => tr!("quarter of {value}", value),
        "month" => tr!("month of {value}", value),
        "week" => tr!("week of {value}", value),
        "day" => tr!("day of {value}", value),
        "hour" => tr!("hour of {value}", value),
        "year and month" => tr!("year and month of {value}", value),
        part => tr!("{part} of {value}", part, value),
    }
}
