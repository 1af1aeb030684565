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
use vitrine_domain::{AppError, EventBody, NodeId, RunEvent};

/// Used instead of a node for requests of a follow-up. Such requests contain nothing of the database.
const FOLLOW_UP: NodeId = NodeId::new("follow-up");

/// Numbers, stores and publishes the events of one run.
pub(crate) struct LogSink {
    app: App,
    run_id: String,
    began: Instant,
    cancel: CancellationToken,
    state: Mutex<State>,
}

struct State {
    seq: u32,
    /// Released with the last event, after it is stored and before it is published, so that a listener that receives the end finds the run
    /// finished.
    running: Option<ActiveRun>,
    audit: RunAudit,
    /// Requests that were sent before the run started; recorded after its first event.
    sent_before: Vec<SentRequest>,
    /// Error that made the log unwritable; after that only the end of the run is published.
    broken: Option<AppError>,
}

impl LogSink {
    /// Creates a sink that stops the run through `cancel` when its log cannot be written. `receiver` is the external program that asked the
    /// question, if any; `sent_before` are the requests that rewrote it.
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
        // Held while events are stored and sent, so that all listeners receive them in the order of the log.
        let mut state = self.state.lock();
        self.append_event(&mut state, body);
        // The first event contains the question; the requests that rewrote it follow.
        for SentRequest { to, body } in std::mem::take(&mut state.sent_before) {
            let (node, values_of) = (FOLLOW_UP, Vec::new());
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
