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

impl crate::dialect::Pushdown for Clickhouse {
    // SUM wraps around without an error.
    fn pushed_sum(&self, _expression: &str, _columns: &[(String, &str)]) -> Option<String> {
        None
    }
}
