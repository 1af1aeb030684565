//! Converts syntax that only DuckDB has into its standard form in the tree.

use crate::visit::visit_mut;
use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArgOperator, FunctionArguments, Statement, VisitorMut,
};
use std::ops::ControlFlow;

/// Converts `bool_or(status = 'open')` to a comparison. The parser reads a parameter `status`, which only table functions
/// have in this form; other functions name parameters by `:=`.
pub(super) fn standardize_tree(statements: &mut Vec<Statement>) {
    struct Comparisons;
    impl VisitorMut for Comparisons {
        type Break = ();
        fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
            if let Expr::Function(function) = expr
                && let FunctionArguments::List(list) = &mut function.args
            {
                list.args.iter_mut().for_each(compare_named_argument);
            }
            ControlFlow::Continue(())
        }
    }
    let _ = visit_mut(statements, &mut Comparisons);
}

fn compare_named_argument(argument: &mut FunctionArg) {
    if let FunctionArg::Named { name, arg: FunctionArgExpr::Expr(value), operator: FunctionArgOperator::Equals } =
        argument
    {
        let compared = compare_first(Expr::Identifier(name.clone()), value.clone());
        *argument = FunctionArg::Unnamed(FunctionArgExpr::Expr(compared));
    }
}

/// Compares `left` with the first operand of `right`, because comparisons bind more tightly than AND and OR.
fn compare_first(left: Expr, right: Expr) -> Expr {
    match right {
        Expr::BinaryOp { left: first, op, right }
            if matches!(op, BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor) =>
        {
            Expr::BinaryOp { left: Box::new(compare_first(left, *first)), op, right }
        }
        right => Expr::BinaryOp { left: Box::new(left), op: BinaryOperator::Eq, right: Box::new(right) },
    }
}
