//! The SQL dialect of BigQuery (GoogleSQL).

mod expressions;
mod names;
mod prompts;
mod proof;
mod pushdown;
mod statistics;
mod syntax;

/// The SQL dialect of BigQuery (GoogleSQL).
#[derive(Debug)]
pub(crate) struct Bigquery;
