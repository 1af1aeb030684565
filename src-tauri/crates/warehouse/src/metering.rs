//! What is known of the bytes that queries read, so that limits can hold them.

use crate::WarehouseKind;

/// How the bytes of a query are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Metering {
    /// Not at all.
    Untold,
    /// The engine says what a query read and ends it at a limit. What that costs is for the user to say.
    Read,
    /// The engine bills by them, each query, and refuses what would cost more than a limit. Nothing is queried to look at data then:
    /// rows come from [`crate::Warehouse::preview`].
    Billed,
}

impl Metering {
    /// Whether limits of bytes can hold queries.
    pub fn holds_limits(self) -> bool {
        self != Self::Untold
    }
}

impl WarehouseKind {
    /// How the bytes of a query are known there.
    pub const fn metering(self) -> Metering {
        match self {
            Self::Bigquery => Metering::Billed,
            Self::Clickhouse => Metering::Read,
            Self::Sqlite
            | Self::Duckdb
            | Self::File
            | Self::Ddl
            | Self::Postgres
            | Self::Mysql
            | Self::Snowflake
            | Self::Databricks
            | Self::Motherduck
            | Self::Adbc => Metering::Untold,
        }
    }
}
