//! Results for paging, and long-running work.

use serde::{Deserialize, Serialize};
use specta::Type;
use std::path::PathBuf;
use vitrine_domain::{AppError, ExportAbout, ResultColumn};
use vitrine_warehouse::ExportFormat;

/// Properties of a query that was prepared but not run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SqlCheck {
    /// Names and types of the columns of its result.
    pub columns: Vec<ResultColumn>,
    /// Estimated number of bytes that it would read, if the database gives an estimate.
    #[specta(type = Option<f64>)]
    pub bytes: Option<u64>,
    /// Estimated cost in millionths of a US dollar, at the price of the connection.
    #[specta(type = Option<f64>)]
    pub money: Option<u64>,
}

/// A result that is being read, or was read completely.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ResultHandle {
    /// Id of the result in later calls.
    pub result_id: String,
    /// Names and types of the columns.
    pub columns: Vec<ResultColumn>,
    /// Number of rows read so far.
    #[specta(type = f64)]
    pub row_count: u64,
    /// True if reading has ended.
    pub complete: bool,
    /// True if reading ended before the end of the result.
    pub truncated: bool,
    /// Reason that no more rows could be stored, if that ended the reading.
    pub out_of_room: Option<OutOfRoom>,
    /// Duration of reading so far, in milliseconds.
    pub elapsed_ms: u32,
}

/// Sorted or filtered rows of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ArrangedRows {
    /// Id of the arrangement for later calls.
    pub view: String,
    /// Number of rows in the arrangement.
    pub row_count: u32,
}

/// The reason that further rows of a result are not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum OutOfRoom {
    /// The disk is full or nearly full.
    Disk,
    /// The result has reached its maximum size.
    Result,
}

/// Format options of a CSV file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CsvStyle {
    /// True if text is escaped so that spreadsheets do not evaluate it as formulas.
    pub guard_formulas: bool,
    /// True if the file begins with a byte order mark, by which some spreadsheets detect UTF-8.
    pub byte_order_mark: bool,
}

/// A file to write; an existing one is replaced once the new one is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportFile {
    /// Path to which the file is written.
    pub path: PathBuf,
    /// Format of the file, such as CSV.
    pub format: ExportFormat,
    /// Format options, used for CSV only.
    pub style: CsvStyle,
    /// Description that is written with the rows.
    pub about: Option<ExportAbout>,
}

/// A file that the user chose for saving.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChosenFile {
    /// Token that permits one command to write the file once.
    pub token: String,
    /// Path of the file, for display only.
    pub path: String,
}

/// The kind of an SQL request to a warehouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum AskedFor {
    /// The rows of the query.
    Rows,
    /// The engine's execution plan of the query.
    Plan,
    /// The source rows of one result row.
    RowsBehind,
    /// The explanation of a metric's change; the metric's name takes the place of the SQL text.
    MetricChange,
}

/// The kind of file that a dialog asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum OpenKind {
    /// A database file of SQLite.
    Sqlite,
    /// A database file of DuckDB.
    Duckdb,
    /// A data file, such as CSV or Parquet.
    File,
    /// A folder, for example of data files.
    Folder,
    /// SQL scripts of a schema.
    Ddl,
    /// A dbt properties file or manifest.
    Dbt,
    /// A model in GGUF format.
    Gguf,
    /// The library of a database driver.
    Driver,
    /// An evidence bundle that was exported.
    Bundle,
    /// A workspace that was exported to a file.
    Workspace,
}

/// A table that code returned, stored beside the views that it read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct KeptTable {
    /// Id of the run or saved question that owns the views.
    pub owner: String,
    /// True for the table of code that the user ran, false for the run's answer.
    pub rerun: bool,
}

/// Kinds of jobs in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum JobKind {
    /// Writes a result to a file.
    ResultExport,
    /// Downloads the files of a model.
    ModelPull,
    /// Installs Python and its packages for analysis.
    PythonInstall,
    /// Evaluates a method; the title is the evaluation's id.
    Evaluation,
    /// Writes the workspace to a file.
    WorkspaceExport,
    /// Previews or imports a workspace from a file.
    WorkspaceImport,
}

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum JobState {
    /// The job has not ended yet.
    Running,
    /// The job ended without error.
    Done,
    /// The job ended with an error.
    Failed,
    /// The user stopped the job.
    Cancelled,
}

/// The complete current state of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct JobEvent {
    /// Id of the job in later calls.
    pub job_id: String,
    /// Kind of work that the job does.
    pub kind: JobKind,
    /// Title of the job for users.
    pub title: String,
    /// Number of units that are finished.
    #[specta(type = f64)]
    pub done: u64,
    /// Total number of units; `None` if unknown.
    #[specta(type = Option<f64>)]
    pub total: Option<u64>,
    /// The unit: `rows`, `bytes`, `questions` or `records`.
    pub unit: String,
    /// State of the job at this event.
    pub state: JobState,
    /// Error of a failed job.
    pub error: Option<AppError>,
    /// Path of the file that the job writes.
    pub path: Option<String>,
}
