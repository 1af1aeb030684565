//! How much one reply may hold, and one query read.

/// Limits of replies. Those of a question stand in its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Rows that one query reads, over all its pages.
    pub query_rows: u32,
    /// Rows in one reply.
    pub page_rows: u32,
    /// Bytes of JSON that the rows of one reply, or the text of a schema, may take; about four are a token.
    pub bytes: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { query_rows: 10_000, page_rows: 100, bytes: 32_000 }
    }
}
