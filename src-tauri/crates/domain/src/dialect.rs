//! SQL dialects and their properties. Code that depends on the dialect uses only these properties.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The SQL dialect of a warehouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// The SQL dialect of SQLite 3.
    Sqlite,
    /// DuckDB, also used for CSV, Parquet, JSON and Excel files.
    Duckdb,
    /// The SQL dialect of Snowflake.
    Snowflake,
    /// GoogleSQL, the dialect of BigQuery.
    Bigquery,
    /// The SQL dialect of PostgreSQL.
    Postgres,
    /// The SQL dialect of MySQL and MariaDB.
    Mysql,
    /// The SQL dialect of ClickHouse.
    Clickhouse,
    /// Databricks SQL: the dialect of Spark in ANSI mode.
    Databricks,
    /// Trino, with any of its connectors.
    Trino,
    /// T-SQL of Microsoft SQL Server.
    Mssql,
}
