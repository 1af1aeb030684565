//! What may be read of a warehouse before anybody asks a question, for its profile, value index and keys.

use crate::WarehouseKind;

/// How much is read ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadingAhead {
    /// As much as a profile wants: the engine is the user's own machine or server.
    Whole,
    /// The first rows of some tables, by one bounded query each: what computes is billed while it runs, or tables may be large.
    Queried,
    /// Rows of some tables that are listed without a query: every query is billed by what it scans.
    Listed,
}

impl ReadingAhead {
    /// Whether no more is read than the connection's settings allow: so many rows of so many tables.
    pub fn is_bounded(self) -> bool {
        self != Self::Whole
    }
}

impl WarehouseKind {
    /// What may be read of such a warehouse ahead.
    pub fn reading_ahead(self) -> ReadingAhead {
        match self {
            Self::Bigquery => ReadingAhead::Listed,
            // Nothing is known of what a driver speaks to.
            Self::Snowflake | Self::Databricks | Self::Motherduck | Self::Clickhouse | Self::Adbc => {
                ReadingAhead::Queried
            }
            Self::Sqlite | Self::Duckdb | Self::File | Self::Ddl | Self::Postgres | Self::Mysql => ReadingAhead::Whole,
        }
    }
}
