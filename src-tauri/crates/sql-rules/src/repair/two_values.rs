//! The same aggregate twice with a condition on two values of a column: `SUM(amount) - SUM(amount)` over the years 2023
//! and 2022 is always 0.

use super::each_select;
use crate::RuleInput;
use crate::fixed::{Aggregate, Fixed, find_fixed_number, normalize_expr};
use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Query, Select, SelectItem,
};
use vitrine_domain::Dialect;
use vitrine_sql::ast::{
    InScope, Relation, build_and, collect_aggregate_names, collect_conjuncts, each_own_expr, iter_relations, parse_expr,
};
use vitrine_words::tr;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    each_select(query, input, |select, _, scope| one_value_each(select, scope).into_iter().collect())
}

/// Restricts each side to one of the two values, in the order in which they are written.
fn one_value_each(select: &mut Select, scope: &InScope<'_>) -> Option<String> {
    let tables: Vec<Relation<'_>> = iter_relations(select, scope).flatten().collect();
    let Fixed::SameTwice(_) = find_fixed_number(select, &tables)? else { return None };
    let mut parts = Vec::new();
    collect_conjuncts(select.selection.as_ref()?, &mut parts);
    let (places, picked) = find_picked_values(&parts, &tables)?;
    let [item] = select.projection.as_slice() else { return None };
    let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = item else { return None };
    let mut compared = expr.clone();
    let Expr::BinaryOp { left, op: BinaryOperator::Minus | BinaryOperator::Divide, right } = &mut compared else {
        return None;
    };
    ask_for(left, &picked.side, &picked.first, scope.dialect)?;
    ask_for(right, &picked.side, &picked.second, scope.dialect)?;
    let both = Expr::InList {
        expr: Box::new(picked.side),
        list: vec![picked.first.clone(), picked.second.clone()],
        negated: false,
    };
    let rest = parts.iter().enumerate().filter(|(at, _)| !places.contains(at)).map(|(_, part)| (*part).clone());
    select.selection = rest.chain([both]).reduce(build_and);
    let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = &mut select.projection[0] else {
        return None;
    };
    *expr = compared;
    let (first, second) = (picked.first, picked.second);
    Some(tr!("Used {first} for one side and {second} for the other: as written, both are the same", first, second))
}

/// Two values that WHERE selects.
struct Picked {
    /// The expression that is compared with them.
    side: Expr,
    first: Expr,
    second: Expr,
}

/// Finds two values of one expression, and the operands of WHERE that select them: `c IN (1, 2)`, `c = 1 OR c = 2`, and
/// incorrect forms from models, `c = 1 AND c = 2` and `c = 1 - c = 2`.
fn find_picked_values(parts: &[&Expr], tables: &[Relation<'_>]) -> Option<(Vec<usize>, Picked)> {
    let same = |one: &Expr, other: &Expr| normalize_expr(one, tables) == normalize_expr(other, tables);
    let two = |(side, first): (Expr, Expr), (other, second): (Expr, Expr)| {
        (same(&side, &other) && first != second).then_some(Picked { side, first, second })
    };
    let within = parts.iter().enumerate().find_map(|(at, part)| {
        let picked = match strip_parentheses(part) {
            Expr::InList { expr, list, negated: false } => match list.as_slice() {
                [first @ Expr::Value(_), second @ Expr::Value(_)] => {
                    Some(Picked { side: expr.as_ref().clone(), first: first.clone(), second: second.clone() })
                }
                _ => None,
            },
            Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
                two(equality_sides(left)?, equality_sides(right)?)
            }
            // `=` binds less tightly than `-` and is left-associative: `(c = (1 - c)) = 2`.
            Expr::BinaryOp { left, op: BinaryOperator::Eq, right: second } => match strip_parentheses(left) {
                Expr::BinaryOp { left: side, op: BinaryOperator::Eq, right } => match strip_parentheses(right) {
                    Expr::BinaryOp { left: first, op: BinaryOperator::Minus, right: other } => two(
                        (side.as_ref().clone(), constant_value(first)?),
                        (other.as_ref().clone(), constant_value(second)?),
                    ),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        picked.map(|picked| (vec![at], picked))
    });
    within.or_else(|| {
        let equal: Vec<(usize, (Expr, Expr))> =
            parts.iter().enumerate().filter_map(|(at, part)| Some((at, equality_sides(part)?))).collect();
        equal.iter().enumerate().find_map(|(at, (place, one))| {
            equal[at + 1..]
                .iter()
                .find_map(|(other_place, other)| Some((vec![*place, *other_place], two(one.clone(), other.clone())?)))
        })
    })
}

/// Removes the parentheses around an expression.
fn strip_parentheses(expr: &Expr) -> &Expr {
    match expr {
        Expr::Nested(inner) => strip_parentheses(inner),
        expr => expr,
    }
}

fn constant_value(expr: &Expr) -> Option<Expr> {
    matches!(expr, Expr::Value(_)).then(|| expr.clone())
}

/// Returns both sides of `side = constant`.
fn equality_sides(condition: &Expr) -> Option<(Expr, Expr)> {
    match strip_parentheses(condition) {
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => Some((left.as_ref().clone(), constant_value(right)?)),
        _ => None,
    }
}

/// Restricts the only aggregate of an expression to rows with one value. `None` if there are several, or if it already
/// has a condition.
fn ask_for(expr: &mut Expr, side: &Expr, value: &Expr, dialect: Dialect) -> Option<()> {
    let [_] = collect_aggregate_names(expr).as_slice() else { return None };
    let mut asked = None;
    each_own_expr(expr, |part| {
        let Some(aggregate) = Aggregate::from_expr(part).filter(|aggregate| aggregate.split_condition().is_none())
        else {
            return;
        };
        let of = aggregate.argument.map_or_else(|| "1".to_owned(), Expr::to_string);
        let otherwise = if aggregate.name == "sum" { " ELSE 0" } else { "" };
        let case = parse_expr(&format!("CASE WHEN {side} = {value} THEN {of}{otherwise} END"), dialect);
        if let (Some(case), Expr::Function(Function { args: FunctionArguments::List(list), .. })) = (case, part) {
            list.args = vec![FunctionArg::Unnamed(FunctionArgExpr::Expr(case))];
            asked = Some(());
        }
    });
    asked
}
