//! The SQL dialect of DuckDB, also used for files.

mod expressions;
mod names;
mod pivot;
mod prompts;
mod proof;
mod pushdown;
mod shown;
mod statistics;
mod syntax;
mod tree;

pub use pivot::{UnlistedPivot, unlisted_pivot};
pub use shown::shown_as_query;

/// The SQL dialect of DuckDB, also used for files.
#[derive(Debug)]
pub(crate) struct Duckdb;
