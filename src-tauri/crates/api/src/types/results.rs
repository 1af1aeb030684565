//! Results that are paged through, and work that takes a while.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{AppError, ResultColumn};

/// A result that is being read, or was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ResultHandle {
    /// Names it in later calls.
    pub result_id: String,
    /// Its columns.
    pub columns: Vec<ResultColumn>,
    /// Rows read so far.
    #[specta(type = f64)]
    pub row_count: u64,
    /// Whether reading has ended.
    pub complete: bool,
    /// Whether reading ended before the result did.
    pub truncated: bool,
    /// Milliseconds of reading so far.
    pub elapsed_ms: u32,
}

/// A whole result to be written to a CSV file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CsvRequest {
    /// The warehouse's address.
    pub warehouse: String,
    /// One query.
    pub sql: String,
    /// The file; replaced when it exists, once the new one is whole.
    pub path: String,
    /// Whether to keep spreadsheets from running text as formulas.
    pub guard_formulas: bool,
}

/// The CSV file that a kept table is written to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CsvFile {
    /// The file; replaced when it exists, once the new one is whole.
    pub path: String,
    /// Whether to keep spreadsheets from running text as formulas.
    pub guard_formulas: bool,
}

/// A table that code gave, kept beside the views that it read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct KeptTable {
    /// The run, or the saved question, that the views are of.
    pub owner: String,
    /// Whether it is what code gave that a person ran, and not the run's answer.
    pub rerun: bool,
}

/// Kinds of work in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum JobKind {
    /// A result goes to a CSV file.
    CsvExport,
    /// A model's files are fetched.
    ModelPull,
    /// Python is set up for analysis.
    PythonInstall,
    /// A method is measured; the title is the evaluation's id.
    Evaluation,
}

/// How a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum JobState {
    /// At work.
    Running,
    /// Ended well.
    Done,
    /// Ended with an error.
    Failed,
    /// Stopped by the person.
    Cancelled,
}

/// The state of a job, whole, as of now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct JobEvent {
    /// The job.
    pub job_id: String,
    /// What kind.
    pub kind: JobKind,
    /// For people.
    pub title: String,
    /// Units done.
    #[specta(type = f64)]
    pub done: u64,
    /// Units in all, when known.
    #[specta(type = Option<f64>)]
    pub total: Option<u64>,
    /// `rows`, `bytes` or `questions`.
    pub unit: String,
    /// How it stands.
    pub state: JobState,
    /// Why it failed.
    pub error: Option<AppError>,
    /// The file it makes.
    pub path: Option<String>,
}
