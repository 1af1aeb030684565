//! A suggested question and its difficulty.

/// A question that can be asked about a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuggestedQuestion {
    /// The text of the question.
    pub question: String,
    /// Estimated difficulty of the question.
    pub effort: Effort,
    /// Catalog names of the tables that it is about, each with its columns.
    pub about: Vec<(String, Vec<String>)>,
}

/// Difficulty of a question, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// One table, counted or sorted.
    Easy,
    /// Groups, or a development over time.
    Medium,
    /// Joins or comparisons of several tables.
    Hard,
}
