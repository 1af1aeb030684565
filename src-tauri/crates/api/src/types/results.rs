//! Results that are paged through, and work that takes a while.

use serde::{Deserialize, Serialize};
use specta::Type;
use std::path::PathBuf;
use vitrine_domain::{AppError, ExportAbout, ResultColumn};
use vitrine_warehouse::ExportFormat;

/// What is known of a query that was prepared and not run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SqlCheck {
    /// The columns that its result would have.
    pub columns: Vec<ResultColumn>,
    /// Bytes that it would read, where the database estimates that.
    #[specta(type = Option<f64>)]
    pub bytes: Option<u64>,
    /// What it would be billed for, in millionths of a US dollar at the price of the connection.
    #[specta(type = Option<f64>)]
    pub money: Option<u64>,
}

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
    /// Why no more rows could be kept, where that ended it.
    pub out_of_room: Option<OutOfRoom>,
    /// Milliseconds of reading so far.
    pub elapsed_ms: u32,
}

/// Rows of a result in another order, or some of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ArrangedRows {
    /// Names them in later calls.
    pub view: String,
    /// The number of rows.
    pub row_count: u32,
}

/// What keeps further rows of a result from being kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum OutOfRoom {
    /// The disk is full, or nearly.
    Disk,
    /// The result is as large as one may be.
    Result,
}

/// How a CSV file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CsvStyle {
    /// Whether to keep spreadsheets from running text as formulas.
    pub guard_formulas: bool,
    /// Whether the file begins with a byte order mark, by which some spreadsheets know that it is UTF-8.
    pub byte_order_mark: bool,
}

/// A file to be written; replaced when it exists, once the new one is whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportFile {
    /// Where.
    pub path: PathBuf,
    /// As what.
    pub format: ExportFormat,
    /// How, where it is CSV.
    pub style: CsvStyle,
    /// What goes with the rows.
    pub about: Option<ExportAbout>,
}

/// A file that the user chose to save something to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChosenFile {
    /// Lets one command write the file, once.
    pub token: String,
    /// Where it is, for people.
    pub path: String,
}

/// What is asked of a warehouse by SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum AskedFor {
    /// Its rows.
    Rows,
    /// The engine's plan.
    Plan,
    /// The rows behind one of its rows.
    RowsBehind,
}

/// What a dialog asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum OpenKind {
    /// An SQLite database.
    Sqlite,
    /// A DuckDB database.
    Duckdb,
    /// A data file.
    File,
    /// A folder.
    Folder,
    /// SQL scripts of a schema.
    Ddl,
    /// A file of dbt.
    Dbt,
    /// A model.
    Gguf,
    /// The library of a database's driver.
    Driver,
    /// An evidence bundle.
    Bundle,
    /// An exported workspace.
    Workspace,
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
    /// A result goes to a file.
    ResultExport,
    /// A model's files are fetched.
    ModelPull,
    /// Python is set up for analysis.
    PythonInstall,
    /// A method is measured; the title is the evaluation's id.
    Evaluation,
    /// The workspace goes to a file.
    WorkspaceExport,
    /// A workspace of elsewhere is looked at, or taken in.
    WorkspaceImport,
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
    /// `rows`, `bytes`, `questions` or `records`.
    pub unit: String,
    /// How it stands.
    pub state: JobState,
    /// Why it failed.
    pub error: Option<AppError>,
    /// The file it makes.
    pub path: Option<String>,
}
