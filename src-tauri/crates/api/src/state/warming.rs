//! The schema that a model reads ahead of a question.

use std::sync::{Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

/// What is being read, or was read last.
#[derive(Default)]
pub(crate) struct Warming(Mutex<Option<Reading>>);

struct Reading {
    /// Warehouse and model.
    of: (String, String),
    cancel: CancellationToken,
}

impl Warming {
    /// Begins, unless the same was read last. What else was being read is given up.
    pub(crate) fn begin(&self, of: (String, String), cancel: CancellationToken) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_ref().is_some_and(|reading| reading.of == of) {
            return false;
        }
        if let Some(other) = last.replace(Reading { of, cancel }) {
            other.cancel.cancel();
        }
        true
    }

    /// Gives up what is of no use for a question to this warehouse and model; from then on anything may be read again.
    pub(crate) fn make_way(&self, uri: &str, model: &str) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reading) = last.take()
            && (reading.of.0 != uri || reading.of.1 != model)
        {
            reading.cancel.cancel();
        }
    }
}
