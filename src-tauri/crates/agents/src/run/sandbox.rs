//! Where fetched views are kept and analysed. Both are given from outside: nothing here knows a folder or an interpreter.

use async_trait::async_trait;
use std::path::PathBuf;
use tokio_util::sync::CancellationToken;
use vitrine_domain::Page;

/// A place for the views of one run, and an interpreter that may read nothing else.
#[async_trait]
pub trait AnalysisSandbox: Send + Sync {
    /// The folder of this run; views are kept there as `NAME.parquet`.
    fn folder(&self) -> PathBuf;

    /// Runs code over kept views. Each is a table of its name; what the code assigns to `result` is the table that comes
    /// back, at most `rows` rows of it.
    ///
    /// # Errors
    /// [`AnalysisError::Code`] where the code is to blame, so that it can be corrected.
    async fn analyse(
        &self,
        code: &str,
        views: &[String],
        rows: u64,
        cancel: CancellationToken,
    ) -> Result<Analysed, AnalysisError>;
}

/// What an analysis gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysed {
    /// Its table.
    pub page: Page,
    /// What it printed, cut off.
    pub printed: String,
}

/// Why an analysis gave no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    /// The code is wrong: type of the error, message and line.
    #[error("{0}")]
    Code(String),
    /// It cannot be run here, whatever the code.
    #[error("{0}")]
    Unavailable(String),
    /// Stopped.
    #[error("it was stopped")]
    Cancelled,
}

/// An analysis that gave a table.
pub struct Analysis {
    /// The code.
    pub code: String,
    /// Its table.
    pub page: Page,
}
