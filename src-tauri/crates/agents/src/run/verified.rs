//! Questions that the user has verified, used as examples for similar questions.

use serde::Serialize;
use vitrine_domain::GuidedBy;

/// A question that the user has verified, with its query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VerifiedExample {
    /// Id of the saved question.
    pub saved_id: String,
    /// Title of the saved question for the user.
    pub title: String,
    /// Question as the user asked it.
    pub question: String,
    /// SQL text that answers the question.
    pub sql: String,
}

impl VerifiedExample {
    /// Returns the reference that a run's log stores.
    pub fn to_guided_by(&self) -> GuidedBy {
        GuidedBy { saved_id: self.saved_id.clone(), title: self.title.clone() }
    }
}
