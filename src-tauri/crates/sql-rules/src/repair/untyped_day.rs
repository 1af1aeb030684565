//! Days written as text where a date is taken: `date_trunc('year', '2023-01-01')`, `'2023-01-01' + INTERVAL '1 year'`. DuckDB
//! and PostgreSQL have such a function for dates, moments and intervals, cannot tell which of them a text is, and reject the
//! query. A text that is a day of the calendar in ISO form is written as one there: `DATE '2023-01-01'`. Where another
//! operand settles the type the query runs, and where a text is taken, as in `left('2023-01-01', 4)`, it stays one.

use crate::RuleInput;
use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Query, Value, ValueWithSpan,
};
use std::ops::ControlFlow;
use vitrine_domain::Dialect;
use vitrine_sql::ast::{last_part, parse_expr, visit_exprs_mut};
use vitrine_sql::is_date;
use vitrine_words::{join_with_and, tr};

/// Functions that take dates, and texts for no other use than to name a part or a form.
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
    if ![Dialect::Duckdb, Dialect::Postgres].contains(&dialect) {
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

/// The parts of an expression that are dates, or name a part of one.
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

/// A text that is a day, perhaps with a time, and the same as a date or a moment.
fn typed_day(expr: &Expr, dialect: Dialect) -> Option<(String, Expr)> {
    let Expr::Value(ValueWithSpan { value: Value::SingleQuotedString(text), .. }) = expr else { return None };
    let kind = if text.len() == "2023-01-01".len() { "DATE" } else { "TIMESTAMP" };
    let date = is_date(text).then(|| parse_expr(&format!("{kind} '{text}'"), dialect))??;
    Some((text.clone(), date))
}
