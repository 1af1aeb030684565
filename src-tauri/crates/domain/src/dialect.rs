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
    /// Returns the name of the dialect in prompts.
    pub fn display_name(self) -> &'static str {
        match self {
            Dialect::Sqlite => "SQLite",
            Dialect::Duckdb => "DuckDB",
            Dialect::Snowflake => "Snowflake",
            Dialect::Bigquery => "BigQuery",
            Dialect::Postgres => "PostgreSQL",
            Dialect::Mysql => "MySQL",
            Dialect::Clickhouse => "ClickHouse",
            Dialect::Databricks => "Databricks SQL",
            Dialect::Trino => "Trino",
            Dialect::Mssql => "SQL Server (T-SQL)",
        }
    }

    /// Returns short facts for prompts about the dialect, one sentence each.
    pub fn prompt_hints(self) -> &'static [&'static str] {
        match self {
            // Models know SQLite best. Hints about division or dates are copied into queries that need neither.
            Dialect::Sqlite => &[],
            Dialect::Duckdb => &[
                "Use year(d), month(d), date_trunc('month', d); strptime(text, '%d/%m/%Y') reads text dates.",
                "Read JSON with col->>'$.key'.",
            ],
            Dialect::Snowflake => &["Quote mixed-case names."],
            Dialect::Bigquery => &["Quote names with backticks."],
            Dialect::Mysql => &[
                "Quote names with backticks and texts with '...'.",
                "Use CONCAT(a, b), YEAR(d), DATE_FORMAT(d, '%Y-%m').",
            ],
            Dialect::Clickhouse => &[
                "Quote names with backticks; names of tables and columns are case-sensitive.",
                "Use toYear(d) and toStartOfMonth(d).",
            ],
            Dialect::Databricks => {
                &["Quote names with backticks and texts with '...'.", "Use year(d) and date_trunc('MONTH', d)."]
            }
            Dialect::Mssql => &[
                "There is no LIMIT: the first n rows, only where they are asked for, are SELECT TOP (n).",
                "Quote names with [name]; bit columns are 1 or 0. Use YEAR(d), DATEDIFF(day, a, b), LEN(x), CASE WHEN.",
            ],
            Dialect::Trino => &[
                "Quote names with double quotes and texts with '...'.",
                "Use year(d) and date_trunc('month', d); there is no ILIKE and no ::.",
            ],
            Dialect::Postgres => &["Use EXTRACT(YEAR FROM d) and ILIKE for case-insensitive matches."],
        }
    }

    /// Returns a reference of the dialect for models that deliberate, one fact per line.
    pub fn reference_page(self) -> &'static str {
        match self {
            Dialect::Sqlite => include_str!("../../../../prompts/dialect/sqlite.txt"),
            Dialect::Duckdb => include_str!("../../../../prompts/dialect/duckdb.txt"),
            Dialect::Snowflake => include_str!("../../../../prompts/dialect/snowflake.txt"),
            Dialect::Bigquery => include_str!("../../../../prompts/dialect/bigquery.txt"),
            Dialect::Postgres => include_str!("../../../../prompts/dialect/postgres.txt"),
            Dialect::Mysql => include_str!("../../../../prompts/dialect/mysql.txt"),
            Dialect::Clickhouse => include_str!("../../../../prompts/dialect/clickhouse.txt"),
            Dialect::Databricks => include_str!("../../../../prompts/dialect/databricks.txt"),
            Dialect::Trino => include_str!("../../../../prompts/dialect/trino.txt"),
            Dialect::Mssql => include_str!("../../../../prompts/dialect/mssql.txt"),
        }
    }

    /// Returns facts about reading and comparing dates and times, one per line, for schemas with such columns.
    pub fn date_page(self) -> &'static str {
        match self {
            Dialect::Sqlite => include_str!("../../../../prompts/dialect/dates-sqlite.txt"),
            Dialect::Duckdb => include_str!("../../../../prompts/dialect/dates-duckdb.txt"),
            Dialect::Snowflake => include_str!("../../../../prompts/dialect/dates-snowflake.txt"),
            Dialect::Bigquery => include_str!("../../../../prompts/dialect/dates-bigquery.txt"),
            Dialect::Postgres => include_str!("../../../../prompts/dialect/dates-postgres.txt"),
            Dialect::Mysql => include_str!("../../../../prompts/dialect/dates-mysql.txt"),
            Dialect::Clickhouse => include_str!("../../../../prompts/dialect/dates-clickhouse.txt"),
            Dialect::Databricks => include_str!("../../../../prompts/dialect/dates-databricks.txt"),
            Dialect::Trino => include_str!("../../../../prompts/dialect/dates-trino.txt"),
            Dialect::Mssql => include_str!("../../../../prompts/dialect/dates-mssql.txt"),
        }
    }

    /// Returns the last line of the date page, about the current time, for schemas that contain only years.
    pub fn clock_line(self) -> &'static str {
        self.date_page().trim_end().lines().next_back().unwrap_or_default()
    }

    /// Returns facts about comparing and searching texts, one per line, for schemas with text columns.
    pub fn text_page(self) -> &'static str {
        match self {
            Dialect::Sqlite => include_str!("../../../../prompts/dialect/texts-sqlite.txt"),
            Dialect::Duckdb => include_str!("../../../../prompts/dialect/texts-duckdb.txt"),
            Dialect::Snowflake => include_str!("../../../../prompts/dialect/texts-snowflake.txt"),
            Dialect::Bigquery => include_str!("../../../../prompts/dialect/texts-bigquery.txt"),
            Dialect::Postgres => include_str!("../../../../prompts/dialect/texts-postgres.txt"),
            Dialect::Mysql => include_str!("../../../../prompts/dialect/texts-mysql.txt"),
            Dialect::Clickhouse => include_str!("../../../../prompts/dialect/texts-clickhouse.txt"),
            Dialect::Databricks => include_str!("../../../../prompts/dialect/texts-databricks.txt"),
            Dialect::Trino => include_str!("../../../../prompts/dialect/texts-trino.txt"),
            Dialect::Mssql => include_str!("../../../../prompts/dialect/texts-mssql.txt"),
        }
    }

    /// Returns facts about reading lists, structs and JSON (ReFoRCE, appendix C), one per line, for queries with such
    /// columns. A text in braces is a placeholder for a name of the schema.
    pub fn nested_page(self) -> &'static str {
        match self {
            Dialect::Sqlite => include_str!("../../../../prompts/dialect/nested-sqlite.txt"),
            Dialect::Duckdb => include_str!("../../../../prompts/dialect/nested-duckdb.txt"),
            Dialect::Snowflake => include_str!("../../../../prompts/dialect/nested-snowflake.txt"),
            Dialect::Bigquery => include_str!("../../../../prompts/dialect/nested-bigquery.txt"),
            Dialect::Postgres => include_str!("../../../../prompts/dialect/nested-postgres.txt"),
            Dialect::Mysql => include_str!("../../../../prompts/dialect/nested-mysql.txt"),
            Dialect::Clickhouse => include_str!("../../../../prompts/dialect/nested-clickhouse.txt"),
            Dialect::Databricks => include_str!("../../../../prompts/dialect/nested-databricks.txt"),
            Dialect::Trino => include_str!("../../../../prompts/dialect/nested-trino.txt"),
            Dialect::Mssql => include_str!("../../../../prompts/dialect/nested-mssql.txt"),
        }
    }
}
