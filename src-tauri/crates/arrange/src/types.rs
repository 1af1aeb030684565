//! Requests of the window about the rows of an open result, and the answers.

use serde::{Deserialize, Serialize};
use specta::Type;

/// An order of rows with filters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Arrangement {
    /// The order; `None` keeps the order of the result.
    pub order: Option<RowOrder>,
    /// Filters; a row must pass all of them.
    pub filters: Vec<RowFilter>,
    /// The language and region that determine the order of texts.
    pub locale: String,
}

/// An order by the values of a column. NULL comes last in both directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RowOrder {
    /// The index of the column, from 0.
    pub column: u32,
    /// True if the largest value comes first.
    pub down: bool,
}

/// A filter on the values of a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RowFilter {
    /// The index of the column, from 0.
    pub column: u32,
    /// The condition on the column's values.
    pub test: RowTest,
}

/// A condition on a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum RowTest {
    /// The value is NULL or the empty text.
    Empty,
    /// The value is neither NULL nor the empty text.
    Filled,
    /// The value contains a text, in its exact or its displayed form, ignoring case.
    Contains {
        /// The text to search for.
        text: String,
        /// The form in which the column is displayed.
        shown: ShownAs,
    },
    /// The value equals a text.
    Same {
        /// The text to compare with.
        text: String,
        /// True if the comparison is case-sensitive.
        case: bool,
    },
    /// The value is in a range, bounds included: numbers as digits, points in time and times of day in nanoseconds.
    Range {
        /// The lower bound; `None` if unbounded.
        from: Option<String>,
        /// The upper bound; `None` if unbounded.
        to: Option<String>,
    },
}

/// The form in which the values of a column are displayed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum ShownAs {
    /// The exact text of the value.
    Exact,
    /// JSON without white space between its parts.
    Json,
    /// Numbers with groups of digits.
    Number {
        /// The separators of the language.
        number: ShownNumber,
        /// True if four-digit integers are years, which have no separator.
        years: bool,
    },
    /// Numbers rounded to a number of decimal places, with a sign or unit around them.
    Rounded {
        /// The separators of the language.
        number: ShownNumber,
        /// Number of digits after the decimal point.
        places: u32,
        /// Number of places by which the decimal point is moved to the right, as for percent.
        shift: u32,
        /// Texts before and after a number that is not negative.
        positive: (String, String),
        /// Texts before and after a negative number.
        negative: (String, String),
    },
    /// Dates, optionally with a time.
    Day {
        /// A date template for each month from January, with `{d}` or `{dd}` for the day and `{y}` for the year.
        months: Vec<String>,
    },
}

/// The separators of numbers in a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ShownNumber {
    /// The separator between groups of digits.
    pub group: String,
    /// The separator before the fraction.
    pub point: String,
    /// Number of digits in the last group.
    pub first: u32,
    /// Number of digits in the other groups.
    pub next: u32,
    /// Minimum number of digits for which groups are separated.
    pub least: u32,
}

/// A column that is searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchedColumn {
    /// The index of the column, from 0.
    pub column: u32,
    /// The form in which the column is displayed.
    pub shown: ShownAs,
}

/// A cell in which a text was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundCell {
    /// The index of the row, from 0, in the order of the searched rows.
    pub row: u32,
    /// The index of the column among the searched columns.
    pub column: u32,
}

/// Statistics of the values of a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ColumnFigures {
    /// Number of rows, including NULL.
    pub rows: u32,
    /// Number of rows with NULL.
    pub nulls: u32,
    /// Number of empty texts, without NULL.
    pub empty: u32,
    /// Number of distinct values, without NULL.
    pub distinct: u32,
    /// The smallest value, if values have an order.
    pub least: Option<String>,
    /// The largest value, if values have an order.
    pub most: Option<String>,
    /// The sum of the values, for numbers.
    pub sum: Option<String>,
    /// The mean of the values, for numbers.
    pub mean: Option<String>,
}

/// Statistics of the selected cells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SelectionFigures {
    /// Number of selected cells, including NULL.
    pub cells: u32,
    /// Number of values that are not NULL.
    pub count: u32,
    /// The sum of the numbers.
    pub sum: Option<String>,
    /// The mean of the numbers.
    pub mean: Option<String>,
}
