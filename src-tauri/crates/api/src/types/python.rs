//! Analysis in Python.

use super::ResultHandle;
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::AppError;

/// Whether code can be run over fetched views.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PythonStatus {
    /// Whether the interpreter and its packages are set up.
    pub installed: bool,
    /// Bytes that they take on disk.
    #[specta(type = f64)]
    pub bytes: u64,
    /// About how many they need.
    #[specta(type = f64)]
    pub needed_bytes: u64,
    /// Why no code can be run safely on this computer, if so: then it stays off.
    pub unavailable: Option<String>,
}

/// What code gave that a person ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CodeOutcome {
    /// Its table, open for paging.
    pub result: Option<ResultHandle>,
    /// What it printed, cut off at 64 KiB.
    pub printed: String,
    /// Why there is no table: the code is at fault.
    pub error: Option<AppError>,
    /// Milliseconds of its work.
    pub elapsed_ms: u32,
    /// What to know about the views, such as that one was cut off.
    pub notes: Vec<String>,
}
