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

impl Dialect {
    /// Returns the character that quotes an identifier.
    pub fn identifier_quote(self) -> char {
        match self {
            Dialect::Bigquery | Dialect::Mysql | Dialect::Clickhouse | Dialect::Databricks => '`',
            _ => '"',
        }
    }

    /// Returns true if unquoted identifiers are compared without regard to case, as for columns in all dialects here.
    pub fn folds_case(self) -> bool {
        true
    }

    /// Returns true if the division of integers gives an integer.
    pub fn drops_fractions(self) -> bool {
        matches!(self, Dialect::Sqlite | Dialect::Postgres | Dialect::Trino | Dialect::Mssql)
    }

    /// Returns the type name with which CAST converts to text.
    pub fn text_type(self) -> &'static str {
        match self {
            Dialect::Bigquery | Dialect::Databricks => "STRING",
            Dialect::Mysql => "CHAR",
            Dialect::Trino => "VARCHAR",
            // CAST to VARCHAR without a length truncates to 30 characters.
            Dialect::Mssql => "NVARCHAR(4000)",
            // In ClickHouse, the native name String is case-sensitive, while TEXT is accepted in any case.
            Dialect::Sqlite | Dialect::Duckdb | Dialect::Snowflake | Dialect::Postgres | Dialect::Clickhouse => "TEXT",
        }
    }
}
