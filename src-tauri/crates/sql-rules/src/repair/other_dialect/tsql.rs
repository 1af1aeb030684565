//! Syntax that differs in SQL Server: dates, Boolean values, string concatenation, order of NULL.

use sqlparser::ast::{
    BinaryOperator, DataType, Expr, OrderByExpr, OrderByKind, OrderBySort, Query, Value, VisitorMut, WindowType,
};
use std::ops::ControlFlow;
use vitrine_domain::Dialect;
use vitrine_sql::ast::{parse_expr, visit_mut};
use vitrine_sql::{DialectExt, text_value};

/// Converts an expression to another form. Returns the name of the replaced form.
pub(super) fn of_expr(expr: &mut Expr, dialect: Dialect) -> Option<&'static str> {
    let (written, form) = match expr {
        Expr::Extract { field, expr: of, .. } => (format!("DATEPART({field}, {of})"), "EXTRACT"),
        Expr::TypedString(text) => match text.data_type {
            DataType::Date => (format!("CAST({} AS DATE)", text.value), "DATE"),
            DataType::Timestamp(..) => (format!("CAST({} AS DATETIME2)", text.value), "TIMESTAMP"),
            _ => return None,
        },
        // `+` adds numbers, so both operands must be strings; it has the same precedence as other additions.
        Expr::BinaryOp { left, op: BinaryOperator::StringConcat, right } => {
            let text = dialect.sql().replaced_type(&DataType::Text).unwrap_or(DataType::Text);
            (format!("({} + {})", as_text(left, &text), as_text(right, &text)), "||")
        }
        Expr::Identifier(word) if word.quote_style.is_none() => {
            let truth = ["FALSE", "TRUE"].iter().position(|known| word.value.eq_ignore_ascii_case(known))?;
            (truth.to_string(), "TRUE")
        }
        Expr::Value(value) => match &value.value {
            Value::Boolean(truth) => (u8::from(*truth).to_string(), "TRUE"),
            // Without the prefix N, characters outside of the server's code page are lost.
            Value::SingleQuotedString(text) if !text.is_ascii() => (text_value(text, dialect).to_string(), "'...'"),
            _ => return None,
        },
        _ => return None,
    };
    *expr = parse_expr(&written, dialect)?;
    Some(form)
}

fn as_text(expr: &Expr, text: &DataType) -> String {
    if is_text(expr, text) { expr.to_string() } else { format!("CAST({expr} AS {text})") }
}

/// Returns true if `+` after this operand concatenates strings: a string literal, a result of [`as_text`], or a
/// concatenation. Numbers would be added.
fn is_text(expr: &Expr, text: &DataType) -> bool {
    match expr {
        Expr::Value(value) => matches!(value.value, Value::SingleQuotedString(_) | Value::NationalStringLiteral(_)),
        Expr::Cast { data_type, .. } => data_type == text,
        Expr::Nested(inner) => is_text(inner, text),
        Expr::BinaryOp { op: BinaryOperator::StringConcat, .. } => true,
        Expr::BinaryOp { left, op: BinaryOperator::Plus, right } => is_text(left, text) || is_text(right, text),
        _ => false,
    }
}

/// Removes NULLS FIRST and NULLS LAST where they match SQL Server's default: first in ascending order, last in
/// descending. Returns true if any was removed.
pub(super) fn orders_of(query: &mut Query) -> bool {
    let mut orders = Orders(false);
    let _ = visit_mut(query, &mut orders);
    orders.0
}

struct Orders(bool);

impl Orders {
    fn drop_nulls_order(&mut self, keys: &mut [OrderByExpr]) {
        for key in keys {
            let descending = matches!(key.options.sort, Some(OrderBySort::Desc));
            if key.options.nulls_first.is_some_and(|first| first != descending) {
                key.options.nulls_first = None;
                self.0 = true;
            }
        }
    }
}

impl VisitorMut for Orders {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        if let Some(order) = &mut query.order_by
            && let OrderByKind::Expressions(keys) = &mut order.kind
        {
            self.drop_nulls_order(keys);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::Function(function) = expr
            && let Some(WindowType::WindowSpec(window)) = &mut function.over
        {
            self.drop_nulls_order(&mut window.order_by);
        }
        ControlFlow::Continue(())
    }
}
