//! Timestamps at which MariaDB reads the history of a table.

use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, TableVersion};

/// Returns true if the history of a table is read at timestamps that do not depend on a row.
pub(super) fn is_moment(version: &TableVersion) -> bool {
    let TableVersion::ForSystemTimeAsOf(moment) = version else { return false };
    is_computed(moment)
}

/// Returns true if a value consists only of literals and functions; the walk checks the functions.
fn is_computed(expr: &Expr) -> bool {
    match expr {
        Expr::Value(_) | Expr::TypedString(_) => true,
        Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } | Expr::Cast { expr: inner, .. } => is_computed(inner),
        Expr::Interval(interval) => is_computed(&interval.value),
        Expr::BinaryOp { left, right, .. } => is_computed(left) && is_computed(right),
        Expr::Function(Function { args: FunctionArguments::None, .. }) => true,
        Expr::Function(Function { args: FunctionArguments::List(list), .. }) => list
            .args
            .iter()
            .all(|argument| matches!(argument, FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) if is_computed(expr))),
        _ => false,
    }
}
