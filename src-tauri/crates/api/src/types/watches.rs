//! Watched answers for front ends; the store defines the stored form.

use serde::{Deserialize, Serialize};
use specta::Type;
pub use vitrine_store::{
    Watch, WatchAlert, WatchFormat, WatchInterval, WatchOutcome, WatchOutput, WatchPlan, WatchRun, WatchState,
};

/// A watched answer with its next and its last run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WatchedAnswer {
    /// Title of the saved question.
    pub title: String,
    /// Address of its warehouse.
    pub warehouse: String,
    /// The plan and the state after the last run.
    pub watch: Watch,
    /// The time from which it is due; RFC 3339, UTC.
    pub next_due: String,
    /// The same time in the time zone of this computer, for display.
    pub next_due_local: String,
    /// The last run; `None` before the first scheduled one.
    pub last_run: Option<WatchRun>,
}

/// A run of a watched answer, for the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WatchReport {
    /// Title of the saved question.
    pub title: String,
    /// The run with its outcome and notes.
    pub run: WatchRun,
}

/// The runs of the watched answers that were due.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DueRuns {
    /// True if another process is running them, so that this one ran nothing.
    pub busy: bool,
    /// The runs, in the order in which they were due.
    pub reports: Vec<WatchReport>,
    /// The next time at which a watched answer is due; RFC 3339, UTC. `None` without watched answers.
    pub next_due: Option<String>,
}
