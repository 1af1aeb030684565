//! The names that the local engine gives to columns without an alias.

use super::aggregates::{Call, classify_call};
use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Value};
use std::ops::ControlFlow;
use vitrine_sql::ast::{last_part, visit_exprs};
use vitrine_sql::quote_identifier;
use vitrine_warehouse::JOIN_DIALECT;

/// Returns the alias that keeps the name of a column whose aggregates are replaced; the inner value is `None` if the column
/// has no aggregate. `None` if its name is not certain.
pub(super) fn needed_alias(expr: &Expr) -> Option<Option<String>> {
    let aggregates = visit_exprs(expr, |expr| match expr {
        Expr::Function(function) if !matches!(classify_call(function), Call::Scalar) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    match (aggregates.is_break(), expr) {
        (false, _) => Some(None),
        (true, Expr::Function(function)) => function_name(function).map(Some),
        (true, _) => None,
    }
}

fn function_name(function: &Function) -> Option<String> {
    let name = last_part(&function.name)?.value.to_lowercase();
    let FunctionArguments::List(list) = &function.args else { return None };
    if list.duplicate_treatment.is_some() || !list.clauses.is_empty() {
        return None;
    }
    if let [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)] = list.args.as_slice() {
        return (name == "count").then(|| "count_star()".to_owned());
    }
    let arguments: Vec<String> = list.args.iter().map(argument_text).collect::<Option<_>>()?;
    Some(format!("{name}({})", arguments.join(", ")))
}

fn argument_text(argument: &FunctionArg) -> Option<String> {
    let FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) = argument else { return None };
    expression_text(expr)
}

fn expression_text(expr: &Expr) -> Option<String> {
    let quoted = |part: &Ident| quote_identifier(&part.value, JOIN_DIALECT);
    match expr {
        Expr::Identifier(name) => Some(quoted(name)),
        Expr::CompoundIdentifier(parts) => Some(parts.iter().map(quoted).collect::<Vec<_>>().join(".")),
        Expr::Value(value) => match &value.value {
            Value::Number(number, false) => Some(number.clone()),
            _ => None,
        },
        Expr::Nested(inner) => expression_text(inner),
        Expr::BinaryOp { left, op, right } => {
            Some(format!("({} {op} {})", expression_text(left)?, expression_text(right)?))
        }
        Expr::Function(function) => function_name(function),
        _ => None,
    }
}
