//! Requests that were sent to rewrite follow-ups, kept until the rewritten question is asked, whose log then records them.

use crate::overheard::SentRequest;
use parking_lot::Mutex;
use std::collections::HashMap;

/// Requests, by the id of the run that was followed up.
#[derive(Default)]
pub(crate) struct Rewritings(Mutex<HashMap<String, Vec<SentRequest>>>);

impl Rewritings {
    pub(crate) fn store_requests(&self, run_id: &str, sent: Vec<SentRequest>) {
        if !sent.is_empty() {
            self.0.lock().entry(run_id.to_owned()).or_default().extend(sent);
        }
    }

    /// Returns and removes the requests that were sent since a question last followed up this run.
    pub(crate) fn take_requests(&self, run_id: &str) -> Vec<SentRequest> {
        self.0.lock().remove(run_id).unwrap_or_default()
    }
}
