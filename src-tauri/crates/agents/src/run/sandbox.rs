//! The interface of the analysis sandbox. The implementation is passed in: this crate knows no folder and no
//! interpreter.

use async_trait::async_trait;
use std::path::PathBuf;
use tokio_util::sync::CancellationToken;
use vitrine_domain::Page;

/// A folder for the views of one run, and an interpreter that may read nothing else.
#[async_trait]
pub trait AnalysisSandbox: Send + Sync {
    /// The folder of this run; views are kept there as `NAME.parquet`.
    fn folder(&self) -> PathBuf;

    /// Runs code over stored views. Each is a table of its name; the code assigns the table that it returns to
    /// `result`, of which at most `rows` rows are read.
    ///
    /// # Errors
    /// [`AnalysisError::Code`] where the code is to blame, so that it can be corrected.
    async fn run_code(
        &self,
        code: &str,
        views: &[String],
        rows: u64,
        cancel: CancellationToken,
    ) -> Result<Analysed, AnalysisError>;
}

/// The outcome of an analysis.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysed {
    /// Its table.
    pub page: Page,
    /// Its printed output, shortened.
    pub printed: String,
}

/// Why an analysis returned no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    /// The code is wrong: type of the error, message and line.
    #[error("{0}")]
    Code(String),
    /// It cannot run here, whatever the code.
    #[error("{0}")]
    Unavailable(String),
    /// Stopped.
    #[error("it was stopped")]
    Cancelled,
}

/// An analysis that returned a table.
pub struct Analysis {
    /// The code.
    pub code: String,
    /// Its table.
    pub page: Page,
}
