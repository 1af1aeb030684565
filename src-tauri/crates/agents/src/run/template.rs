//! Verified question with the structure of this run's question, whose query with other values is the answer.

use serde::Serialize;
use vitrine_domain::GuidedBy;
use vitrine_words::{join_with_and, tr};

/// The query of a verified question, filled with the values of this run's question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VerifiedTemplate {
    /// The verified question.
    pub saved: GuidedBy,
    /// SQL text with the new values.
    pub sql: String,
    /// Replaced words of the verified question, each with the new ones.
    pub replaced: Vec<(String, String)>,
}

impl VerifiedTemplate {
    /// Describes the relation to the verified question.
    pub(crate) fn describe(&self) -> String {
        let title = &self.saved.title;
        let values: Vec<String> =
            self.replaced.iter().map(|(before, after)| tr!("{after} instead of {before}", after, before)).collect();
        match values.is_empty() {
            true => tr!("As in the verified question “{title}”", title),
            false => {
                tr!("As in the verified question “{title}”, with {values}", title, values = join_with_and(&values))
            }
        }
    }
}
