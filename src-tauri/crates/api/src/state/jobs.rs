//! Active jobs and their progress.

use crate::state::throttle::Throttle;
use crate::types::{AppEvent, JobEvent};
use parking_lot::Mutex;
use std::collections::HashMap;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

/// Running jobs with their cancellation tokens.
#[derive(Default)]
pub(crate) struct Jobs(pub(crate) Mutex<HashMap<String, CancellationToken>>);

/// Reports the progress of a job.
pub(crate) struct JobProgress {
    events: broadcast::Sender<AppEvent>,
    state: Mutex<JobEvent>,
    told: Throttle,
}

impl JobProgress {
    pub(crate) fn new(state: JobEvent, events: broadcast::Sender<AppEvent>) -> Self {
        Self { events, state: Mutex::new(state), told: Throttle::default() }
    }

    /// Returns the job's latest event.
    pub(crate) fn latest_event(&self) -> JobEvent {
        self.state.lock().clone()
    }

    /// Reports that `done` of `total` units are finished.
    pub(crate) fn report_progress(&self, done: u64, total: Option<u64>) {
        let event = {
            let mut state = self.state.lock();
            (state.done, state.total) = (done, total);
            state.clone()
        };
        if self.told.is_due() {
            // A missing listener is not an error.
            let _ = self.events.send(AppEvent::Job(event));
        }
    }
}
