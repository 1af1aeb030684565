//! Profiles: statistics of columns, after ProSPy, appendix A.1.

use crate::{NumberForm, TableName};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::HashMap;

/// The role of a column, derived from its values and not only from its name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SemanticKind {
    /// Identifies a row or references one: keys, codes that are unique or nearly unique.
    Identifier,
    /// Few repeated values, used for grouping and filtering.
    Dimension,
    /// A quantity that can be added up or averaged.
    Metric,
    /// A date, time or timestamp, also if it is stored as text or an integer (a hidden date).
    Time,
    /// Free text, or names with many distinct values.
    Text,
    /// Nested values: JSON, lists, structs and maps.
    Nested,
    /// A geometry, or a latitude or longitude.
    Geo,
    /// Bytes such as pictures, files or digests, which are neither shown nor searched.
    Binary,
    /// Only NULLs, or no rows.
    #[default]
    Empty,
}

/// The profile of a column, or of a path within a nested column. Ratios are between 0 and 1; counts refer to the
/// profiled rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ColumnProfile {
    /// The column's name, or the path within a nested column as in `paths`.
    pub name: String,
    /// The declared type. For a path within a nested column, its JSON types: `integer`, `text`, `list[dict]`, or
    /// several joined with `/`.
    pub data_type: String,
    /// The role of the column.
    pub kind: SemanticKind,
    /// Share of rows with NULL; below a list, share of its members.
    pub null_ratio: f64,
    /// Estimated number of distinct values.
    #[specta(type = f64)]
    pub distinct: u64,
    /// The smallest value as text, if the values have a meaningful order.
    pub min: Option<String>,
    /// The largest value as text.
    pub max: Option<String>,
    /// The mean as text, for numbers.
    pub mean: Option<String>,
    /// Sample standard deviation (divided by n - 1) with six digits, for two or more numbers.
    pub stddev: Option<f64>,
    /// The most frequent values with their counts, in descending order, ties by value; at most 20.
    #[specta(type = Vec<(String, f64)>)]
    pub top: Vec<(String, u64)>,
    /// A few distinct values in a stable order, truncated to 50 characters.
    pub samples: Vec<String>,
    /// True if `top` contains every value, so that it is the whole domain of a categorical column.
    pub complete: bool,
    /// For text with dates: the format in strptime syntax, with the language of month names if it is not the engine's
    /// (see [`crate::NamedMonths`]). For text with numbers: `number`, or their format such as `number 1.234,56 €` (see
    /// [`NumberForm`]). For bytes and text with geometries: the encoding, such as `WKB`, `EWKB` or `WKB in
    /// hexadecimal`.
    pub hidden: Option<String>,
    /// For nested columns: paths with `[]` for array members, each with its type.
    pub paths: Vec<(String, String)>,
    /// For nested columns: the profiles of all paths, each after its parent (ProSPy, appendix A.1, semi-structured
    /// columns).
    pub fields: Vec<ColumnProfile>,
}

impl ColumnProfile {
    /// Returns the format of the numbers that a text column contains, if any.
    pub fn hidden_number(&self) -> Option<NumberForm> {
        self.hidden.as_deref().and_then(NumberForm::from_hidden)
    }
}

/// The profile of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TableProfile {
    /// The name of the table.
    pub table: TableName,
    /// Number of rows in the table; `None` if unknown, such as if sampling stopped at its limit.
    #[specta(type = Option<f64>)]
    pub row_count: Option<u64>,
    /// Number of profiled rows. The profile covers the whole table only if `row_count` is the same number.
    #[specta(type = f64)]
    pub profiled_rows: u64,
    /// One profile per column, in the table's order.
    pub columns: Vec<ColumnProfile>,
}

impl TableProfile {
    /// Returns true if every row was profiled. The profile of a sample proves nothing about the table: other values may
    /// occur in the remaining rows, and values that look unique or constant may not be.
    pub fn is_whole(&self) -> bool {
        self.row_count == Some(self.profiled_rows)
    }

    /// Returns the number of profiled rows if they are a sample; `None` if all rows were profiled.
    pub fn sampled_rows(&self) -> Option<u64> {
        (!self.is_whole()).then_some(self.profiled_rows)
    }

    /// Finds the profile of a column, ignoring case.
    pub fn find_column(&self, name: &str) -> Option<&ColumnProfile> {
        self.columns.iter().find(|c| c.name.eq_ignore_ascii_case(name))
    }
}

/// The profile of a database. It can be used while it grows; tables not read yet are missing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// The fingerprint of the profiled catalog.
    pub fingerprint: String,
    /// Profiles of the tables read so far.
    pub tables: Vec<TableProfile>,
    /// True if every table has been read.
    pub complete: bool,
}

impl Profile {
    /// Maps table names to their profiles, for lookups of many tables.
    pub fn by_table(&self) -> HashMap<&TableName, &TableProfile> {
        self.tables.iter().map(|table| (&table.table, table)).collect()
    }

    /// Finds the profile of a table, in time linear in the number of tables.
    pub fn find_table(&self, name: &TableName) -> Option<&TableProfile> {
        self.tables.iter().find(|t| &t.table == name)
    }
}
