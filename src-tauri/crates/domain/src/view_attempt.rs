//! Views that a model writes for a chunk of the schema, with the outcome of their execution.

use crate::Page;
use serde::{Deserialize, Serialize};
use specta::Type;

/// The outcome of executing a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ViewStatus {
    /// The view ran and returned rows.
    Valid,
    /// The view ran and returned no rows.
    Empty,
    /// The view did not run.
    Error,
}

/// A view, that is a named CTE, in one attempt of its chunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ViewAttempt {
    /// The name of the CTE.
    pub name: String,
    /// The query of the CTE, without the CTEs it depends on.
    pub sql: String,
    /// The model's reason for the view.
    pub rationale: String,
    /// Names of the views it reads.
    pub depends_on: Vec<String>,
    /// The outcome of its execution.
    pub status: ViewStatus,
    /// Changes of the name repair before execution, one sentence each.
    #[serde(default)]
    pub repairs: Vec<String>,
    /// The error message of the database or the binder; `None` if it ran.
    pub error: Option<String>,
    /// A few rows; `row_count` is the view's number of rows, up to the limit.
    pub page: Option<Page>,
    /// Distinct values of each column of `page`; only recorded if prompts contain them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distinct: Vec<DistinctValues>,
}

/// The distinct values of a column of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DistinctValues {
    /// Number of distinct values among the rows read.
    pub count: u32,
    /// The most frequent ones, shortened; empty if hardly any occurs twice.
    pub values: Vec<String>,
}
