//! How much of the data a profile reads.

use std::time::Duration;

/// How much to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileOptions {
    /// Tables of more rows than this are sampled down to it. DuckDB reads twenty times as many in the same time.
    pub sample_rows: u64,
    /// Tables read at one time.
    pub parallel: usize,
    /// Time for one query; a table that needs longer is sampled more thinly.
    pub timeout: Duration,
    /// Whether the warehouse holds a sample of the rows: all of it is read, and the catalog says how many rows there are.
    pub copied: bool,
}

impl Default for ProfileOptions {
    fn default() -> Self {
        Self { sample_rows: 100_000, parallel: 4, timeout: Duration::from_secs(20), copied: false }
    }
}
