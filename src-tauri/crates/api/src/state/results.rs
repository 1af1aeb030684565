//! Open results.

use crate::state::arranged::Arranged;
use crate::state::spool::Spool;
use crate::types::{OutOfRoom, ResultHandle};
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
    pub(crate) arranged: Arranged,
}

/// How far it is read.
pub(crate) struct ResultRead {
    pub(crate) spool: Spool,
    /// When reading ended, and how.
    pub(crate) ended: Option<(Duration, Ending)>,
}

/// How reading a result ended.
pub(crate) enum Ending {
    /// With its last row.
    Whole,
    /// At the row limit, or because the user stopped it.
    Cut,
    /// Where no more rows could be kept.
    OutOfRoom(OutOfRoom),
    /// With an error.
    Failed(AppError),
}

impl ResultRead {
    /// Whether there are rows that were not read.
    pub(crate) fn is_truncated(&self) -> bool {
        self.ended.as_ref().is_some_and(|(_, ending)| !matches!(ending, Ending::Whole))
    }
}

impl Drop for OpenResult {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl OpenResult {
    pub(crate) fn lock_state(&self) -> parking_lot::MutexGuard<'_, ResultRead> {
        self.state.lock()
    }

    pub(crate) fn to_handle(&self) -> ResultHandle {
        let state = self.lock_state();
        let elapsed = state.ended.as_ref().map_or_else(|| self.began.elapsed(), |(at, _)| *at);
        ResultHandle {
            result_id: self.id.clone(),
            columns: self.columns.clone(),
            row_count: state.spool.row_count(),
            complete: state.ended.is_some(),
            truncated: state.is_truncated(),
            out_of_room: match state.ended {
                Some((_, Ending::OutOfRoom(end))) => Some(end),
                _ => None,
            },
            elapsed_ms: u32::try_from(elapsed.as_millis()).unwrap_or(u32::MAX),
        }
    }

    pub(crate) fn set_ending(&self, ending: Ending) {
        self.lock_state().ended = Some((self.began.elapsed(), ending));
    }
}

impl Results {
    pub(crate) fn lock_results(&self) -> parking_lot::MutexGuard<'_, VecDeque<Arc<OpenResult>>> {
        self.0.lock()
    }

    pub(crate) fn store_result(&self, result: Arc<OpenResult>) {
        let mut open = self.lock_results();
        if open.len() >= MOST_OPEN {
            open.pop_front();
        }
        open.push_back(result);
    }

    pub(crate) fn find_result(&self, id: &str) -> Result<Arc<OpenResult>, AppError> {
        self.lock_results().iter().find(|result| result.id == id).cloned().ok_or_else(|| {
            AppError::new(ErrorCode::NotFound, tr!("This result is no longer open"))
                .with_hint(tr!("Run the query again"))
        })
    }
}
