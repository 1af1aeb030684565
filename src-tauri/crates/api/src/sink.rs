//! Writes a run's events to its log and, only then, sends them to all listeners.

use crate::app::App;
use crate::audit::RunAudit;
use crate::state::runs::ActiveRun;
use crate::types::AppEvent;
use parking_lot::Mutex;
use std::time::Instant;
use tokio_util::sync::CancellationToken;
use vitrine_agents::RunSink;
use vitrine_domain::{AppError, EventBody, RunEvent};

/// Numbers, commits and shows the events of one run.
pub(crate) struct LogSink {
    app: App,
    run_id: String,
    began: Instant,
    cancel: CancellationToken,
    state: Mutex<State>,
}

struct State {
    seq: u32,
    /// Released with the last event, after it is stored and before it is shown: a listener that sees the end finds the
    /// run over.
    running: Option<ActiveRun>,
    audit: RunAudit,
    /// Why the log could not be written; nothing is shown any more but the end.
    broken: Option<AppError>,
}

impl LogSink {
    /// A sink that stops the run through `cancel` when its log cannot be written. `receiver` is the program outside that has
    /// asked, where one has.
    pub(crate) fn new(app: App, running: ActiveRun, cancel: CancellationToken, receiver: Option<String>) -> Self {
        let run_id = running.run_id.clone();
        let state = State { seq: 0, running: Some(running), audit: RunAudit::new(receiver), broken: None };
        Self { app, run_id, began: Instant::now(), cancel, state: Mutex::new(state) }
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.state.lock().running.is_none()
    }
}

impl RunSink for LogSink {
    fn emit(&self, body: EventBody) {
        // Held while the event is stored and sent, so that all listeners see the order of the log.
        let mut state = self.state.lock();
        if state.running.is_none() {
            return;
        }
        let is_last = matches!(body, EventBody::RunFinished { .. });
        let mut event = RunEvent { run_id: self.run_id.clone(), seq: state.seq + 1, at_ms: self.elapsed_ms(), body };
        let stored = self.app.inner.store.append(&event);
        if let Err(error) = stored {
            let error = state.broken.get_or_insert_with(|| error.into()).clone();
            tracing::error!(run = self.run_id, %error, "the run log cannot be written");
            self.cancel.cancel();
            match &mut event.body {
                EventBody::RunFinished { error: reason, .. } => *reason = Some(error),
                _ => return,
            }
        }
        state.seq = event.seq;
        state.audit.take(&self.app.inner.store, &self.run_id, &event.body);
        if is_last {
            state.running = None;
        }
        self.app.tell(AppEvent::Run(event));
    }

    fn elapsed_ms(&self) -> u32 {
        u32::try_from(self.began.elapsed().as_millis()).unwrap_or(u32::MAX)
    }
}
