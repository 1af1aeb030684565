//! Dates written as text in place of a date: `date_trunc('year', '2023-01-01')`, `'2023-01-01' + INTERVAL '1 year'`.
//! DuckDB and PostgreSQL overload such functions for dates, timestamps and intervals, cannot determine the type of a
//! string, and reject the query. A string that is a calendar date in ISO form becomes a date literal: `DATE
//! '2023-01-01'`. The query runs if another operand determines the type, and a string stays a string where one is
//! expected, as in `left('2023-01-01', 4)`.

use crate::RuleInput;
use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Query, Value, ValueWithSpan,
};
use std::ops::ControlFlow;
use vitrine_domain::Dialect;
use vitrine_sql::ast::{last_part, parse_expr, visit_exprs_mut};
use vitrine_sql::{DialectExt, is_date};
use vitrine_words::{join_with_and, tr};

/// Functions of dates, whose only string arguments are names of date parts or formats.
const OF_DATES: [&str; 22] = [
    "date_add",
    "date_diff",
    "date_part",
    "date_sub",
    "date_trunc",
    "datediff",
    "datepart",
    "datetrunc",
    "day",
    "dayname",
    "dayofmonth",
    "dayofweek",
    "dayofyear",
    "last_day",
    "month",
    "monthname",
    "quarter",
    "strftime",
    "to_char",
    "week",
    "weekofyear",
    "year",
];

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    let dialect = input.catalog.dialect;
    if !dialect.sql().rejects_untyped_dates() {
        return Vec::new();
    }
    let mut typed: Vec<String> = Vec::new();
    let _ = visit_exprs_mut(query, |expr| {
        for operand in date_operands(expr) {
            if let Some((day, date)) = typed_day(operand, dialect) {
                *operand = date;
                if !typed.contains(&day) {
                    typed.push(day);
                }
            }
        }
        ControlFlow::<()>::Continue(())
    });
    if typed.is_empty() {
        Vec::new()
    } else {
        vec![tr!("Read {days} as a date, not as text", days = join_with_and(&typed))]
    }
}

/// Returns the operands of an expression that are dates, or names of date parts.
fn date_operands(expr: &mut Expr) -> Vec<&mut Expr> {
    match expr {
        Expr::Extract { expr, .. } => vec![expr],
        Expr::BinaryOp { left, op, right } => {
            let moves = matches!(op, BinaryOperator::Plus | BinaryOperator::Minus)
                && (matches!(**left, Expr::Interval(_)) || matches!(**right, Expr::Interval(_)));
            if moves { vec![left, right] } else { Vec::new() }
        }
        Expr::Function(function)
            if last_part(&function.name)
                .is_some_and(|name| OF_DATES.contains(&name.value.to_ascii_lowercase().as_str())) =>
        {
            let FunctionArguments::List(list) = &mut function.args else { return Vec::new() };
            let plain = |argument| match argument {
                &mut FunctionArg::Unnamed(FunctionArgExpr::Expr(ref mut expr)) => Some(expr),
                _ => None,
            };
            list.args.iter_mut().filter_map(plain).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns a string that is a date, with an optional time, and the typed literal for it.
fn typed_day(expr: &Expr, dialect: Dialect) -> Option<(String, Expr)> {
    let Expr::Value(ValueWithSpan { value: Value::SingleQuotedString(text), .. }) = expr else { return None };
    let kind = if text.len() == "2023-01-01".len() { "DATE" } else { "TIMESTAMP" };
    let date = is_date(text).then(|| parse_expr(&format!("{kind} '{text}'"), dialect))??;
    Some((text.clone(), date))
}
