//! A suggested question and its difficulty.

/// A suggested question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuggestedQuestion {
    /// The text of the question.
    pub question: String,
    /// Difficulty of the question.
    pub effort: Effort,
    /// Catalog names of the tables that it is about, each with its columns.
    pub about: Vec<(String, Vec<String>)>,
}

/// Difficulty of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// One table, counted or sorted.
    Easy,
    /// Groups, or a development over time.
    Medium,
    /// Several tables.
    Hard,
}
