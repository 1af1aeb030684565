//! Databases, read only: SQLite, DuckDB, files through DuckDB, schemas without data, and PostgreSQL servers.
//!
//! The only way in is [`open`], the only thing that runs is a [`vitrine_sql::ReadOnlySql`], and results leave as Arrow
//! batches or as exact text. Driver types stay inside. Two independent locks keep a database unchanged: the parser's
//! proof above this crate and the engine's own settings inside it, each sufficient alone.

mod address;
pub mod cells;
mod connect;
mod csv;
mod ddl;
mod definition;
mod digest;
mod duck;
mod engine;
mod error;
mod files;
mod fingerprint;
mod nested;
mod page;
mod parquet;
mod postgres;
mod prove;
#[cfg(test)]
#[path = "tests/round_trip.rs"]
mod round_trip;
mod run;
pub mod sample;
mod scalars;
mod sqlite;
mod warehouse;

pub use address::{WarehouseKind, WarehouseUri};
pub use cells::result_columns;
pub use connect::{open, open_with};
pub use csv::{CsvOptions, write_csv};
pub use digest::{RowsDigest, digest};
pub use error::WarehouseError;
pub use page::read_page;
pub use parquet::write_parquet;
pub use postgres::ServerAddress;
pub use prove::{prove, prove_with};
pub use warehouse::{Batches, Limits, OpenOptions, Warehouse};
