//! Limits for the search for keys.

use std::time::Duration;

/// Limits for the search for keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyOptions {
    /// Maximum number of rows of tables that are read completely.
    pub exact_rows: u64,
    /// Number of rows that are sampled from larger tables.
    pub sample_rows: u64,
    /// Time limit of one query. A check that takes longer finds no key.
    pub timeout: Duration,
    /// Time limit of the whole search. Keys that were found by then are returned.
    pub budget: Duration,
    /// True if the warehouse contains a sample. Keys of incompletely copied tables are not inferred, since other rows
    /// may repeat a value, and neither are references to them, since missing values may exist in the original.
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
