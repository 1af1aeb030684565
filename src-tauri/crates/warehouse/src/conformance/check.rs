//! The result of a conformance check.

use crate::WarehouseError;
use serde::{Deserialize, Serialize};

/// The outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The engine meets the requirement.
    Passed,
    /// The engine does not meet the requirement.
    Failed,
    /// The check could not run here; the detail contains the reason.
    Skipped,
}

/// One check of the suite with its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConformanceCheck {
    /// The stable name, e.g. `cancel`.
    pub name: String,
    /// The requirement as a sentence.
    pub what: String,
    /// The outcome of the check.
    pub outcome: Outcome,
    /// The observation; for a failure, the difference.
    pub detail: String,
    /// The duration of the check in seconds.
    pub seconds: f64,
}

/// The result of a check: the observation, the reason why it could not run, or the failure.
pub(super) enum CheckObservation {
    Good(String),
    Untried(&'static str),
}

pub(super) type Verdict = Result<CheckObservation, String>;

/// Formats an error with its kind, which most checks test.
pub(super) fn told_of(error: &WarehouseError) -> String {
    let kind = format!("{error:?}");
    let kind = kind.split([' ', '{', '(']).next().unwrap_or_default().to_owned();
    format!("{kind}: {error}")
}
