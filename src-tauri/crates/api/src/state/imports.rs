//! Running and finished workspace imports.

use crate::types::WorkspaceImport;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::watch;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_store::Additions;
use vitrine_words::tr;

/// Maximum number of stored outcomes; a new one replaces the oldest.
const KEPT: usize = 8;

/// Outcomes of imports, by job id.
#[derive(Default)]
pub(crate) struct Imports(Mutex<VecDeque<(String, Arc<Outcome>)>>);

/// The outcome of one import.
pub(crate) struct Outcome {
    /// Set once, at the end of the import.
    pub(crate) done: watch::Sender<Option<Result<WorkspaceImport, AppError>>>,
    /// The added records, which can be removed once.
    pub(crate) added: Mutex<Option<Additions>>,
}

impl Default for Outcome {
    fn default() -> Self {
        Self { done: watch::Sender::new(None), added: Mutex::default() }
    }
}

impl Imports {
    /// Stores the outcome of a job.
    pub(crate) fn store_outcome(&self, job_id: String, outcome: Arc<Outcome>) {
        let mut kept = self.0.lock();
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back((job_id, outcome));
    }

    /// Returns the outcome of a job, which may still be pending.
    pub(crate) fn find_outcome(&self, job_id: &str) -> Result<Arc<Outcome>, AppError> {
        let kept = self.0.lock();
        let found = kept.iter().find(|(kept, _)| kept == job_id).map(|(_, outcome)| Arc::clone(outcome));
        found.ok_or_else(|| {
            AppError::new(ErrorCode::NotFound, tr!("This import no longer exists"))
                .with_hint(tr!("Import the file again"))
        })
    }
}
