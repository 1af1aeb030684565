//! What views are fetched for.

/// The input of fetching.
pub struct Task<'a> {
    /// The question as asked.
    pub question: &'a str,
    /// Knowledge, or empty.
    pub facts: &'a str,
    /// The most views.
    pub most: u32,
    /// The most rows read of one view.
    pub rows: u64,
}
