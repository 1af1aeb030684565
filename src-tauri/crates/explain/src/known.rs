//! Context of a query to be explained.

use vitrine_domain::{Page, ValueMatch};

/// Context of a query besides its text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// The question that the query answers.
    pub question: Option<&'a str>,
    /// Additional knowledge, whose definitions may express a number of the question differently.
    pub knowledge: Option<&'a str>,
    /// Stored values similar to parts of the question.
    pub values: &'a [ValueMatch],
    /// The query's result. The query is executed again if the page is truncated.
    pub answer: Option<&'a Page>,
    /// Names of the views that a method created.
    pub views: &'a [String],
    /// Tables with SQL conditions that the user always applies to them; the question need not mention them.
    pub wanted: &'a [(String, String)],
}
