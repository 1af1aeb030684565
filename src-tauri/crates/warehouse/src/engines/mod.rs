//! One folder per engine.

pub(crate) mod adbc;
pub(crate) mod bigquery;
pub(crate) mod clickhouse;
pub(crate) mod databricks;
pub(crate) mod ddl;
pub(crate) mod duck;
pub(crate) mod motherduck;
pub(crate) mod mysql;
pub(crate) mod postgres;
pub(crate) mod snowflake;
pub(crate) mod sqlite;
