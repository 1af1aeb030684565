//! The SQL dialect of MySQL and MariaDB.

mod expressions;
mod names;
mod prompts;
mod proof;
mod statistics;
mod syntax;

/// The SQL dialect of MySQL and MariaDB.
#[derive(Debug)]
pub(crate) struct Mysql;
