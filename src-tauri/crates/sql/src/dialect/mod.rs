//! SQL dialects: one folder per dialect, one trait per topic, with defaults for standard SQL. Code elsewhere asks a dialect
//! through [`DialectExt::sql`] and never compares it with a particular one (`tests/it/layers.rs`).

mod bigquery;
mod clickhouse;
mod databricks;
pub mod date_format;
mod duckdb;
mod expressions;
mod mssql;
mod mysql;
mod names;
mod postgres;
mod prompts;
mod proof;
mod snowflake;
mod sqlite;
mod statistics;
mod syntax;
mod trino;

pub use expressions::{Expressions, NumberTextComparison};
pub use names::Names;
pub use prompts::Prompts;
pub use proof::Proof;
pub use statistics::Statistics;
pub use syntax::Syntax;
use vitrine_domain::Dialect;

/// Everything that differs between SQL dialects.
pub trait SqlDialect: Syntax + Names + Proof + Expressions + Statistics + Prompts {}

impl<D: Syntax + Names + Proof + Expressions + Statistics + Prompts> SqlDialect for D {}

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
