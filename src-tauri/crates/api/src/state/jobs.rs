//! Active jobs and their progress.

use crate::state::throttle::Throttle;
use crate::types::{AppEvent, JobEvent};
use parking_lot::Mutex;
use std::collections::HashMap;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

/// Jobs at work, each with what stops it.
#[derive(Default)]
pub(crate) struct Jobs(pub(crate) Mutex<HashMap<String, CancellationToken>>);

/// Tells how far a job is.
pub(crate) struct JobProgress {
    events: broadcast::Sender<AppEvent>,
    state: Mutex<JobEvent>,
    told: Throttle,
}

impl JobProgress {
    pub(crate) fn new(state: JobEvent, events: broadcast::Sender<AppEvent>) -> Self {
        Self { events, state: Mutex::new(state), told: Throttle::default() }
    }

    /// How far the job is.
    pub(crate) fn latest_event(&self) -> JobEvent {
        self.state.lock().clone()
    }

    /// So many units are done of so many.
    pub(crate) fn report_progress(&self, done: u64, total: Option<u64>) {
        let event = {
            let mut state = self.state.lock();
            (state.done, state.total) = (done, total);
            state.clone()
        };
        if self.told.is_due() {
            // Nobody listening is fine.
            let _ = self.events.send(AppEvent::Job(event));
        }
    }
}
