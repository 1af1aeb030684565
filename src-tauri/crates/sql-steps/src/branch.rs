//! The result of splitting a query or a part of it: its target, and the source of its rows.

use crate::steps::{Origin, Output};
use sqlparser::ast::Expr;
use vitrine_domain::{Dialect, TableName};
use vitrine_sql::{quote_identifier, table_ref};

/// A source of a step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Read {
    /// A table of the catalog, with its alias.
    Table { table: TableName, alias: Option<String> },
    /// An earlier step with this name.
    Step(String),
}

impl Read {
    /// Returns the qualifier of its columns.
    pub fn qualifier(&self) -> &str {
        match self {
            Read::Table { alias: Some(alias), .. } => alias,
            Read::Table { table, .. } => &table.name,
            Read::Step(name) => name,
        }
    }

    /// Returns the name of the step or table.
    pub fn name(&self) -> String {
        match self {
            Read::Table { table, .. } => table.to_string(),
            Read::Step(name) => name.clone(),
        }
    }

    /// Returns the source as written in a FROM clause.
    pub fn format_source(&self, dialect: Dialect) -> String {
        match self {
            Read::Table { table, alias: Some(alias) } => {
                format!("{} AS {}", table_ref(table, dialect), quote_identifier(alias, dialect))
            }
            Read::Table { table, alias: None } => table_ref(table, dialect),
            Read::Step(name) => quote_identifier(name, dialect),
        }
    }
}

/// The required result of a query's last step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Target {
    /// The result of the whole query: with the engine's column names in their order.
    Result,
    /// A named view, with the columns that it declares.
    View(String, Vec<String>),
    /// All columns, each with a unique name.
    Rows,
    /// A subquery of an expression: constants may be omitted.
    Operand,
    /// An operand of a set operation: everything but columns may be omitted, because the type of a column may depend on
    /// its computation, and the type of a constant on the other operand.
    Arm,
}

impl Target {
    /// Returns true if the enclosing query may compute expressions.
    pub fn leaves_out(&self) -> bool {
        matches!(self, Target::Operand | Target::Arm)
    }
}

/// The rows of a split query, as an enclosing query reads them.
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
    /// Its expression in terms of the source, if it is not a column.
    pub value: Option<Expr>,
    /// The expression as shown to the user.
    pub said: Option<Output>,
    pub origin: Option<Origin>,
}
