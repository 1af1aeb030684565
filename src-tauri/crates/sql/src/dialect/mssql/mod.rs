//! The SQL dialect of Microsoft SQL Server (T-SQL).

mod expressions;
mod lexer;
mod names;
mod prompts;
mod proof;
mod statistics;
mod syntax;

/// The SQL dialect of Microsoft SQL Server (T-SQL).
#[derive(Debug)]
pub(crate) struct Mssql;

impl crate::dialect::Pushdown for Mssql {
    // SUM has the type of its term, and fails beyond its range.
    fn whole_term(&self, expression: &str) -> String {
        format!("CAST({expression} AS BIGINT)")
    }
}
