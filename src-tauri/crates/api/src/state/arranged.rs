//! Rows of an open result in another order, and the work on them that can be stopped.

use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

/// Maximum number of arrangements per result: the one on screen and its successor.
const MOST_VIEWS: usize = 2;

/// Arrangements of a result, oldest first, and the running work.
#[derive(Default)]
pub(crate) struct Arranged {
    views: Mutex<VecDeque<(String, Arc<Vec<u32>>)>>,
    work: [Mutex<CancellationToken>; 4],
}

/// Kinds of work over all rows. New work cancels earlier work of its kind, because the earlier answer is then useless.
#[derive(Clone, Copy)]
pub(crate) enum RowWork {
    Arrange,
    Find,
    Figures,
    Selection,
}

impl Arranged {
    /// Stops earlier work of a kind and returns the token that stops the new one.
    pub(crate) fn begin_work(&self, work: RowWork) -> CancellationToken {
        let token = CancellationToken::new();
        std::mem::replace(&mut *self.work[work as usize].lock(), token.clone()).cancel();
        token
    }

    /// Stops work of a kind.
    pub(crate) fn stop_work(&self, work: RowWork) {
        self.work[work as usize].lock().cancel();
    }

    /// Stops all work: the result is closed.
    pub(crate) fn stop_all(&self) {
        [RowWork::Arrange, RowWork::Find, RowWork::Figures, RowWork::Selection]
            .into_iter()
            .for_each(|work| self.stop_work(work));
    }

    pub(crate) fn store_view(&self, id: String, rows: Vec<u32>) {
        let mut views = self.views.lock();
        if views.len() >= MOST_VIEWS {
            views.pop_front();
        }
        views.push_back((id, Arc::new(rows)));
    }

    pub(crate) fn find_view(&self, id: &str) -> Result<Arc<Vec<u32>>, AppError> {
        let views = self.views.lock();
        views.iter().find(|(known, _)| known == id).map(|(_, rows)| Arc::clone(rows)).ok_or_else(|| {
            AppError::new(ErrorCode::NotFound, tr!("These rows are no longer sorted or filtered"))
                .with_hint(tr!("Sort or filter them again"))
        })
    }
}
