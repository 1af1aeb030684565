//! Reports of answers as files.

use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;
use vitrine_report::Chart;

/// The content of a report.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default, rename_all = "camelCase")]
pub struct ReportRequest {
    /// Ids of the runs, in the order of the report.
    pub runs: Vec<String>,
    /// True to include all questions of the threads to which the runs belong.
    pub thread: bool,
    /// Title of the report; empty to use the question.
    pub title: String,
    /// Maximum number of rows of each table; 0 uses the usual number.
    pub rows: u32,
    /// True to include the data that the privacy settings of the database withhold.
    pub everything: bool,
    /// Charts by run, `None` for no chart. Runs without an entry get the usual chart of their rows.
    pub charts: BTreeMap<String, Option<Chart>>,
}

/// The size of a report that was written to a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WrittenReport {
    /// Number of answers in the report.
    pub answers: u32,
    /// Number of questions of the thread without an answer, which the report omits.
    pub unanswered: u32,
    /// True if rows or values are withheld by the privacy settings of a database.
    pub withheld: bool,
}
