//! The SQL dialect of Trino.

mod expressions;
mod grammar;
mod names;
mod prompts;
mod proof;
mod statistics;
mod syntax;

/// The SQL dialect of Trino.
#[derive(Debug)]
pub(crate) struct Trino;

impl crate::dialect::Pushdown for Trino {}
