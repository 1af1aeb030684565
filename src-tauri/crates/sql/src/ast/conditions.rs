//! Builds conditions and splits them into parts.

use crate::ast::visit_tree;
use sqlparser::ast::{BinaryOperator, Expr, Value, ValueWithSpan, Visit, Visitor};
use std::ops::ControlFlow;

/// Builds `left AND right`, with parentheses around operands that contain OR.
pub fn build_and(left: Expr, right: Expr) -> Expr {
    let whole = |expr: Expr| {
        Box::new(match expr {
            Expr::BinaryOp { op: BinaryOperator::Or, .. } => Expr::Nested(Box::new(expr)),
            expr => expr,
        })
    };
    Expr::BinaryOp { left: whole(left), op: BinaryOperator::And, right: whole(right) }
}

/// Builds `left OR right` without parentheses.
pub fn build_or(left: Expr, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(left), op: BinaryOperator::Or, right: Box::new(right) }
}

/// Collects the operands of AND, including those in parentheses.
pub fn collect_conjuncts<'a>(expr: &'a Expr, parts: &mut Vec<&'a Expr>) {
    match expr {
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
            collect_conjuncts(left, parts);
            collect_conjuncts(right, parts);
        }
        Expr::Nested(inner) if matches!(inner.as_ref(), Expr::BinaryOp { op: BinaryOperator::And, .. }) => {
            collect_conjuncts(inner, parts);
        }
        other => parts.push(other),
    }
}

/// Collects the operands of OR, without opening parentheses.
pub fn collect_disjuncts<'a>(expr: &'a Expr, parts: &mut Vec<&'a Expr>) {
    match expr {
        Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
            collect_disjuncts(left, parts);
            collect_disjuncts(right, parts);
        }
        other => parts.push(other),
    }
}

/// Returns column and constant of `column = constant`, in either order.
pub fn match_constant_equality(condition: &Expr) -> Option<(&Expr, &Value)> {
    let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = condition else { return None };
    let (column, constant) = if is_column(left) { (left, right) } else { (right, left) };
    match constant.as_ref() {
        Expr::Value(ValueWithSpan { value, .. }) if is_column(column) => Some((column, value)),
        _ => None,
    }
}

/// Returns true if an expression is a column name, qualified or not.
pub fn is_column(expr: &Expr) -> bool {
    matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_))
}

/// Collects the distinct text and number constants of a part of a query. For LIKE patterns, returns the text between
/// the wildcards.
pub fn collect_constants(part: &impl Visit) -> Vec<String> {
    struct Finds(Vec<String>);
    impl Visitor for Finds {
        type Break = ();
        fn pre_visit_value(&mut self, value: &ValueWithSpan) -> ControlFlow<()> {
            let text = match &value.value {
                Value::Number(number, _) => number.to_string(),
                other => match other.clone().into_string() {
                    Some(text) => text.trim_matches('%').to_owned(),
                    None => return ControlFlow::Continue(()),
                },
            };
            if !self.0.contains(&text) {
                self.0.push(text);
            }
            ControlFlow::Continue(())
        }
    }
    let mut finds = Finds(Vec::new());
    let _ = visit_tree(part, &mut finds);
    finds.0
}
