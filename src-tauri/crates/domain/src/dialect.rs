//! SQL dialects: an enum plus facts. Behaviour that differs by dialect reads these facts and lives nowhere else.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The SQL dialect that a warehouse speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// SQLite 3.
    Sqlite,
    /// DuckDB, also used for CSV, Parquet, JSON and Excel files.
    Duckdb,
    /// Snowflake.
    Snowflake,
    /// BigQuery.
    Bigquery,
    /// PostgreSQL.
    Postgres,
    /// MySQL and MariaDB.
    Mysql,
    /// ClickHouse.
    Clickhouse,
    /// Databricks SQL: Spark's, in ANSI mode.
    Databricks,
    /// Trino, over whatever its connectors read.
    Trino,
    /// T-SQL of Microsoft SQL Server.
    Mssql,
}

impl Dialect {
    /// The name a model knows the dialect by.
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

    /// The character that quotes an identifier.
    pub fn identifier_quote(self) -> char {
        match self {
            Dialect::Bigquery | Dialect::Mysql | Dialect::Clickhouse | Dialect::Databricks => '`',
            _ => '"',
        }
    }

    /// Whether unquoted identifiers are compared without regard to case. True of all dialects here for columns.
    pub fn folds_case(self) -> bool {
        true
    }

    /// Whether a quotient of whole numbers is a whole number.
    pub fn drops_fractions(self) -> bool {
        matches!(self, Dialect::Sqlite | Dialect::Postgres | Dialect::Trino | Dialect::Mssql)
    }

    /// The type that CAST knows text by.
    pub fn text_type(self) -> &'static str {
        match self {
            Dialect::Bigquery | Dialect::Databricks => "STRING",
            Dialect::Mysql => "CHAR",
            Dialect::Trino => "VARCHAR",
            // VARCHAR alone would end behind thirty letters.
            Dialect::Mssql => "NVARCHAR(4000)",
            // ClickHouse's own name, String, is written in these letters alone; TEXT it takes in any.
            Dialect::Sqlite | Dialect::Duckdb | Dialect::Snowflake | Dialect::Postgres | Dialect::Clickhouse => "TEXT",
        }
    }

    /// Short facts that a model needs in order to write this dialect, one sentence each.
    pub fn prompt_hints(self) -> &'static [&'static str] {
        match self {
            // Models know SQLite best. A hint on division or dates is copied into queries that need neither.
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

    /// What a model that reads at length needs in order to write this dialect, one fact a line.
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

    /// How dates and times are read and compared, one fact a line: for schemas that have them.
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

    /// How the clock is read: the last line of the page on dates, for schemas that have years alone.
    pub fn clock_line(self) -> &'static str {
        self.date_page().trim_end().lines().next_back().unwrap_or_default()
    }

    /// How texts are compared and searched, one fact a line: for schemas that have them.
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

    /// How lists, structs and JSON are read (ReFoRCE, appendix C), one fact a line: for a query that uses such columns. What stands in
    /// braces is a name of the schema's, or a word for one.
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
