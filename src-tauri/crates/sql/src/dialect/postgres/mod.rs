//! The SQL dialect of PostgreSQL.

mod expressions;
mod lexer;
mod names;
mod prompts;
mod proof;
mod pushdown;
mod statistics;
mod syntax;

/// The SQL dialect of PostgreSQL.
#[derive(Debug)]
pub(crate) struct Postgres;
