//! Function arguments, and the operand of a `COUNT`.

use crate::parse::last_part;
use sqlparser::ast::{DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments};

/// Returns a function's arguments. `None` if one is not a plain expression, such as a named argument or `*`.
pub fn plain_arguments(function: &Function) -> Option<Vec<&Expr>> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let plain = |argument| match argument {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref expr)) => Some(expr),
        _ => None,
    };
    list.args.iter().map(plain).collect()
}

/// The operand of a `COUNT` call.
pub enum Counted<'a> {
    /// `COUNT(*)`
    Rows,
    /// `COUNT(x)`
    Values(&'a Expr),
    /// `COUNT(DISTINCT x)`
    Different(&'a Expr),
}

/// Classifies a `COUNT` without FILTER and OVER by its operand.
pub fn classify_count(function: &Function) -> Option<Counted<'_>> {
    let is_count = last_part(&function.name).is_some_and(|name| name.value.eq_ignore_ascii_case("count"));
    if !is_count || function.filter.is_some() || function.over.is_some() {
        return None;
    }
    let FunctionArguments::List(list) = &function.args else { return None };
    match (list.duplicate_treatment, list.args.as_slice()) {
        (None, [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)]) => Some(Counted::Rows),
        (Some(DuplicateTreatment::Distinct), [FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))]) => {
            Some(Counted::Different(expr))
        }
        (_, [FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))]) => Some(Counted::Values(expr)),
        _ => None,
    }
}

/// Rewrites a `COUNT` to count rows, or distinct values of `different`.
pub fn rewrite_count(function: &mut Function, different: Option<Expr>) {
    let FunctionArguments::List(list) = &mut function.args else { return };
    list.duplicate_treatment = different.is_some().then_some(DuplicateTreatment::Distinct);
    list.args = vec![FunctionArg::Unnamed(different.map_or(FunctionArgExpr::Wildcard, FunctionArgExpr::Expr))];
}
