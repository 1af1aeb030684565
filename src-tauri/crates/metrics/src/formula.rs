//! The structure of a formula over metrics, for callers that compute with its parts.

use crate::expression::{join_parts, with_expression};
use crate::problem::MetricError;
use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, ObjectNamePart, UnaryOperator,
    Value,
};
use vitrine_domain::Dialect;

/// A part of a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formula {
    /// The name of a metric or of an input.
    Name(String),
    /// A number as written.
    Number(String),
    /// The negative of a part.
    Negative(Box<Formula>),
    /// The sum of two parts.
    Sum(Box<Formula>, Box<Formula>),
    /// The first part minus the second one.
    Difference(Box<Formula>, Box<Formula>),
    /// The product of two parts.
    Product(Box<Formula>, Box<Formula>),
    /// The first part divided by the second one.
    Quotient(Box<Formula>, Box<Formula>),
    /// A part that is NULL instead of 0, as divisors are written.
    NullIfZero(Box<Formula>),
    /// A part that is 0 instead of NULL.
    ZeroIfNull(Box<Formula>),
    /// Any other expression, as SQL.
    Other(String),
}

/// Parses a formula of a metric. Conversions to floating-point numbers are left out, because they change no value.
///
/// # Errors
/// Fails for text that is not one expression.
pub fn parse_formula(text: &str, dialect: Dialect) -> Result<Formula, MetricError> {
    with_expression(text, dialect, |expr| Ok(read_part(&expr)))
}

fn read_part(expr: &Expr) -> Formula {
    let other = || Formula::Other(expr.to_string());
    let boxed = |part: &Expr| Box::new(read_part(part));
    match expr {
        Expr::Identifier(ident) => Formula::Name(ident.value.clone()),
        Expr::CompoundIdentifier(parts) => Formula::Name(join_parts(parts)),
        Expr::Nested(inner) => read_part(inner),
        Expr::Value(value) => match &value.value {
            Value::Number(number, _) => Formula::Number(number.to_string()),
            _ => other(),
        },
        Expr::UnaryOp { op: UnaryOperator::Plus, expr } => read_part(expr),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => Formula::Negative(boxed(expr)),
        Expr::BinaryOp { left, op, right } => match op {
            BinaryOperator::Plus => Formula::Sum(boxed(left), boxed(right)),
            BinaryOperator::Minus => Formula::Difference(boxed(left), boxed(right)),
            BinaryOperator::Multiply => Formula::Product(boxed(left), boxed(right)),
            BinaryOperator::Divide => Formula::Quotient(boxed(left), boxed(right)),
            _ => other(),
        },
        Expr::Cast { expr: inner, data_type, .. } => match is_float(&data_type.to_string()) {
            true => read_part(inner),
            false => other(),
        },
        Expr::Function(function) => read_function(function).unwrap_or_else(other),
        _ => other(),
    }
}

fn is_float(data_type: &str) -> bool {
    let name = data_type.to_ascii_uppercase();
    ["DOUBLE", "FLOAT", "REAL"].iter().any(|float| name.starts_with(float))
}

/// Returns the meaning of `NULLIF(x, 0)` and `COALESCE(x, 0)`; `None` for other calls.
fn read_function(function: &Function) -> Option<Formula> {
    let [ObjectNamePart::Identifier(name)] = function.name.0.as_slice() else { return None };
    let FunctionArguments::List(list) = &function.args else { return None };
    let [FunctionArg::Unnamed(FunctionArgExpr::Expr(of)), FunctionArg::Unnamed(FunctionArgExpr::Expr(constant))] =
        list.args.as_slice()
    else {
        return None;
    };
    if function.over.is_some() || !is_zero(&read_part(constant)) {
        return None;
    }
    match name.value.to_ascii_lowercase().as_str() {
        "nullif" => Some(Formula::NullIfZero(Box::new(read_part(of)))),
        "coalesce" | "ifnull" => Some(Formula::ZeroIfNull(Box::new(read_part(of)))),
        _ => None,
    }
}

fn is_zero(part: &Formula) -> bool {
    matches!(part, Formula::Number(number) if number.parse::<f64>() == Ok(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Formula {
        parse_formula(text, Dialect::Duckdb).unwrap()
    }

    fn name(text: &str) -> Box<Formula> {
        Box::new(Formula::Name(text.into()))
    }

    #[test]
    fn a_formula_has_names_numbers_and_operators() {
        assert_eq!(parse("a - b"), Formula::Difference(name("a"), name("b")));
        assert_eq!(parse("(a)"), *name("a"));
        let percent = Formula::Product(Box::new(Formula::Number("100".into())), name("a"));
        let divisor = Formula::NullIfZero(name("b"));
        assert_eq!(parse("100 * a / NULLIF(b, 0)"), Formula::Quotient(Box::new(percent), Box::new(divisor)));
        assert_eq!(parse("COALESCE(a, 0)"), Formula::ZeroIfNull(name("a")));
        assert_eq!(parse("CAST(a AS DOUBLE)"), *name("a"));
        assert_eq!(parse("-a"), Formula::Negative(name("a")));
    }

    #[test]
    fn calls_that_change_values_are_not_simplified() {
        for text in ["ROUND(a)", "CAST(a AS INTEGER)", "COALESCE(a, 1)", "NULLIF(a, 5)", "a % 2", "'a'"] {
            assert!(matches!(parse(text), Formula::Other(_)), "{text}");
        }
    }
}
