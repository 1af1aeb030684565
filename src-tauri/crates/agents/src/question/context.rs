//! The question as later stages use it.

use vitrine_domain::{RewrittenQuestion, ValueMatch};

/// The question as later stages use it.
pub struct QuestionContext {
    /// The question as asked.
    pub question: String,
    /// Knowledge, unchanged when short, else the relevant excerpts of its parts; may be empty.
    pub facts: String,
    /// The rewritten question; empty without a rewriter.
    pub rewritten: RewrittenQuestion,
    /// Stored values that the question names, as far as they were looked up.
    pub values: Vec<ValueMatch>,
}
