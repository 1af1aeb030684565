//! The SQL dialect of Databricks (Spark in ANSI mode).

mod expressions;
mod lexer;
mod names;
mod prompts;
mod proof;
mod statistics;
mod syntax;
mod tree;

pub use lexer::with_escaped_quotes;

/// The SQL dialect of Databricks (Spark in ANSI mode).
#[derive(Debug)]
pub(crate) struct Databricks;

impl crate::dialect::Pushdown for Databricks {}
