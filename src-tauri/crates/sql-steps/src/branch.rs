//! The result of splitting a query or a part of it: its target, and where its rows are read.

use crate::steps::{Origin, Output};
use sqlparser::ast::Expr;
use vitrine_domain::{Dialect, TableName};
use vitrine_sql::{quote, table_ref};

/// A source of a step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Read {
    /// A table of the catalog, with its alias.
    Table { table: TableName, alias: Option<String> },
    /// An earlier step.
    Step(String),
}

impl Read {
    /// The qualifier of its columns.
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

    /// As written in a FROM clause.
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

/// What a query's last step has to return.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Target {
    /// The result: names and order of the columns as the engine gives them.
    Result,
    /// A named view, with the columns that it declares.
    View(String, Vec<String>),
    /// All columns, each with a unique name.
    Rows,
    /// An expression's subquery: constants may be left out.
    Operand,
    /// An operand of a set operation: everything but columns may be left out. SQLite takes the type of a column from
    /// how it is computed, PostgreSQL that of a constant from the other operand.
    Arm,
}

impl Target {
    /// Whether expressions may be left to the reader.
    pub fn leaves_out(&self) -> bool {
        matches!(self, Target::Operand | Target::Arm)
    }
}

/// The branch of a query.
#[derive(Debug, Clone)]
pub(crate) struct Branch {
    pub read: Read,
    pub outputs: Vec<BranchColumn>,
}

/// A column of a branch.
#[derive(Debug, Clone)]
pub(crate) struct BranchColumn {
    /// Its name for an enclosing query.
    pub name: String,
    /// Its name in a result.
    pub shown: String,
    /// Its name in the source.
    pub column: String,
    /// Its expression where it is not a column, in the names of the source.
    pub value: Option<Expr>,
    /// The expression as shown to the user.
    pub said: Option<Output>,
    pub origin: Option<Origin>,
}
