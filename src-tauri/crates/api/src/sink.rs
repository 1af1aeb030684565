//! Writes a run's events to its log and, only then, sends them to all listeners.

use crate::app::App;
use crate::audit::RunAudit;
use crate::long_cells;
use crate::overheard::SentRequest;
use crate::state::runs::ActiveRun;
use crate::types::AppEvent;
use parking_lot::Mutex;
use std::time::Instant;
use tokio_util::sync::CancellationToken;
use vitrine_agents::RunSink;
use vitrine_domain::{AppError, EventBody, RunEvent};

/// Stands where a request has the node of its run that made it. Of the database such a request tells nothing.
const FOLLOW_UP: &str = "follow-up";

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
    /// What was sent before the run began; told once it has.
    sent_before: Vec<SentRequest>,
    /// Why the log could not be written; nothing is shown any more but the end.
    broken: Option<AppError>,
}

impl LogSink {
    /// A sink that stops the run through `cancel` when its log cannot be written. `receiver` is the program outside that has
    /// asked, where one has; `sent_before` what left to make the question.
    pub(crate) fn new(
        app: App,
        running: ActiveRun,
        cancel: CancellationToken,
        receiver: Option<String>,
        sent_before: Vec<SentRequest>,
    ) -> Self {
        let run_id = running.run_id.clone();
        let state = State { seq: 0, running: Some(running), audit: RunAudit::new(receiver), sent_before, broken: None };
        Self { app, run_id, began: Instant::now(), cancel, state: Mutex::new(state) }
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.state.lock().running.is_none()
    }
}

impl RunSink for LogSink {
    fn emit(&self, body: EventBody) {
        // Held while events are stored and sent, so that all listeners see the order of the log.
        let mut state = self.state.lock();
        self.append_event(&mut state, body);
        // The first event says what was asked: behind it stands what that took.
        for SentRequest { to, body } in std::mem::take(&mut state.sent_before) {
            let (node, values_of) = (FOLLOW_UP.to_owned(), Vec::new());
            self.append_event(&mut state, EventBody::RequestSent { node, call: 0, to, body, values_of });
        }
    }

    fn elapsed_ms(&self) -> u32 {
        u32::try_from(self.began.elapsed().as_millis()).unwrap_or(u32::MAX)
    }
}

impl LogSink {
    fn append_event(&self, state: &mut State, mut body: EventBody) {
        if state.running.is_none() {
            return;
        }
        long_cells::shorten_event(&mut body);
        let is_last = matches!(body, EventBody::RunFinished { .. });
        let mut event = RunEvent { run_id: self.run_id.clone(), seq: state.seq + 1, at_ms: self.elapsed_ms(), body };
        let stored = self.app.inner.store.append_event(&event);
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
        state.audit.record_event(&self.app.inner.store, &self.run_id, &event.body);
        if is_last {
            state.running = None;
        }
        self.app.send_event(AppEvent::Run(event));
    }
}
