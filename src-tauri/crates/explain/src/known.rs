//! Context of a query to be explained.

use vitrine_domain::{Page, ValueMatch};

/// Context of a query besides its text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// The question that it answers.
    pub question: Option<&'a str>,
    /// What is known besides the question: its definitions may put a number in another way.
    pub knowledge: Option<&'a str>,
    /// Stored values similar to parts of the question.
    pub values: &'a [ValueMatch],
    /// Its result; it is run again where the page does not contain all of it.
    pub answer: Option<&'a Page>,
    /// Views that a method wrote, by name.
    pub views: &'a [String],
    /// Tables and the conditions in SQL that the user wants for them always: no question has to say them.
    pub wanted: &'a [(String, String)],
}
