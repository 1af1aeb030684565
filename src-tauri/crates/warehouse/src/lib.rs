//! Read-only access to databases: SQLite, DuckDB, files through DuckDB, schemas without data, PostgreSQL and MySQL
//! servers, ClickHouse, Databricks, MotherDuck, BigQuery, Snowflake and others through drivers.
//!
//! Warehouses are opened by [`open_warehouse`] and [`open_with`], they run only a [`vitrine_sql::ReadOnlySql`], and
//! results are Arrow batches or exact text. Driver types are not exported. Two independent protections keep a database
//! unchanged: the parser's proof above this crate and the engine's own settings inside it, each sufficient alone.
//! Databricks has no such settings, and its safety panel reports this.

mod address;
mod arrow_column;
mod batch_writer;
mod bill;
mod cage;
pub mod cells;
pub mod conformance;
mod connect;
mod content;
mod definition;
mod digest;
mod engine;
mod engines;
mod error;
mod error_words;
mod export;
mod files;
mod fingerprint;
mod grants;
mod held;
mod inspect;
mod joined;
mod kind;
mod large_stack;
mod metered;
mod metering;
mod nested;
mod open_joined;
mod page;
mod parse_address;
mod plan;
mod preview;
mod prove;
mod proven;
mod reading_ahead;
mod regular;
mod run;
mod safety;
pub mod sample;
mod scalars;
mod scope;
mod scratch;
mod server;
mod ssh;
#[cfg(test)]
mod tests;
mod typed_address;
mod walls;
mod warehouse;
mod web;

pub use address::WarehouseUri;
pub use bill::{Meters, ScanMeter, compute_share};
pub use cage::{run_engine, run_engine_if_asked};
pub use cells::result_columns;
pub use connect::{open_warehouse, open_with};
pub use digest::{RowsDigest, contains_result, digest_rows, normal_cell};
pub use engines::bigquery::address::ProjectAddress;
pub use engines::bigquery::oauth::{BrowserSignIn, GoogleClient, GoogleLogin, SignInFault};
pub use engines::duck::duckdb_address;
pub use engines::files::JOIN_DIALECT;
pub use engines::postgres::with_service;
pub use engines::sqlite::sqlite_address;
pub use engines::{
    AddressForm, Encryption, EngineInfo, FieldKind, FormField, FormValues, LocationKind, PasswordFile, Runs, engines,
};
pub use error::{Limited, WarehouseError};
pub use export::{
    CsvOptions, ExportFormat, ExportOptions, export_batches, guard_formula, write_csv_field, write_file, write_parquet,
};
pub use files::check_file_options;
pub use held::HeldWarehouse;
pub use inspect::inspect_connection;
pub use joined::{JoinedColumn, JoinedForm, JoinedTable};
pub use kind::WarehouseKind;
pub use metered::MeteredWarehouse;
pub use metering::Metering;
pub use open_joined::open_joined;
pub use page::read_page;
pub use preview::{NoPreview, PreviewCopy, PreviewOptions, preview_copy};
pub use prove::{prove_read_only, prove_with};
pub use proven::{Proof, Proven, proof_layer};
pub use reading_ahead::ReadingAhead;
pub use server::ServerAddress;
pub use ssh::SshFault;
pub use typed_address::TypedAddress;
pub use walls::{Wall, Walls};
pub use warehouse::{Batches, Checked, Limits, OpenOptions, Preview, ResultNotes, Warehouse};
