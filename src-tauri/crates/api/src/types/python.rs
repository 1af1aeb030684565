//! Analysis in Python.

use super::ResultHandle;
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::AppError;

/// State of analysis in Python: installed code can be run over fetched views.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PythonStatus {
    /// True if the interpreter and its packages are installed.
    pub installed: bool,
    /// Size of the installation on disk, in bytes.
    #[specta(type = f64)]
    pub bytes: u64,
    /// Approximate size of an installation in bytes.
    #[specta(type = f64)]
    pub needed_bytes: u64,
    /// Reason that code cannot be run safely on this computer, which disables analysis; `None` if it can.
    pub unavailable: Option<String>,
}

/// The outcome of code that the user ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CodeOutcome {
    /// The resulting table, open for paging.
    pub result: Option<ResultHandle>,
    /// Printed output, cut at 64 KiB.
    pub printed: String,
    /// Error of the code; `None` if it returned a table.
    pub error: Option<AppError>,
    /// Duration of the execution in milliseconds.
    pub elapsed_ms: u32,
    /// Notes about the views, for example that one was cut.
    pub notes: Vec<String>,
}
