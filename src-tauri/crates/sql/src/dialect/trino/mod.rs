//! The SQL dialect of Trino.

mod expressions;
mod names;
mod prompts;
mod proof;
mod statistics;
mod syntax;

/// The SQL dialect of Trino.
#[derive(Debug)]
pub(crate) struct Trino;
