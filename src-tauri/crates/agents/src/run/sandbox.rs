//! Interface of the analysis sandbox. The implementation is passed in: this crate knows neither folders nor interpreters.

use async_trait::async_trait;
use std::path::PathBuf;
use tokio_util::sync::CancellationToken;
use vitrine_domain::Page;

/// A folder for the views of one run, and an interpreter that may read nothing else.
#[async_trait]
pub trait AnalysisSandbox: Send + Sync {
    /// Returns the folder of this run; views are stored there as `NAME.parquet`.
    fn folder(&self) -> PathBuf;

    /// Runs code over stored views. Each view is a table of its name; the code assigns its result table to `result`, and at most `rows`
    /// rows of it are read.
    ///
    /// # Errors
    /// [`AnalysisError::Code`] if the code is wrong, so that it can be corrected.
    async fn run_code(
        &self,
        code: &str,
        views: &[String],
        rows: u64,
        cancel: CancellationToken,
    ) -> Result<Analysed, AnalysisError>;
}

/// Outcome of running the code of an analysis.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysed {
    /// Table that the code assigned to `result`.
    pub page: Page,
    /// Printed output of the code, shortened.
    pub printed: String,
}

/// Reasons why an analysis returned no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    /// The code fails with an error of its own.
    #[error("{error}")]
    Code {
        /// Type of the error, message and line.
        error: String,
        /// Printed output before the error, shortened.
        printed: String,
    },
    /// The sandbox cannot run on this computer, whatever the code.
    #[error("{0}")]
    Unavailable(String),
    /// The run was stopped during the analysis.
    #[error("it was stopped")]
    Cancelled,
}

impl AnalysisError {
    /// Creates the error of code that printed nothing.
    pub fn of_code(error: impl Into<String>) -> Self {
        Self::Code { error: error.into(), printed: String::new() }
    }
}

/// An analysis that returned a table.
pub struct Analysis {
    /// Python code of the analysis.
    pub code: String,
    /// Table that the code returned.
    pub page: Page,
}
