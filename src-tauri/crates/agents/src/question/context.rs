//! The question as later stages use it.

use vitrine_domain::RewrittenQuestion;

/// The question as later stages use it.
pub struct QuestionContext {
    /// As asked.
    pub question: String,
    /// Knowledge as given when short, else what was copied from its parts; may be empty.
    pub facts: String,
    /// Made explicit; empty without a rewriter.
    pub rewritten: RewrittenQuestion,
}
