//! Names and nested parts of expressions, in brackets or, in plain words, without them.

use super::{Words, name_of};
use sqlparser::ast::{BinaryOperator, Expr, Ident};
use vitrine_sql::ast::{conjuncts, disjuncts};

impl Words<'_> {
    /// A part that stands in brackets, where it does.
    pub(super) fn nested(&self, part: &Expr) -> String {
        if self.plain.is_none() {
            return format!("({})", self.said(part));
        }
        match part {
            Expr::BinaryOp { op: BinaryOperator::And, .. } => {
                let mut parts = Vec::new();
                conjuncts(part, &mut parts);
                let said: Vec<String> = parts.into_iter().map(|part| self.said(part)).collect();
                format!("{} {}", if said.len() == 2 { "both" } else { "all of" }, super::joined(&said, "and"))
            }
            Expr::BinaryOp { op: BinaryOperator::Or, .. } => {
                let mut parts = Vec::new();
                disjuncts(part, &mut parts);
                let said: Vec<String> = parts.into_iter().map(|part| self.side(part)).collect();
                format!("either {}", super::joined(&said, "or"))
            }
            Expr::BinaryOp { left, op, right } => {
                let what = match op {
                    BinaryOperator::Plus => "sum",
                    BinaryOperator::Minus => "difference",
                    BinaryOperator::Multiply => "product",
                    BinaryOperator::Divide => "quotient",
                    _ => return self.said(part),
                };
                format!("the {what} of {} and {}", self.side(left), self.side(right))
            }
            part => self.said(part),
        }
    }

    fn side(&self, side: &Expr) -> String {
        match side {
            Expr::Nested(inner) if matches!(**inner, Expr::BinaryOp { .. }) => self.nested(inner),
            Expr::BinaryOp { op: BinaryOperator::And, .. } => self.nested(side),
            side => self.said(side),
        }
    }

    pub(super) fn column_name(&self, table: Option<&Ident>, column: &Ident) -> String {
        match self.plain {
            Some(plain) => plain.names.column(table.map(|table| table.value.as_str()).or(self.own), &column.value),
            None => name_of(column),
        }
    }

    pub(super) fn table_name(&self, table: &Ident) -> Option<String> {
        match self.plain {
            Some(plain) => plain.names.rows(&table.value),
            None => Some(name_of(table)),
        }
    }

    /// What is counted by `COUNT(*)`.
    pub(super) fn rows_counted(&self) -> String {
        self.plain.and_then(|plain| plain.names.counted()).unwrap_or_else(|| "rows".to_owned())
    }

    /// What the values of a key stand for.
    pub(super) fn thing(&self, value: &Expr) -> Option<String> {
        let (table, column) = named(value)?;
        self.plain?.names.thing(table.or(self.own), column)
    }

    /// The value of a step that has a single row.
    pub(super) fn single_value(&self, step: &Ident, value: &Expr) -> Option<String> {
        self.plain?.names.single_value(&step.value, named(value)?.1)
    }
}

/// The table and the name of a column.
fn named(value: &Expr) -> Option<(Option<&str>, &str)> {
    match value {
        Expr::Identifier(column) => Some((None, &column.value)),
        Expr::CompoundIdentifier(parts) => match parts.as_slice() {
            [.., table, column] => Some((Some(&table.value), &column.value)),
            _ => None,
        },
        _ => None,
    }
}
