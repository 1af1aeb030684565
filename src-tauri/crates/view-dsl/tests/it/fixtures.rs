//! Small catalogs in the style of the benchmarks.

use vitrine_domain::{Catalog, Dialect};

/// Dialects with large differences in their SQL.
pub const ALL: [Dialect; 7] = [
    Dialect::Sqlite,
    Dialect::Duckdb,
    Dialect::Postgres,
    Dialect::Snowflake,
    Dialect::Bigquery,
    Dialect::Trino,
    Dialect::Mssql,
];

pub fn catalog(dialect: Dialect, sql: &str) -> Catalog {
    // TIMESTAMP is a row version in SQL Server, not a time.
    let sql = if dialect == Dialect::Mssql { sql.replace("TIMESTAMP", "DATETIME2") } else { sql.to_owned() };
    let tables = vitrine_ddl::parse(&sql, dialect).expect("fixture");
    Catalog {
        database: "shop".into(),
        dialect,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: "0".into(),
        tables,
    }
}
