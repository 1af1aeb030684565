//! SQL dialects: one folder per dialect, one trait per topic, with defaults for standard SQL. Code elsewhere asks a dialect
//! through [`DialectExt::sql`] and never compares it with a particular one (`tests/it/layers.rs`).

mod bigquery;
mod calendar;
mod clickhouse;
mod databricks;
pub mod date_format;
mod duckdb;
mod expressions;
mod lexer;
mod mssql;
mod mysql;
mod names;
mod postgres;
mod prompts;
mod proof;
mod pushdown;
mod snowflake;
mod sqlite;
mod statistics;
mod syntax;
mod trino;

pub use calendar::{days_in_month, is_date};
pub use databricks::with_escaped_quotes;
pub use duckdb::{UnlistedPivot, shown_as_query, unlisted_pivot};
pub use expressions::{Expressions, NumberTextComparison};
pub use mysql::double_quoted;
pub use names::{ImplicitNames, NameResolution, NestedTables, UngroupedColumns};
pub use prompts::Prompts;
pub use proof::{EngineParser, FileName, FunctionList, KeywordCall, Proof};
pub use pushdown::{ColumnTest, Comparison, Constant, Pushdown, PushedCondition, PushedKey};
pub use statistics::{ExplainStatement, PlanFormat, RowSampling, Statistics, TypeFamily};
pub use syntax::{RowLimitForm, Syntax, UnquotedCase};
use vitrine_domain::Dialect;

pub(crate) use lexer::{MAX_BYTES, tokenize};
pub(crate) use mysql::SOUNDS_LIKE;

/// Everything that differs between SQL dialects.
pub trait SqlDialect: Syntax + NameResolution + Proof + Expressions + Statistics + Prompts + Pushdown {}

impl<D: Syntax + NameResolution + Proof + Expressions + Statistics + Prompts + Pushdown> SqlDialect for D {}

/// All dialects, the most common ones of drivers first.
pub const ALL: [Dialect; 10] = [
    Dialect::Sqlite,
    Dialect::Duckdb,
    Dialect::Postgres,
    Dialect::Mysql,
    Dialect::Bigquery,
    Dialect::Snowflake,
    Dialect::Clickhouse,
    Dialect::Databricks,
    Dialect::Trino,
    Dialect::Mssql,
];

/// Access from the id of a dialect to its properties.
pub trait DialectExt {
    /// Returns the properties of the dialect.
    fn sql(self) -> &'static dyn SqlDialect;
}

impl DialectExt for Dialect {
    fn sql(self) -> &'static dyn SqlDialect {
        match self {
            Dialect::Sqlite => &sqlite::Sqlite,
            Dialect::Duckdb => &duckdb::Duckdb,
            Dialect::Snowflake => &snowflake::Snowflake,
            Dialect::Bigquery => &bigquery::Bigquery,
            Dialect::Postgres => &postgres::Postgres,
            Dialect::Mysql => &mysql::Mysql,
            Dialect::Clickhouse => &clickhouse::Clickhouse,
            Dialect::Databricks => &databricks::Databricks,
            Dialect::Trino => &trino::Trino,
            Dialect::Mssql => &mssql::Mssql,
        }
    }
}

#[cfg(test)]
mod tests;
