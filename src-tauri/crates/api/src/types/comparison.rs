//! Comparison of two runs.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{Certainty, MethodName, RunStatus, Steered, Usage};

/// Comparison of two runs and their results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RunComparison {
    /// The run that was named first.
    pub left: RunSide,
    /// The run that was named second.
    pub right: RunSide,
    /// Comparison of their results; `None` if one run has no result.
    pub rows: Option<RowsComparison>,
}

/// One of two compared runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RunSide {
    /// Id by which the run is read.
    pub run_id: String,
    /// The question of the run.
    pub question: String,
    /// Method of the run; `None` if the log does not contain it.
    pub strategy: Option<MethodName>,
    /// Status of the run when it was compared.
    pub status: RunStatus,
    /// Address of the warehouse of the run.
    pub warehouse: String,
    /// Start time: RFC 3339, UTC.
    pub started_at: String,
    /// Query of the answer; `None` without an answer.
    pub sql: Option<String>,
    /// Code of the answer; `None` if the SQL alone gives it.
    pub code: Option<String>,
    /// Number of rows in the answer.
    #[specta(type = Option<f64>)]
    pub row_count: Option<u64>,
    /// Certainty of the answer; `None` if it is unknown.
    pub certainty: Option<Certainty>,
    /// Cost up to the answer.
    pub usage: Usage,
    /// The earlier run that it continues, with the changes.
    pub steered: Option<Steered>,
}

/// Comparison of two results, row by row.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RowsComparison {
    /// Columns in both results, by the names of the first.
    pub columns: Vec<String>,
    /// Columns that only the first result has.
    pub columns_left: Vec<String>,
    /// Columns that only the second result has.
    pub columns_right: Vec<String>,
    /// Columns that identify a row in both results; empty if whole rows are compared.
    pub key: Vec<String>,
    /// Number of rows that are equal in both results.
    #[specta(type = f64)]
    pub same: u64,
    /// First rows with the same key and different values.
    pub changed: Vec<ChangedRow>,
    /// Number of rows with the same key and different values.
    #[specta(type = f64)]
    pub changed_count: u64,
    /// First rows that only the first result has.
    pub only_left: Vec<Vec<Option<String>>>,
    /// Number of rows that only the first result has.
    #[specta(type = f64)]
    pub only_left_count: u64,
    /// First rows that only the second result has.
    pub only_right: Vec<Vec<Option<String>>>,
    /// Number of rows that only the second result has.
    #[specta(type = f64)]
    pub only_right_count: u64,
    /// True if rows are missing because the log contains only the first ones.
    pub partial: bool,
}

/// A row that both results have, with different values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChangedRow {
    /// Values of the key columns.
    pub key: Vec<Option<String>>,
    /// The cells that differ, with both values.
    pub cells: Vec<ChangedCell>,
}

/// A cell with different values in the two results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChangedCell {
    /// Name of the column that contains the cell.
    pub column: String,
    /// Value in the first result.
    pub left: Option<String>,
    /// Value in the second result.
    pub right: Option<String>,
}
