//! Recording of a question's events, and early termination if only tables and columns are needed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;
use vitrine_agents::RunSink;
use vitrine_agents::run::nodes;
use vitrine_domain::{EventBody, RunEvent, RunReport, StageKind};

/// A sink that keeps a run's events in memory.
pub(crate) struct EventList {
    began: u64,
    clock: Arc<dyn Fn() -> u64 + Send + Sync>,
    run_id: String,
    events: Mutex<Vec<RunEvent>>,
}

impl EventList {
    pub(crate) fn new(run_id: &str, clock: Arc<dyn Fn() -> u64 + Send + Sync>) -> Self {
        Self { began: clock(), clock, run_id: run_id.to_owned(), events: Mutex::default() }
    }

    fn lock_events(&self) -> MutexGuard<'_, Vec<RunEvent>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn take_events(&self) -> Vec<RunEvent> {
        std::mem::take(&mut *self.lock_events())
    }

    /// Returns `true` if the intended interpretation was among those offered to the user; `None` if the user was not
    /// asked.
    pub(crate) fn was_intended_offered(&self) -> Option<bool> {
        self.lock_events().iter().rev().find_map(|event| match &event.body {
            EventBody::ReadingChosen { candidate, .. } => Some(candidate.is_some()),
            _ => None,
        })
    }

    /// Passes the events so far to `read`.
    pub(crate) fn read_events<T>(&self, read: impl FnOnce(&[RunEvent]) -> T) -> T {
        read(&self.lock_events())
    }

    /// Returns the run's report and the last attempted SQL.
    pub(crate) fn run_report(&self) -> (RunReport, Option<String>) {
        let events = self.lock_events();
        let tried = events.iter().rev().find_map(|event| match &event.body {
            EventBody::SqlAttempted { sql, .. } => Some(sql.clone()),
            _ => None,
        });
        (RunReport::from_events(events.iter()), tried)
    }
}

impl RunSink for EventList {
    fn emit(&self, body: EventBody) {
        let at_ms = self.elapsed_ms();
        let mut events = self.lock_events();
        let seq = events.len() as u32 + 1;
        events.push(RunEvent { run_id: self.run_id.clone(), seq, at_ms, body });
    }

    fn elapsed_ms(&self) -> u32 {
        ((self.clock)() - self.began) as u32
    }
}

/// Forwards a run's events and cancels the run as soon as its tables and columns are selected.
pub(crate) struct UntilLinked {
    pub(crate) sink: Arc<dyn RunSink>,
    pub(crate) enough: CancellationToken,
}

impl RunSink for UntilLinked {
    fn emit(&self, body: EventBody) {
        let over = match &body {
            EventBody::StageFinished { node, .. } => node == nodes::LINKING || node == nodes::SELECTION,
            // Methods without schema linking are stopped at their first later stage.
            EventBody::StageStarted { kind, .. } => !matches!(
                kind,
                StageKind::Schema
                    | StageKind::Rewriter
                    | StageKind::Grounding
                    | StageKind::Linking
                    | StageKind::Chunk
                    | StageKind::Selection
            ),
            _ => false,
        };
        self.sink.emit(body);
        if over {
            self.enough.cancel();
        }
    }

    fn elapsed_ms(&self) -> u32 {
        self.sink.elapsed_ms()
    }
}
