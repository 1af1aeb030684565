//! SQL expressions of definitions and filters: parsed as one expression without subqueries, and printed with their
//! names replaced by columns.

use crate::problem::MetricError;
use sqlparser::ast::{BinaryOperator, Expr, Ident, ObjectNamePart, Query, SelectItem, SetExpr, UnaryOperator};
use std::ops::ControlFlow;
use vitrine_domain::{Dialect, Table};
use vitrine_sql::ast::is_aggregate;
use vitrine_sql::parse::{visit_exprs, visit_exprs_mut, visit_table_names};
use vitrine_sql::{ColumnType, DialectExt, ReadOnlySql, quote_identifier};
use vitrine_words::tr;

/// Maximum length of an expression in bytes.
const LONGEST: usize = 20_000;

/// Words that some functions take as the name of a part of a date.
const DATE_PARTS: [&str; 12] = [
    "second",
    "minute",
    "hour",
    "day",
    "week",
    "isoweek",
    "month",
    "quarter",
    "year",
    "millisecond",
    "dayofyear",
    "weekday",
];

/// Replaces a name in an expression, given as its parts. `None` keeps the name.
pub(crate) type ReplaceName<'r> = &'r mut dyn FnMut(&[Ident]) -> Result<Option<String>, MetricError>;

/// Parses a text as one expression that reads no table, and passes it to `walk`.
///
/// # Errors
/// Fails for other text, including subqueries and functions that are not known to only compute.
pub(crate) fn with_expression<T>(
    text: &str,
    dialect: Dialect,
    walk: impl FnOnce(Expr) -> Result<T, MetricError>,
) -> Result<T, MetricError> {
    let rejected = |hint: String| {
        MetricError::new(tr!("This is not a single SQL expression: {text}", text = shorten(text))).with_hint(hint)
    };
    if text.len() > LONGEST || text.trim().is_empty() {
        return Err(rejected(tr!("Write one expression of at most {most} characters", most = LONGEST)));
    }
    // Several dialects read a lone string as a name where it is selected.
    let sql = ReadOnlySql::parse(&format!("SELECT ({text}\n)"), dialect).map_err(|why| rejected(why.in_words()))?;
    if sql.written_out().is_none() {
        return Err(rejected(tr!("Write it in a simpler form, because it cannot be analysed completely")));
    }
    let parsed = sql.with_query(|query| match sole_expression(&query) {
        Some(expr) if reads_no_table(&expr) => walk(expr),
        Some(_) => Err(rejected(tr!("Subqueries are not supported; use dimensions of the definitions"))),
        None => Err(rejected(tr!("Write one expression without a select list"))),
    });
    parsed.unwrap_or_else(|| Err(rejected(tr!("Write one expression without a select list"))))
}

/// Returns the expression of `SELECT (expression)`, if the query is nothing else.
fn sole_expression(query: &Query) -> Option<Expr> {
    let SetExpr::Select(select) = &*query.body else { return None };
    let [SelectItem::UnnamedExpr(Expr::Nested(expr))] = select.projection.as_slice() else { return None };
    (query.to_string() == format!("SELECT ({expr})")).then(|| (**expr).clone())
}

fn reads_no_table(expr: &Expr) -> bool {
    let has_query = visit_exprs(expr, |part| match part {
        Expr::Subquery(_) | Expr::Exists { .. } | Expr::InSubquery { .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    has_query.is_continue() && visit_table_names(expr, |_| ControlFlow::Break(())).is_continue()
}

/// Prints an expression after the replacement of its names.
pub(crate) fn replace_names(mut expr: Expr, replace: ReplaceName<'_>) -> Result<String, MetricError> {
    let done = visit_exprs_mut(&mut expr, |part| {
        let parts = match part {
            Expr::Identifier(ident) => std::slice::from_ref(ident),
            Expr::CompoundIdentifier(parts) => parts.as_slice(),
            _ => return ControlFlow::Continue(()),
        };
        match replace(parts) {
            // An identifier without quotes is printed as it is.
            Ok(Some(sql)) => *part = Expr::Identifier(Ident::new(sql)),
            Ok(None) => {}
            Err(error) => return ControlFlow::Break(error),
        }
        ControlFlow::Continue(())
    });
    match done {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => Ok(expr.to_string()),
    }
}

/// Prints a formula over values. Quotients keep their fraction and are NULL if the divisor is 0.
pub(crate) fn write_formula(text: &str, dialect: Dialect, replace: ReplaceName<'_>) -> Result<String, MetricError> {
    with_expression(text, dialect, |mut expr| {
        let done = visit_exprs_mut(&mut expr, |part| {
            if let Expr::BinaryOp { left, op: BinaryOperator::Divide, right } = part {
                let left = format!("({left})");
                let dividend = dialect.sql().dividend(&left, ColumnType::Unknown);
                let quotient = format!("({dividend} / NULLIF({right}, 0))");
                *part = Expr::Identifier(Ident::new(quotient));
                return ControlFlow::Continue(());
            }
            let Expr::Identifier(ident) = part else { return ControlFlow::Continue(()) };
            match replace(std::slice::from_ref(ident)) {
                Ok(Some(sql)) => *part = Expr::Identifier(Ident::new(sql)),
                Ok(None) => {}
                Err(error) => return ControlFlow::Break(error),
            }
            ControlFlow::Continue(())
        });
        match done {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => Ok(expr.to_string()),
        }
    })
}

/// Prints an expression over columns of a table with the table's alias before each column, and its type if it is known.
pub(crate) fn write_columns(
    text: &str,
    table: &Table,
    alias: &str,
    dialect: Dialect,
) -> Result<(String, ColumnType, String), MetricError> {
    // Most expressions are the name of a column, which may contain any character.
    if let Some(column) = table.find_column(text.trim()) {
        let sql = format!("{}.{}", quote_identifier(alias, dialect), quote_identifier(&column.name, dialect));
        return Ok((sql, dialect.sql().column_type(&column.data_type), column.data_type.clone()));
    }
    with_expression(text, dialect, |expr| {
        let (family, stored) = type_of(&expr, table, dialect);
        let sql = replace_names(expr, &mut |parts| {
            let (name, qualifier) = match parts {
                [name] => (name, None),
                [qualifier, name] => (name, Some(qualifier)),
                _ => return Err(unknown_column(parts, table)),
            };
            if let Some(qualifier) = qualifier
                && !qualifier.value.eq_ignore_ascii_case(&table.name.name)
            {
                return Err(unknown_column(parts, table));
            }
            match table.find_column(&name.value) {
                Some(column) => {
                    let (alias, column) = (quote_identifier(alias, dialect), quote_identifier(&column.name, dialect));
                    Ok(Some(format!("{alias}.{column}")))
                }
                None if qualifier.is_none()
                    && name.quote_style.is_none()
                    && DATE_PARTS.iter().any(|part| name.value.eq_ignore_ascii_case(part)) =>
                {
                    Ok(None)
                }
                None => Err(unknown_column(parts, table)),
            }
        })?;
        Ok((format!("({sql})"), family, stored))
    })
}

fn type_of(expr: &Expr, table: &Table, dialect: Dialect) -> (ColumnType, String) {
    let unknown = (ColumnType::Unknown, String::new());
    match expr {
        Expr::Nested(inner) => type_of(inner, table, dialect),
        Expr::Cast { data_type, .. } => {
            let name = data_type.to_string();
            (dialect.sql().column_type(&name), name)
        }
        Expr::Identifier(ident) => table
            .find_column(&ident.value)
            .map_or(unknown, |column| (dialect.sql().column_type(&column.data_type), column.data_type.clone())),
        _ => unknown,
    }
}

fn unknown_column(parts: &[Ident], table: &Table) -> MetricError {
    let name: Vec<&str> = parts.iter().map(|part| part.value.as_str()).collect();
    let columns: Vec<&str> = table.columns.iter().take(40).map(|column| column.name.as_str()).collect();
    MetricError::missing(tr!("Table {table} has no column {name}", table = table.name, name = name.join(".")))
        .with_hint(tr!("Its columns: {columns}", columns = columns.join(", ")))
}

/// Splits a condition at its outermost ANDs; returns the text and names of each part.
pub(crate) fn split_conditions(text: &str, dialect: Dialect) -> Result<Vec<(String, Vec<String>)>, MetricError> {
    with_expression(text, dialect, |expr| {
        let mut parts = Vec::new();
        collect_conjuncts(expr, &mut parts);
        parts.into_iter().map(|part| Ok((part.to_string(), names_of(&part)?))).collect()
    })
}

fn collect_conjuncts(expr: Expr, parts: &mut Vec<Expr>) {
    match expr {
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
            collect_conjuncts(*left, parts);
            collect_conjuncts(*right, parts);
        }
        Expr::Nested(inner) => collect_conjuncts(*inner, parts),
        other => parts.push(other),
    }
}

/// Returns the names in an expression, each once.
fn names_of(expr: &Expr) -> Result<Vec<String>, MetricError> {
    let mut names: Vec<String> = Vec::new();
    let done = visit_exprs(expr, |part| match part {
        Expr::Identifier(ident) => {
            if !names.contains(&ident.value) {
                names.push(ident.value.clone());
            }
            ControlFlow::Continue(())
        }
        Expr::CompoundIdentifier(parts) => ControlFlow::Break(join_parts(parts)),
        _ => ControlFlow::Continue(()),
    });
    match done {
        ControlFlow::Break(name) => Err(MetricError::missing(tr!("'{name}' is not a dimension or metric", name))
            .with_hint(tr!("Write dimensions as entity__dimension; list them with: vitrine metrics list"))),
        ControlFlow::Continue(()) => Ok(names),
    }
}

/// Joins the parts of a name with dots.
pub(crate) fn join_parts(parts: &[Ident]) -> String {
    parts.iter().map(|part| part.value.as_str()).collect::<Vec<_>>().join(".")
}

/// Returns the names that a formula uses.
pub(crate) fn formula_names(text: &str, dialect: Dialect) -> Result<Vec<String>, MetricError> {
    with_expression(text, dialect, |expr| names_of(&expr))
}

/// Returns the first call of an aggregate or window function in an expression.
pub(crate) fn find_aggregate(text: &str, dialect: Dialect) -> Result<Option<String>, MetricError> {
    with_expression(text, dialect, |expr| {
        let found = visit_exprs(&expr, |part| match part {
            Expr::Function(function) => {
                let name = function.name.0.last().and_then(ObjectNamePart::as_ident);
                let aggregates = function.over.is_some() || name.is_some_and(|name| is_aggregate(&name.value));
                if aggregates { ControlFlow::Break(function.to_string()) } else { ControlFlow::Continue(()) }
            }
            _ => ControlFlow::Continue(()),
        });
        Ok(found.break_value())
    })
}

/// Returns true if a formula only adds values, subtracts them, or multiplies them by constants.
pub(crate) fn is_linear(text: &str, dialect: Dialect) -> Result<bool, MetricError> {
    fn is_constant(expr: &Expr) -> bool {
        match expr {
            Expr::Value(_) => true,
            Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } => is_constant(inner),
            _ => false,
        }
    }
    fn check(expr: &Expr) -> bool {
        match expr {
            Expr::Identifier(_) => true,
            Expr::Nested(inner) => check(inner),
            Expr::UnaryOp { op: UnaryOperator::Minus | UnaryOperator::Plus, expr } => check(expr),
            Expr::BinaryOp { left, op: BinaryOperator::Plus | BinaryOperator::Minus, right } => {
                check(left) && check(right)
            }
            Expr::BinaryOp { left, op: BinaryOperator::Multiply, right } => {
                (check(left) && is_constant(right)) || (is_constant(left) && check(right))
            }
            Expr::BinaryOp { left, op: BinaryOperator::Divide, right } => check(left) && is_constant(right),
            _ => false,
        }
    }
    with_expression(text, dialect, |expr| Ok(check(&expr)))
}

fn shorten(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
