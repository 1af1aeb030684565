//! Open results.

use crate::state::spool::Spool;
use crate::types::ResultHandle;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode, ResultColumn};
use vitrine_words::tr;

/// Results kept open; the oldest is closed for a new one.
const MOST_OPEN: usize = 16;

/// Open results, oldest first.
#[derive(Default)]
pub(crate) struct Results(Mutex<VecDeque<Arc<OpenResult>>>);

/// A result that is read into a file.
pub(crate) struct OpenResult {
    pub(crate) id: String,
    pub(crate) columns: Vec<ResultColumn>,
    pub(crate) began: Instant,
    pub(crate) cancel: CancellationToken,
    pub(crate) state: Mutex<ResultRead>,
}

/// How far it is read.
pub(crate) struct ResultRead {
    pub(crate) spool: Spool,
    pub(crate) truncated: bool,
    /// When it ended, and why it ended badly.
    pub(crate) ended: Option<(Duration, Option<AppError>)>,
}

impl Drop for OpenResult {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl OpenResult {
    pub(crate) fn state(&self) -> parking_lot::MutexGuard<'_, ResultRead> {
        self.state.lock()
    }

    pub(crate) fn handle(&self) -> ResultHandle {
        let state = self.state();
        let elapsed = state.ended.as_ref().map_or_else(|| self.began.elapsed(), |(at, _)| *at);
        ResultHandle {
            result_id: self.id.clone(),
            columns: self.columns.clone(),
            row_count: state.spool.rows(),
            complete: state.ended.is_some(),
            truncated: state.truncated,
            elapsed_ms: u32::try_from(elapsed.as_millis()).unwrap_or(u32::MAX),
        }
    }

    pub(crate) fn end(&self, truncated: bool, error: Option<AppError>) {
        let mut state = self.state();
        state.truncated = truncated;
        state.ended = Some((self.began.elapsed(), error));
    }
}

impl Results {
    pub(crate) fn all(&self) -> parking_lot::MutexGuard<'_, VecDeque<Arc<OpenResult>>> {
        self.0.lock()
    }

    pub(crate) fn keep(&self, result: Arc<OpenResult>) {
        let mut open = self.all();
        if open.len() >= MOST_OPEN {
            open.pop_front();
        }
        open.push_back(result);
    }

    pub(crate) fn find(&self, id: &str) -> Result<Arc<OpenResult>, AppError> {
        self.all().iter().find(|result| result.id == id).cloned().ok_or_else(|| {
            AppError::new(ErrorCode::NotFound, tr!("This result is no longer open")).hint(tr!("Run the query again"))
        })
    }
}
