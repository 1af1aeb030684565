//! Options of the profiler.

use std::time::Duration;

/// Limits of how much data a profile reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileOptions {
    /// Larger tables are sampled down to this number of rows. For DuckDB the limit is twenty times higher.
    pub sample_rows: u64,
    /// Number of tables read in parallel.
    pub parallel: usize,
    /// Time limit of one query; for slower tables a smaller sample is used.
    pub timeout: Duration,
    /// True if the warehouse contains a sample: all of it is read, and the catalog has the number of rows.
    pub copied: bool,
}

impl Default for ProfileOptions {
    fn default() -> Self {
        Self { sample_rows: 100_000, parallel: 4, timeout: Duration::from_secs(20), copied: false }
    }
}
