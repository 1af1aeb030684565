//! The amount of data that may be read from a warehouse before the first question, for its profile, value index and
//! keys.

/// The amount of data that is read in advance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ReadingAhead {
    /// All that a profile needs, because the engine is the user's own machine or server.
    Whole,
    /// The first rows of some tables, by one bounded query each, because compute time is billed or tables may be large.
    Queried,
    /// Rows of some tables that are listed without a query, because queries are billed by scanned bytes.
    Listed,
}

impl ReadingAhead {
    /// Returns true if the number of rows and tables is limited by the connection's settings.
    pub fn is_bounded(self) -> bool {
        self != Self::Whole
    }
}
