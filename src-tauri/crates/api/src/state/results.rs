//! Results that are open for paging.

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

/// Maximum number of open results; a new one closes the oldest.
const MOST_OPEN: usize = 16;

/// The open results in the order of opening, oldest first.
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

/// Progress of reading a result.
pub(crate) struct ResultRead {
    pub(crate) spool: Spool,
    /// Duration and kind of the end; `None` while reading.
    pub(crate) ended: Option<(Duration, Ending)>,
}

/// The way in which reading a result ended.
pub(crate) enum Ending {
    /// The result was read to its end.
    Whole,
    /// Stopped at the row limit or by the user.
    Cut,
    /// Stopped because no more rows could be stored.
    OutOfRoom(OutOfRoom),
    /// Reading failed with an error.
    Failed(AppError),
}

impl ResultRead {
    /// Returns true if there may be rows that were not read.
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
