//! Errors of definitions and metric queries.

use vitrine_domain::{AppError, ErrorCode};

/// The reason why a definition or a metric query cannot be used, with the next step for the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct MetricError {
    /// The problem and its place, in one sentence.
    pub message: String,
    /// The suggested next step.
    pub hint: Option<String>,
    /// True if a named metric, dimension or table does not exist.
    pub is_missing: bool,
}

impl MetricError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, is_missing: false }
    }

    pub(crate) fn missing(message: impl Into<String>) -> Self {
        Self { is_missing: true, ..Self::new(message) }
    }

    pub(crate) fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl From<MetricError> for AppError {
    fn from(error: MetricError) -> Self {
        let code = if error.is_missing { ErrorCode::NotFound } else { ErrorCode::Usage };
        let app = AppError::new(code, error.message);
        match error.hint {
            Some(hint) => app.with_hint(hint),
            None => app,
        }
    }
}
