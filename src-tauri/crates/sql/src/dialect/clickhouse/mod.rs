//! The SQL dialect of ClickHouse.

mod expressions;
mod lexer;
mod names;
mod prompts;
mod proof;
mod statistics;
mod syntax;

/// The SQL dialect of ClickHouse.
#[derive(Debug)]
pub(crate) struct Clickhouse;
