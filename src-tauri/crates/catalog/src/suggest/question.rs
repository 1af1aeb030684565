//! A question to begin with, and what it takes.

/// A question to begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuggestedQuestion {
    /// As it is asked.
    pub question: String,
    /// How hard it is.
    pub effort: Effort,
    /// The tables that it is about, by their catalog names, each with its columns.
    pub about: Vec<(String, Vec<String>)>,
}

/// What a question takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// One table, counted or sorted.
    Easy,
    /// Groups, or time.
    Medium,
    /// Several tables.
    Hard,
}
