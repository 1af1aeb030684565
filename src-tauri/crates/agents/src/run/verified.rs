//! Questions that the user has verified, as examples for a question like them.

use serde::Serialize;
use vitrine_domain::GuidedBy;

/// A question that the user has verified, with its query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VerifiedExample {
    /// The saved question.
    pub saved_id: String,
    /// Its name for people.
    pub title: String,
    /// As it was asked.
    pub question: String,
    /// What answers it.
    pub sql: String,
}

impl VerifiedExample {
    /// As a run's log names it.
    pub fn to_guided_by(&self) -> GuidedBy {
        GuidedBy { saved_id: self.saved_id.clone(), title: self.title.clone() }
    }
}
