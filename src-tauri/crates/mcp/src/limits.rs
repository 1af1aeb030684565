//! Limits on the size of a reply and on the rows that a query reads.

/// Limits of replies. The limits of a question are part of its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of rows that one query reads, over all its pages.
    pub query_rows: u32,
    /// Maximum number of rows in one reply.
    pub page_rows: u32,
    /// Maximum bytes of JSON for the rows of one reply, or for the text of a schema; about four bytes are one token.
    pub bytes: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { query_rows: 10_000, page_rows: 100, bytes: 32_000 }
    }
}
