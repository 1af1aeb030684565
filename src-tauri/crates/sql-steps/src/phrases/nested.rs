//! Names and nested parts of expressions, in parentheses or, in plain words, without them.

use super::plain::Rows;
use super::{ExpressionDescriber, name_of};
use sqlparser::ast::{BinaryOperator, Expr, Ident};
use vitrine_sql::ast::{collect_conjuncts, collect_disjuncts};
use vitrine_words::{join_with_and, join_with_or, tr};

impl ExpressionDescriber<'_> {
    /// Describes a nested part, in parentheses where SQL is allowed.
    pub(super) fn describe_nested(&self, part: &Expr) -> String {
        if self.plain.is_none() {
            return format!("({})", self.describe_or_quote(part));
        }
        match part {
            Expr::BinaryOp { op: BinaryOperator::And, .. } => {
                let mut parts = Vec::new();
                collect_conjuncts(part, &mut parts);
                let said: Vec<String> = parts.into_iter().map(|part| self.describe_or_quote(part)).collect();
                let conditions = join_with_and(&said);
                match said.len() {
                    2 => tr!("both {conditions}", conditions),
                    _ => tr!("all of {conditions}", conditions),
                }
            }
            Expr::BinaryOp { op: BinaryOperator::Or, .. } => {
                let mut parts = Vec::new();
                collect_disjuncts(part, &mut parts);
                let said: Vec<String> = parts.into_iter().map(|part| self.describe_operand(part)).collect();
                tr!("either {conditions}", conditions = join_with_or(&said))
            }
            Expr::BinaryOp { left, op, right } => {
                let (left, right) = (self.describe_operand(left), self.describe_operand(right));
                match op {
                    BinaryOperator::Plus => tr!("the sum of {left} and {right}", left, right),
                    BinaryOperator::Minus => tr!("the difference of {left} and {right}", left, right),
                    BinaryOperator::Multiply => tr!("the product of {left} and {right}", left, right),
                    BinaryOperator::Divide => tr!("the quotient of {left} and {right}", left, right),
                    _ => self.describe_or_quote(part),
                }
            }
            part => self.describe_or_quote(part),
        }
    }

    fn describe_operand(&self, side: &Expr) -> String {
        match side {
            Expr::Nested(inner) if matches!(**inner, Expr::BinaryOp { .. }) => self.describe_nested(inner),
            Expr::BinaryOp { op: BinaryOperator::And, .. } => self.describe_nested(side),
            side => self.describe_or_quote(side),
        }
    }

    pub(super) fn column_name(&self, table: Option<&Ident>, column: &Ident) -> String {
        match self.plain {
            Some(plain) => plain.names.column_name(table.map(|table| table.value.as_str()).or(self.own), &column.value),
            None => name_of(column),
        }
    }

    pub(super) fn table_name(&self, table: &Ident) -> Option<String> {
        match self.plain {
            Some(plain) => plain.names.row_name(&table.value),
            None => Some(name_of(table)),
        }
    }

    /// Describes the result of `COUNT(*)`.
    pub(super) fn rows_counted(&self) -> String {
        // The count of a nested query is described by the table that it reads.
        match self.plain.filter(|_| self.own.is_none()).and_then(|plain| plain.names.counted_rows()) {
            Some(Rows::Called(things)) => tr!("number of {things}", things),
            Some(Rows::Of(table)) => tr!("number of rows of {table}", table),
            None => tr!("number of rows"),
        }
    }

    /// Returns true if an expression is the primary key of the only table that is read, so that it has one value per
    /// row.
    pub(super) fn is_one_a_row(&self, value: &Expr) -> bool {
        let Some(plain) = self.plain.filter(|_| self.own.is_none()) else { return false };
        column_parts(value)
            .is_some_and(|(table, column)| plain.names.is_key(table, column) && plain.names.counted_rows().is_some())
    }

    /// Returns the entity that the values of a key represent.
    pub(super) fn key_entity(&self, value: &Expr) -> Option<String> {
        let (table, column) = column_parts(value)?;
        self.plain?.names.entity_name(table.or(self.own), column)
    }

    /// Describes the value of a step that has a single row.
    pub(super) fn single_value(&self, step: &Ident, value: &Expr) -> Option<String> {
        self.plain?.names.single_value(&step.value, column_parts(value)?.1)
    }
}

/// Returns the table and the name of a column.
fn column_parts(value: &Expr) -> Option<(Option<&str>, &str)> {
    match value {
        Expr::Identifier(column) => Some((None, &column.value)),
        Expr::CompoundIdentifier(parts) => match parts.as_slice() {
            [.., table, column] => Some((Some(&table.value), &column.value)),
            _ => None,
        },
        _ => None,
    }
}
