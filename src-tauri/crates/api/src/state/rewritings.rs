//! What was sent to rewrite follow-ups, until the question is asked that one became: its run tells it.

use crate::overheard::SentRequest;
use parking_lot::Mutex;
use std::collections::HashMap;

/// By the run that was followed up on.
#[derive(Default)]
pub(crate) struct Rewritings(Mutex<HashMap<String, Vec<SentRequest>>>);

impl Rewritings {
    /// Keeps what was sent.
    pub(crate) fn store_requests(&self, run_id: &str, sent: Vec<SentRequest>) {
        if !sent.is_empty() {
            self.0.lock().entry(run_id.to_owned()).or_default().extend(sent);
        }
    }

    /// What was sent since a question last followed up on this run.
    pub(crate) fn take_requests(&self, run_id: &str) -> Vec<SentRequest> {
        self.0.lock().remove(run_id).unwrap_or_default()
    }
}
