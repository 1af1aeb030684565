//! The SQL dialect of Snowflake.

mod expressions;
mod names;
mod prompts;
mod proof;
mod statistics;
mod syntax;

/// The SQL dialect of Snowflake.
#[derive(Debug)]
pub(crate) struct Snowflake;

impl crate::dialect::Pushdown for Snowflake {}
