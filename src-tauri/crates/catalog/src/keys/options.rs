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
    /// Rows that the warehouse holds of each table, where it is a sample: larger tables are known in part, and nothing is said to
    /// refer to them, because what a sample lacks may be there.
    pub copied_rows: Option<u64>,
}

impl KeyOptions {
    /// Whether all rows of a table of so many are looked at. Of one that fills its part of a sample there may be more.
    pub fn reads_whole(&self, rows: u64) -> bool {
        self.copied_rows.map_or(rows <= self.exact_rows, |held| rows < held)
    }
}

impl Default for KeyOptions {
    fn default() -> Self {
        Self {
            exact_rows: 1_000_000,
            sample_rows: 100_000,
            timeout: Duration::from_secs(10),
            budget: Duration::from_secs(120),
            copied_rows: None,
        }
    }
}
