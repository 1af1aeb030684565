//! How much the search for keys may ask.

use std::time::Duration;

/// How much to ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyOptions {
    /// Tables of up to so many rows are read whole.
    pub exact_rows: u64,
    /// Rows that are read of larger ones.
    pub sample_rows: u64,
    /// Time for one query; what takes longer is no key.
    pub timeout: Duration,
    /// Time for all; what was found until then is told.
    pub budget: Duration,
    /// Whether the warehouse holds a sample. Of a table that is not all in it nothing is said to be unique, because other rows may
    /// repeat it, and nothing is said to refer to it, because what a sample lacks may be there.
    pub copied: bool,
}

impl Default for KeyOptions {
    fn default() -> Self {
        Self {
            exact_rows: 1_000_000,
            sample_rows: 100_000,
            timeout: Duration::from_secs(10),
            budget: Duration::from_secs(120),
            copied: false,
        }
    }
}
