//! The kinds of warehouses, by which engines are identified.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The engine of a warehouse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum WarehouseKind {
    /// A database file of SQLite.
    Sqlite,
    /// A database file of DuckDB.
    Duckdb,
    /// Data files, read by DuckDB.
    #[default]
    File,
    /// A schema from SQL scripts, without data.
    Ddl,
    /// A database on a PostgreSQL server.
    Postgres,
    /// A database on a MySQL or MariaDB server.
    Mysql,
    /// A project in Google BigQuery.
    Bigquery,
    /// A database in a Snowflake account.
    Snowflake,
    /// A database on a ClickHouse server.
    Clickhouse,
    /// A catalog in Databricks, queried through a SQL warehouse.
    Databricks,
    /// A database in a MotherDuck account.
    Motherduck,
    /// A database behind a driver that the user added.
    Adbc,
    /// The engine of a test.
    #[cfg(test)]
    MadeUp,
}
