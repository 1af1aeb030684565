//! The question in the form for later stages.

use vitrine_domain::{RewrittenQuestion, ValueMatch};

/// The question with the knowledge and values that later stages use.
pub struct QuestionContext {
    /// Question as the user asked it.
    pub question: String,
    /// Knowledge: complete if short, else the relevant excerpts of its parts; may be empty.
    pub facts: String,
    /// Rewritten question; empty without a rewriter.
    pub rewritten: RewrittenQuestion,
    /// Stored values that the question names, as far as they were looked up.
    pub values: Vec<ValueMatch>,
}
