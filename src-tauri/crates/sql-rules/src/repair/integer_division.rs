//! Integer division: some engines silently drop the fraction of a quotient of integers, so that 1 / 2 is 0.

use super::each_select;
use crate::RuleInput;
use sqlparser::ast::{
    BinaryOperator, DataType, ExactNumberInfo, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Query, Select,
    SelectItem, Value, ValueWithSpan, VisitorMut,
};
use std::ops::ControlFlow;
use vitrine_domain::Table;
use vitrine_sql::ast::{InScope, build_cast, iter_relations, visit_mut};
use vitrine_sql::{DialectExt, is_integer};
use vitrine_words::tr;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    if !input.catalog.dialect.sql().division_truncates() {
        return Vec::new();
    }
    each_select(query, input, |select, _, scope| {
        let kept = keep_fractions(select, scope);
        kept.then(|| tr!("Kept the fraction of a quotient of whole numbers")).into_iter().collect()
    })
}

/// Casts the dividends of integer divisions in a SELECT's columns, HAVING and similar clauses; nested queries are
/// visited separately. Returns true if anything changed.
fn keep_fractions(select: &mut Select, catalog: &InScope<'_>) -> bool {
    let tables = iter_relations(select, catalog).flatten().map(|relation| relation.table).collect();
    let kind = match catalog.dialect.sql().rounds_only_decimals() {
        true => DataType::Numeric(ExactNumberInfo::None),
        false => DataType::Real,
    };
    let mut divider = Divider { tables, kind, changed: false };
    for item in &mut select.projection {
        if let SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } = item {
            let _ = visit_mut(expr, &mut divider);
        }
    }
    if let Some(having) = &mut select.having {
        let _ = visit_mut(having, &mut divider);
    }
    divider.changed
}

struct Divider<'a> {
    tables: Vec<&'a Table>,
    /// The type to which a dividend is cast.
    kind: DataType,
    changed: bool,
}

impl VisitorMut for Divider<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::BinaryOp { left, op: BinaryOperator::Divide, right } = expr
            && self.is_whole(left)
            && self.is_whole(right)
            && !is_number(left)
        {
            let dividend = std::mem::replace(left.as_mut(), Expr::Value(Value::Null.with_empty_span()));
            **left = build_cast(dividend, self.kind.clone());
            self.changed = true;
        }
        ControlFlow::Continue(())
    }
}

fn is_number(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(_))
}

impl Divider<'_> {
    /// Returns true if an expression is known to be an integer.
    fn is_whole(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Nested(inner) => self.is_whole(inner),
            Expr::Value(ValueWithSpan { value: Value::Number(text, _), .. }) => text.parse::<i64>().is_ok(),
            Expr::Identifier(name) => self.is_whole_column(&name.value),
            Expr::CompoundIdentifier(parts) => parts.last().is_some_and(|part| self.is_whole_column(&part.value)),
            Expr::BinaryOp {
                left,
                op: BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::Multiply,
                right,
            } => self.is_whole(left) && self.is_whole(right),
            Expr::Case { conditions, else_result, .. } => {
                conditions.iter().all(|when| self.is_whole(&when.result))
                    && else_result.as_ref().is_none_or(|other| is_null(other) || self.is_whole(other))
            }
            Expr::Cast { data_type, .. } => {
                matches!(data_type, DataType::Int(_) | DataType::Integer(_) | DataType::BigInt(_))
            }
            Expr::Function(function) => {
                let name = function.name.to_string().to_lowercase();
                let FunctionArguments::List(list) = &function.args else { return false };
                match (name.as_str(), list.args.first()) {
                    ("count", _) => true,
                    ("sum" | "min" | "max", Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(argument)))) => {
                        self.is_whole(argument)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn is_whole_column(&self, name: &str) -> bool {
        let mut found =
            self.tables.iter().filter_map(|t| t.columns.iter().find(|c| c.name.eq_ignore_ascii_case(name))).peekable();
        found.peek().is_some() && found.all(|column| is_integer(&column.data_type))
    }
}

fn is_null(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(ValueWithSpan { value: Value::Null, .. }))
}
