//! What a check gives.

use crate::WarehouseError;
use serde::{Deserialize, Serialize};

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The engine does what it has to.
    Passed,
    /// It does not.
    Failed,
    /// It could not be tried here; the detail says why.
    Skipped,
}

/// One check of the suite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConformanceCheck {
    /// Its name, which never changes, e.g. `cancel`.
    pub name: String,
    /// What has to hold, as a sentence.
    pub what: String,
    /// How it ended.
    pub outcome: Outcome,
    /// What was seen; in a failure, what differs.
    pub detail: String,
    /// How long it took.
    pub seconds: f64,
}

/// What a check found: what was seen, or why it could not be tried, or what is wrong.
pub(super) enum CheckObservation {
    Good(String),
    Untried(&'static str),
}

pub(super) type Verdict = Result<CheckObservation, String>;

/// An error with its kind, which is what most checks are about.
pub(super) fn told_of(error: &WarehouseError) -> String {
    let kind = format!("{error:?}");
    let kind = kind.split([' ', '{', '(']).next().unwrap_or_default().to_owned();
    format!("{kind}: {error}")
}
