//! Two runs side by side.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{Certainty, MethodName, RunStatus, Steered, Usage};

/// Two runs side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RunComparison {
    /// The one that was named first.
    pub left: RunSide,
    /// The other.
    pub right: RunSide,
    /// Their results; `None` where one has none.
    pub rows: Option<RowsComparison>,
}

/// One of two runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RunSide {
    /// The run.
    pub run_id: String,
    /// As asked.
    pub question: String,
    /// How it was worked on.
    pub strategy: Option<MethodName>,
    /// How it stands.
    pub status: RunStatus,
    /// The warehouse's address.
    pub warehouse: String,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// The answer's query.
    pub sql: Option<String>,
    /// The code that gave the answer, where it is not the SQL alone.
    pub code: Option<String>,
    /// Rows of the answer.
    #[specta(type = Option<f64>)]
    pub row_count: Option<u64>,
    /// How sure the answer is.
    pub certainty: Option<Certainty>,
    /// What it cost up to the answer.
    pub usage: Usage,
    /// The earlier run that it goes on from, with what was set.
    pub steered: Option<Steered>,
}

/// Two results compared.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RowsComparison {
    /// The columns that both have, by the names of the first.
    pub columns: Vec<String>,
    /// Columns that only the first has.
    pub columns_left: Vec<String>,
    /// Columns that only the second has.
    pub columns_right: Vec<String>,
    /// The columns that name a row in both; empty where whole rows are compared.
    pub key: Vec<String>,
    /// Rows that are the same.
    #[specta(type = f64)]
    pub same: u64,
    /// Rows of the same key with other values, the first of them.
    pub changed: Vec<ChangedRow>,
    /// How many these are.
    #[specta(type = f64)]
    pub changed_count: u64,
    /// Rows that only the first has, the first of them.
    pub only_left: Vec<Vec<Option<String>>>,
    /// How many these are.
    #[specta(type = f64)]
    pub only_left_count: u64,
    /// Rows that only the second has, the first of them.
    pub only_right: Vec<Vec<Option<String>>>,
    /// How many these are.
    #[specta(type = f64)]
    pub only_right_count: u64,
    /// Whether rows are missing because the log holds only the first ones.
    pub partial: bool,
}

/// A row that both have, with other values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChangedRow {
    /// The values of the key.
    pub key: Vec<Option<String>>,
    /// What differs.
    pub cells: Vec<ChangedCell>,
}

/// A value that differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChangedCell {
    /// Its column.
    pub column: String,
    /// In the first result.
    pub left: Option<String>,
    /// In the second one.
    pub right: Option<String>,
}
