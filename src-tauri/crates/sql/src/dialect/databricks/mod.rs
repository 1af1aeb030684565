//! The SQL dialect of Databricks (Spark in ANSI mode).

mod expressions;
mod names;
mod prompts;
mod proof;
mod statistics;
mod syntax;

/// The SQL dialect of Databricks (Spark in ANSI mode).
#[derive(Debug)]
pub(crate) struct Databricks;
