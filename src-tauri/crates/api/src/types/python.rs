//! Analysis in Python.

use serde::{Deserialize, Serialize};
use specta::Type;

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
    /// Why no code can be run safely on this machine, if so: then it stays off.
    pub unavailable: Option<String>,
}
