//! A part of a query that was taken apart: what it was asked for, and where its rows are read.

use crate::steps::{Origin, Output};
use sqlparser::ast::Expr;
use vitrine_domain::{Dialect, TableName};
use vitrine_sql::{quote, table_ref};

/// What a step reads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Read {
    /// A table of the catalog, by an alias perhaps.
    Table { table: TableName, alias: Option<String> },
    /// A step before.
    Step(String),
}

impl Read {
    /// The name by which its columns are called.
    pub fn qualifier(&self) -> &str {
        match self {
            Read::Table { alias: Some(alias), .. } => alias,
            Read::Table { table, .. } => &table.name,
            Read::Step(name) => name,
        }
    }

    /// The name of the step or table itself.
    pub fn name(&self) -> String {
        match self {
            Read::Table { table, .. } => table.to_string(),
            Read::Step(name) => name.clone(),
        }
    }

    /// As a FROM clause says it.
    pub fn written(&self, dialect: Dialect) -> String {
        match self {
            Read::Table { table, alias: Some(alias) } => {
                format!("{} AS {}", table_ref(table, dialect), quote(alias, dialect))
            }
            Read::Table { table, alias: None } => table_ref(table, dialect),
            Read::Step(name) => quote(name, dialect),
        }
    }
}

/// What a query's last step must give.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Target {
    /// The result: names and order of the columns as the engine gives them.
    Result,
    /// A view that the query names, with the columns that it declares.
    View(String, Vec<String>),
    /// All columns, each with a name of its own.
    Rows,
    /// What stands in an expression: constants may stay out.
    Operand,
    /// What stands in a set operation: all that is no column may stay out. SQLite takes the type of a column from how
    /// it is computed, PostgreSQL that of a constant from what it meets.
    Arm,
}

impl Target {
    /// Whether what is no column may be left to the reader.
    pub fn leaves_out(&self) -> bool {
        matches!(self, Target::Operand | Target::Arm)
    }
}

/// What a query came to.
#[derive(Debug, Clone)]
pub(crate) struct Branch {
    pub read: Read,
    pub outputs: Vec<BranchColumn>,
}

/// A column of a branch.
#[derive(Debug, Clone)]
pub(crate) struct BranchColumn {
    /// The name that a query around gives to it.
    pub name: String,
    /// The name that it has in a result.
    pub shown: String,
    /// Its name in what is read.
    pub column: String,
    /// What it is instead of a column, in the names of what is read.
    pub value: Option<Expr>,
    /// What that is for a person.
    pub said: Option<Output>,
    pub origin: Option<Origin>,
}
