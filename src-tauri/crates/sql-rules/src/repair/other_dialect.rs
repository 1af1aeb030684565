//! What models bring from other dialects, where it can only be meant in one way: row limits, groups by the alias of a column of the
//! result, ILIKE, casts by `::`. Most engines take them all.

use super::each_select;
use crate::RuleInput;
use sqlparser::ast::{CastKind, DataType, Expr, GroupByExpr, Query, Select, SelectItem, Value};
use std::ops::ControlFlow;
use vitrine_domain::Dialect;
use vitrine_sql::ast::{InScope, aggregates, parse_expr, relations, row_limits_of, visit_exprs_mut};
use vitrine_words::{listed, tr};

pub(crate) fn apply(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    let dialect = input.catalog.dialect;
    if dialect != Dialect::Trino {
        return Vec::new();
    }
    let mut forms: Vec<String> = Vec::new();
    let mut note = |form: &str| {
        if !forms.iter().any(|known| known == form) {
            forms.push(form.to_owned());
        }
    };
    if row_limits_of(query, dialect) {
        note("LIMIT");
    }
    for alias in each_select(query, input, |select, _, scope| by_alias(select, scope)) {
        note(&format!("GROUP BY {alias}"));
    }
    let _ = visit_exprs_mut(query, |expr| {
        if let Some(form) = of_expr(expr, dialect) {
            note(form);
        }
        ControlFlow::<()>::Continue(())
    });
    if forms.is_empty() {
        return Vec::new();
    }
    vec![tr!("Wrote {forms} as {dialect} has it", forms = listed(&forms), dialect = dialect.display_name())]
}

/// Groups by what an alias stands for, where no column of a table has its name. Gives the aliases.
fn by_alias(select: &mut Select, scope: &InScope<'_>) -> Vec<String> {
    let Some(tables) = relations(select, scope).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let is_column = |name: &str| tables.iter().any(|relation| relation.table.column(name).is_some());
    let GroupByExpr::Expressions(keys, _) = &mut select.group_by else { return Vec::new() };
    let mut found = Vec::new();
    for key in keys {
        let Expr::Identifier(name) = &*key else { continue };
        let meant = select.projection.iter().find_map(|item| match item {
            SelectItem::ExprWithAlias { expr, alias } if alias.value.eq_ignore_ascii_case(&name.value) => Some(expr),
            _ => None,
        });
        if let Some(expr) = meant.filter(|expr| !is_column(&name.value) && aggregates(*expr).is_empty()) {
            found.push(name.value.clone());
            *key = expr.clone();
        }
    }
    found
}

/// Writes an expression in another form, and gives what stood there.
fn of_expr(expr: &mut Expr, dialect: Dialect) -> Option<&'static str> {
    match expr {
        Expr::Cast { kind, data_type, .. } => {
            let was =
                std::mem::replace(kind, if *kind == CastKind::DoubleColon { CastKind::Cast } else { kind.clone() });
            let known = match data_type {
                DataType::Text | DataType::String(None) => Some(DataType::Varchar(None)),
                DataType::Float(_) | DataType::Float64 => Some(DataType::Double(sqlparser::ast::ExactNumberInfo::None)),
                _ => None,
            };
            let other = known.is_some();
            if let Some(known) = known {
                *data_type = known;
            }
            match was {
                CastKind::DoubleColon => Some("::"),
                _ if other => Some("CAST"),
                _ => None,
            }
        }
        Expr::ILike { negated, any: false, expr: subject, pattern, escape_char } => {
            // A pattern of small letters alone stays as it is.
            let small = match &**pattern {
                Expr::Value(value) => match &value.value {
                    Value::SingleQuotedString(text) => text.to_lowercase() == *text,
                    _ => false,
                },
                _ => false,
            };
            let lower = |expr: &Expr| parse_expr(&format!("LOWER({expr})"), dialect).map(Box::new);
            let pattern = if small { pattern.clone() } else { lower(pattern)? };
            let subject = lower(subject)?;
            let escape_char = escape_char.clone();
            *expr = Expr::Like { negated: *negated, any: false, expr: subject, pattern, escape_char };
            Some("ILIKE")
        }
        _ => None,
    }
}
