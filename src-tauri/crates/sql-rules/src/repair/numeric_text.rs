//! Numbers stored as text. SQLite compares such a column with a number as text, so that '9' is greater than 10.

use super::each_select;
use crate::RuleInput;
use sqlparser::ast::{BinaryOperator, DataType, Expr, Query, Select, UnaryOperator, Value, ValueWithSpan, VisitorMut};
use std::ops::ControlFlow;
use vitrine_domain::{Dialect, NumberForm, Profile};
use vitrine_sql::ast::{InScope, Relation, build_cast, iter_relations, parse_expr, resolve_column_table, visit_mut};
use vitrine_sql::{DialectExt, cast_plain_number};
use vitrine_words::{join_with_and, tr};

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    if !input.catalog.dialect.sql().compares_numbers_as_text() {
        return Vec::new();
    }
    each_select(query, input, |select, _, scope| compare_as_numbers(select, scope, input.profile).into_iter().collect())
}

/// Casts text columns whose values are all numbers where a SELECT's conditions compare them with a number.
fn compare_as_numbers(select: &mut Select, catalog: &InScope<'_>, profile: &Profile) -> Option<String> {
    let tables: Vec<Relation<'_>> = iter_relations(select, catalog).flatten().collect();
    let mut caster = Caster { tables, profile, dialect: catalog.dialect, cast: Vec::new() };
    let _ = visit_mut(&mut select.selection, &mut caster);
    let _ = visit_mut(&mut select.having, &mut caster);
    let columns = caster.cast;
    (!columns.is_empty())
        .then(|| tr!("Compared {columns} as a number, which is stored as text", columns = join_with_and(&columns)))
}

struct Caster<'a> {
    tables: Vec<Relation<'a>>,
    profile: &'a Profile,
    dialect: Dialect,
    cast: Vec<String>,
}

impl Caster<'_> {
    /// Returns the column's name and the notation of its numbers if it is a text column of numbers.
    fn hidden_number(&self, expr: &Expr) -> Option<(String, NumberForm)> {
        let (table, name) = resolve_column_table(expr, &self.tables)?;
        let form = self.profile.find_table(&table.name)?.find_column(name)?.hidden_number()?;
        Some((name.to_owned(), form))
    }

    fn cast_hidden_number(&mut self, expr: &mut Expr) {
        let Some((name, form)) = self.hidden_number(expr) else { return };
        if form == NumberForm::PLAIN {
            let column = std::mem::replace(expr, Expr::Value(Value::Null.with_empty_span()));
            *expr = build_cast(column, DataType::Real);
        } else {
            let number = cast_plain_number(&expr.to_string(), form, self.dialect);
            let Some(number) = parse_expr(&number, self.dialect) else { return };
            *expr = number;
        }
        if !self.cast.contains(&name) {
            self.cast.push(name);
        }
    }
}

impl VisitorMut for Caster<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        use BinaryOperator::{Eq, Gt, GtEq, Lt, LtEq, NotEq};
        match expr {
            Expr::BinaryOp { left, op: Eq | NotEq | Gt | GtEq | Lt | LtEq, right } => {
                if is_number(right) {
                    self.cast_hidden_number(left);
                } else if is_number(left) {
                    self.cast_hidden_number(right);
                }
            }
            Expr::Between { expr, low, high, .. } if is_number(low) && is_number(high) => self.cast_hidden_number(expr),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::Value(ValueWithSpan { value: Value::Number(..), .. }) => true,
        Expr::UnaryOp { op: UnaryOperator::Minus | UnaryOperator::Plus, expr } | Expr::Nested(expr) => is_number(expr),
        _ => false,
    }
}
