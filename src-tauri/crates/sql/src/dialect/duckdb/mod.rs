//! The SQL dialect of DuckDB, also used for files.

mod expressions;
mod names;
mod prompts;
mod proof;
mod statistics;
mod syntax;

/// The SQL dialect of DuckDB, also used for files.
#[derive(Debug)]
pub(crate) struct Duckdb;
