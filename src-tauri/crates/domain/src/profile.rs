//! What the data looks like: one profile per column, after ProSPy, appendix A.1.

use crate::{NumberForm, TableName};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::HashMap;

/// What a column is for, judged from its values and not from its name alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SemanticKind {
    /// Names one row or refers to one: keys, codes that are unique or nearly so.
    Identifier,
    /// Few repeated values to group and filter by.
    Dimension,
    /// A quantity to add up or average.
    Metric,
    /// A date, time or timestamp, also when it is stored as text or an integer (a hidden date).
    Time,
    /// Free text, or names with many distinct values.
    Text,
    /// JSON, lists, structs, maps.
    Nested,
    /// Geometry, or a latitude or longitude.
    Geo,
    /// Bytes: pictures, files, digests. Nothing to show and nothing to search.
    Binary,
    /// No value was seen.
    #[default]
    Empty,
}

/// The profile of one column, or of a place within a nested one. Ratios are within 0 and 1; counts refer to the rows
/// that were read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ColumnProfile {
    /// The column's name; of a place within a nested column its path, as in `paths`.
    pub name: String,
    /// Its type as declared; of a place within a nested column what JSON holds there: `integer`, `text`, `list[dict]`, or
    /// several with `/`.
    pub data_type: String,
    /// What it is for.
    pub kind: SemanticKind,
    /// Part of the rows whose value is NULL; below a list, part of its members.
    pub null_ratio: f64,
    /// Estimate of the number of distinct values.
    #[specta(type = f64)]
    pub distinct: u64,
    /// Smallest value as text, when values have an order that means something.
    pub min: Option<String>,
    /// Largest value as text.
    pub max: Option<String>,
    /// Mean as text, for numbers.
    pub mean: Option<String>,
    /// Standard deviation of a sample (divided by n - 1), to six digits, for numbers when there are two or more.
    pub stddev: Option<f64>,
    /// The most frequent values with their counts, most frequent first, ties by value; at most 20.
    #[specta(type = Vec<(String, f64)>)]
    pub top: Vec<(String, u64)>,
    /// A few distinct values in a stable order, shortened to 50 characters.
    pub samples: Vec<String>,
    /// Whether every value is among `top`: the column is categorical and `top` is its whole domain.
    pub complete: bool,
    /// For text that hides a date: its format in strptime letters, with the language of its months where that is not the
    /// engines' own (see [`crate::NamedMonths`]); for text that hides numbers: `number`, or how they are written, such as
    /// `number 1.234,56 €` (see [`NumberForm`]); for bytes and text that hide a geometry: how it is written, such as `WKB`,
    /// `EWKB` or `WKB in hexadecimal`.
    pub hidden: Option<String>,
    /// For nested columns: paths with `[]` for array members, each with its type.
    pub paths: Vec<(String, String)>,
    /// For nested columns: every place in them, each after the one that holds it, profiled like a column (ProSPy,
    /// appendix A.1, semi-structured columns).
    pub fields: Vec<ColumnProfile>,
}

impl ColumnProfile {
    /// How the numbers are written that a column of text hides.
    pub fn hidden_number(&self) -> Option<NumberForm> {
        self.hidden.as_deref().and_then(NumberForm::from_hidden)
    }
}

/// The profile of one table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TableProfile {
    /// The table.
    pub table: TableName,
    /// Number of rows in the table; `None` where nobody knows, as where a sample ended at its limit.
    #[specta(type = Option<f64>)]
    pub row_count: Option<u64>,
    /// Number of rows that the profile was taken from: all of them only where `row_count` is the same number.
    #[specta(type = f64)]
    pub profiled_rows: u64,
    /// One profile per column, in the table's order.
    pub columns: Vec<ColumnProfile>,
}

impl TableProfile {
    /// Whether every row was read. Of a sample nothing holds for the table: a value that it lacks may be stored, and one that it
    /// repeats everywhere, or nowhere, may not be so in the rows that were not read.
    pub fn is_whole(&self) -> bool {
        self.row_count == Some(self.profiled_rows)
    }

    /// Rows that were read where others were not; `None` where all were.
    pub fn sampled_rows(&self) -> Option<u64> {
        (!self.is_whole()).then_some(self.profiled_rows)
    }

    /// Finds a column's profile without regard to case.
    pub fn find_column(&self, name: &str) -> Option<&ColumnProfile> {
        self.columns.iter().find(|c| c.name.eq_ignore_ascii_case(name))
    }
}

/// The profile of one database. Usable while still growing: tables not yet read are simply absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// The fingerprint of the catalog that it was taken from.
    pub fingerprint: String,
    /// Profiles of the tables read so far.
    pub tables: Vec<TableProfile>,
    /// Whether every table has been read.
    pub complete: bool,
}

impl Profile {
    /// Maps table names to their profiles, for lookups of many tables.
    pub fn by_table(&self) -> HashMap<&TableName, &TableProfile> {
        self.tables.iter().map(|table| (&table.table, table)).collect()
    }

    /// Finds a table's profile. Its time grows with the number of tables.
    pub fn find_table(&self, name: &TableName) -> Option<&TableProfile> {
        self.tables.iter().find(|t| &t.table == name)
    }
}
