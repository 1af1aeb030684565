//! Events of a run: their sink, the rows that the log keeps, and errors of stages.

use vitrine_domain::{AppError, EventBody, Page};
use vitrine_llm::LlmError;
use vitrine_warehouse::WarehouseError;

/// Receiver of events. The implementation numbers each event, commits it, and only then shows it.
pub trait RunSink: Send + Sync {
    /// Receives the next event of the run.
    fn emit(&self, body: EventBody);
    /// Returns the milliseconds since the run began.
    fn elapsed_ms(&self) -> u32;
}

/// Error of a failed stage.
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

/// Cuts the text of a long cell and marks it as cut.
fn truncate_cell(cell: &str) -> String {
    match cell.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}...", &cell[..end]),
        None => cell.to_owned(),
    }
}

/// Number of rows that the log keeps of results other than the answer.
const KEPT: usize = 20;

/// Number of characters that the log keeps of a cell of such results; the answer keeps its whole cells.
const LETTERS: usize = 10_000;

/// Reduces a page to its first rows and shortens long cells; the row count remains that of the result.
pub fn sample_page(page: &Page) -> Page {
    Page {
        columns: page.columns.clone(),
        rows: page
            .rows
            .iter()
            .take(KEPT)
            .map(|row| row.iter().map(|cell| cell.as_deref().map(truncate_cell)).collect())
            .collect(),
        row_count: page.row_count,
        truncated: page.truncated,
    }
}
