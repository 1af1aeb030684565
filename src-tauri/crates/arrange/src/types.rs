//! The requests and answers of the window about open rows.

use serde::{Deserialize, Serialize};
use specta::Type;

/// An order of rows and the filters that they pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Arrangement {
    /// The order; without one, rows stay as the result has them.
    pub order: Option<RowOrder>,
    /// Filters, all of which a row passes.
    pub filters: Vec<RowFilter>,
    /// Language and region by which texts are ordered.
    pub locale: String,
}

/// An order by the values of a column. NULL comes last in both directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RowOrder {
    /// The column, from 0.
    pub column: u32,
    /// Whether the largest value comes first.
    pub down: bool,
}

/// A filter of a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RowFilter {
    /// The column, from 0.
    pub column: u32,
    /// The condition.
    pub test: RowTest,
}

/// A condition on a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum RowTest {
    /// NULL or the empty text.
    Empty,
    /// A value that is not empty.
    Filled,
    /// The text is in the value, exact or as it is shown; capitals do not count.
    Contains {
        /// The text.
        text: String,
        /// The form in which the column is shown.
        shown: ShownAs,
    },
    /// The exact text.
    Same {
        /// The text.
        text: String,
        /// Whether capitals count.
        case: bool,
    },
    /// A value between two places, both included: numbers as digits, moments and times of day in nanoseconds.
    Range {
        /// The lowest place.
        from: Option<String>,
        /// The highest place.
        to: Option<String>,
    },
}

/// The form in which the values of a column are shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum ShownAs {
    /// As they are.
    Exact,
    /// JSON without white space between its parts.
    Json,
    /// Numbers with groups of digits.
    Number {
        /// Separators of the language.
        number: ShownNumber,
        /// Whether a whole number of four digits is a year, and has no separator.
        years: bool,
    },
    /// Numbers rounded to some places, with a sign or unit around them.
    Rounded {
        /// Separators of the language.
        number: ShownNumber,
        /// Digits behind the point.
        places: u32,
        /// Places by which the point is moved to the right, as for percent.
        shift: u32,
        /// Texts before and after a number that is not negative.
        positive: (String, String),
        /// Texts before and after a negative number.
        negative: (String, String),
    },
    /// Dates, with a time where there is one.
    Day {
        /// A date of each month, January first, with `{d}` or `{dd}` for the day and `{y}` for the year.
        months: Vec<String>,
    },
}

/// Separators of numbers in a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ShownNumber {
    /// Separator of groups.
    pub group: String,
    /// Separator of the fraction.
    pub point: String,
    /// Digits of the last group.
    pub first: u32,
    /// Digits of the other groups.
    pub next: u32,
    /// Digits from which on numbers are grouped.
    pub least: u32,
}

/// A column that is searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchedColumn {
    /// The column, from 0.
    pub column: u32,
    /// The form in which it is shown.
    pub shown: ShownAs,
}

/// A cell in which a text was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundCell {
    /// The row, from 0, in the order of the rows that were searched.
    pub row: u32,
    /// The place of the column among those that were searched.
    pub column: u32,
}

/// Figures about the values of a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ColumnFigures {
    /// Rows.
    pub rows: u32,
    /// Rows with NULL.
    pub nulls: u32,
    /// Texts of no characters.
    pub empty: u32,
    /// Different values.
    pub distinct: u32,
    /// The least value, if values have an order.
    pub least: Option<String>,
    /// The largest value, if values have an order.
    pub most: Option<String>,
    /// The sum, of numbers.
    pub sum: Option<String>,
    /// The mean, of numbers.
    pub mean: Option<String>,
}

/// Figures about selected cells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SelectionFigures {
    /// Cells.
    pub cells: u32,
    /// Values that are not NULL.
    pub count: u32,
    /// The sum of the numbers.
    pub sum: Option<String>,
    /// The mean of the numbers.
    pub mean: Option<String>,
}
