//! The SQL dialect of SQLite 3.

mod expressions;
mod keywords;
mod names;
mod prompts;
mod proof;
mod pushdown;
mod statistics;
mod syntax;

/// The SQL dialect of SQLite 3.
#[derive(Debug)]
pub(crate) struct Sqlite;
