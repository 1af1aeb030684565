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
    /// Snowflake; schema only for now (`ddl:`).
    Snowflake,
    /// BigQuery; schema only for now (`ddl:`).
    Bigquery,
    /// PostgreSQL.
    Postgres,
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
        }
    }

    /// The character that quotes an identifier.
    pub fn identifier_quote(self) -> char {
        match self {
            Dialect::Bigquery => '`',
            _ => '"',
        }
    }

    /// Whether unquoted identifiers are compared without regard to case. True of all dialects here for columns.
    pub fn folds_case(self) -> bool {
        true
    }

    /// Whether a quotient of whole numbers is a whole number.
    pub fn drops_fractions(self) -> bool {
        matches!(self, Dialect::Sqlite | Dialect::Postgres)
    }

    /// Short facts that a model needs in order to write this dialect, one sentence each.
    pub fn hints(self) -> &'static [&'static str] {
        match self {
            // Models know SQLite best. A hint on division or dates is copied into queries that need neither.
            Dialect::Sqlite => &[],
            Dialect::Duckdb => &[
                "Use year(d), month(d), date_trunc('month', d); strptime(text, '%d/%m/%Y') reads text dates.",
                "Read JSON with col->>'$.key'.",
            ],
            Dialect::Snowflake => &["Quote mixed-case names."],
            Dialect::Bigquery => &["Quote names with backticks."],
            Dialect::Postgres => &["Use EXTRACT(YEAR FROM d) and ILIKE for case-insensitive matches."],
        }
    }

    /// How a part of a text is found and cut out (ReFoRCE, appendix C).
    pub fn text_page(self) -> &'static str {
        match self {
            Dialect::Sqlite => include_str!("../../../../prompts/dialect/text-sqlite.txt"),
            Dialect::Duckdb => include_str!("../../../../prompts/dialect/text-duckdb.txt"),
            Dialect::Snowflake => include_str!("../../../../prompts/dialect/text-snowflake.txt"),
            Dialect::Bigquery => include_str!("../../../../prompts/dialect/text-bigquery.txt"),
            Dialect::Postgres => include_str!("../../../../prompts/dialect/text-postgres.txt"),
        }
    }

    /// How dates are cut, counted, moved and read from text and numbers (ReFoRCE, appendix C).
    pub fn dates_page(self) -> &'static str {
        match self {
            Dialect::Sqlite => include_str!("../../../../prompts/dialect/dates-sqlite.txt"),
            Dialect::Duckdb => include_str!("../../../../prompts/dialect/dates-duckdb.txt"),
            Dialect::Snowflake => include_str!("../../../../prompts/dialect/dates-snowflake.txt"),
            Dialect::Bigquery => include_str!("../../../../prompts/dialect/dates-bigquery.txt"),
            Dialect::Postgres => include_str!("../../../../prompts/dialect/dates-postgres.txt"),
        }
    }

    /// How lists, structs and JSON are read (ReFoRCE, appendix C), one fact a line: for a query that uses such columns.
    pub fn nested_page(self) -> &'static str {
        match self {
            Dialect::Sqlite => include_str!("../../../../prompts/dialect/nested-sqlite.txt"),
            Dialect::Duckdb => include_str!("../../../../prompts/dialect/nested-duckdb.txt"),
            Dialect::Snowflake => include_str!("../../../../prompts/dialect/nested-snowflake.txt"),
            Dialect::Bigquery => include_str!("../../../../prompts/dialect/nested-bigquery.txt"),
            Dialect::Postgres => include_str!("../../../../prompts/dialect/nested-postgres.txt"),
        }
    }
}
