//! The SQL dialect of MySQL and MariaDB.

mod expressions;
mod grammar;
mod lexer;
mod names;
mod prompts;
mod proof;
mod pushdown;
mod statistics;
mod syntax;
mod tables;

pub(crate) use grammar::SOUNDS_LIKE;
pub use lexer::double_quoted;

/// The SQL dialect of MySQL and MariaDB.
#[derive(Debug)]
pub(crate) struct Mysql;
