//! The outcome of an import.

use crate::definition::MetricsFile;

/// The definitions of some files.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImportedMetrics {
    /// The imported definitions.
    pub file: MetricsFile,
    /// What was not imported, in the order of the files.
    pub skipped: Vec<Skipped>,
}

/// A part of a file that was not imported.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Skipped {
    /// The kind, such as `metric` or `dimension`.
    pub kind: String,
    /// The name in the file.
    pub name: String,
    /// The reason, for users.
    pub reason: String,
}
