//! Where the events of a run go, what the log keeps of a result, and how a stage fails.

use vitrine_domain::{AppError, EventBody, Page};
use vitrine_llm::LlmError;
use vitrine_warehouse::WarehouseError;

/// Where events go. The implementation numbers each event, commits it, and only then shows it.
pub trait RunSink: Send + Sync {
    /// Takes in what happened.
    fn emit(&self, body: EventBody);
    /// Milliseconds since the run began.
    fn elapsed_ms(&self) -> u32;
}

/// Why a stage could not go on.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct StageError(pub AppError);

impl From<AppError> for StageError {
    fn from(error: AppError) -> Self {
        Self(error)
    }
}

impl From<LlmError> for StageError {
    fn from(error: LlmError) -> Self {
        Self(error.into())
    }
}

impl From<WarehouseError> for StageError {
    fn from(error: WarehouseError) -> Self {
        Self(error.into())
    }
}

/// Rows that the log keeps of a result that is not the answer.
const KEPT: usize = 20;

/// A page with its first rows alone; the number of rows stays that of the result.
pub fn sample(page: &Page) -> Page {
    Page {
        columns: page.columns.clone(),
        rows: page.rows.iter().take(KEPT).cloned().collect(),
        row_count: page.row_count,
        truncated: page.truncated,
    }
}
