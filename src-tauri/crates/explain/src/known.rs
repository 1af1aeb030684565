//! What is known of a query before it is explained.

use vitrine_domain::{Page, ValueMatch};

/// What is known of a query besides its text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// The question that it answers.
    pub question: Option<&'a str>,
    /// Stored values that resemble parts of the question.
    pub values: &'a [ValueMatch],
    /// Its result; it is run again where the page does not hold all of it.
    pub answer: Option<&'a Page>,
    /// Views that a method wrote, by name.
    pub views: &'a [String],
}
