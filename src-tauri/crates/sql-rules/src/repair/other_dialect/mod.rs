//! Unambiguous syntax of other dialects that models use: row limits, GROUP BY with aliases of the result, ILIKE, casts
//! with `::`, keys of documents with a dot. Most engines accept all of them.

mod document;
mod tsql;

use super::each_select;
use crate::RuleInput;
use sqlparser::ast::{CastKind, Expr, GroupByExpr, Query, Select, SelectItem, Value};
use std::ops::ControlFlow;
use vitrine_domain::Dialect;
use vitrine_sql::DialectExt;
use vitrine_sql::ast::{InScope, collect_aggregate_names, iter_relations, parse_expr, row_limits_of, visit_exprs_mut};
use vitrine_words::{join_with_and, tr};

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    let dialect = input.catalog.dialect;
    let forms = if dialect.sql().lacks_common_forms() {
        convert_forms(query, input, dialect)
    } else {
        each_select(query, input, |select, order_by, scope| document::by_stored_keys(select, order_by, scope, input))
    };
    if forms.is_empty() {
        return Vec::new();
    }
    let dialect = dialect.sql().display_name();
    vec![tr!("Wrote {forms} in the form of {dialect}", forms = join_with_and(&forms), dialect)]
}

/// Converts forms that the dialect lacks. Returns each distinct form that was replaced.
fn convert_forms(query: &mut Query, input: &RuleInput<'_>, dialect: Dialect) -> Vec<String> {
    let mut forms: Vec<String> = Vec::new();
    let mut note = |form: &str| {
        if !forms.iter().any(|known| known == form) {
            forms.push(form.to_owned());
        }
    };
    if row_limits_of(query, dialect) {
        note("LIMIT");
    }
    if !dialect.sql().has_nulls_order() && tsql::orders_of(query) {
        note("NULLS LAST");
    }
    for alias in each_select(query, input, |select, _, scope| by_alias(select, scope, dialect)) {
        note(&format!("GROUP BY {alias}"));
    }
    let _ = visit_exprs_mut(query, |expr| {
        if let Some(form) = of_expr(expr, dialect) {
            note(form);
        }
        ControlFlow::<()>::Continue(())
    });
    forms
}

/// Replaces aliases in GROUP BY by their expressions if no column of a table has the same name. Returns the aliases.
fn by_alias(select: &mut Select, scope: &InScope<'_>, dialect: Dialect) -> Vec<String> {
    let Some(tables) = iter_relations(select, scope).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let is_column = |name: &str| tables.iter().any(|relation| relation.table.find_column(name).is_some());
    let GroupByExpr::Expressions(keys, _) = &mut select.group_by else { return Vec::new() };
    let mut found = Vec::new();
    for key in keys {
        if !dialect.sql().groups_by_number()
            && let Some((number, expr)) = by_number(key, &select.projection)
        {
            found.push(number);
            *key = expr;
            continue;
        }
        let Expr::Identifier(name) = &*key else { continue };
        let meant = select.projection.iter().find_map(|item| match item {
            SelectItem::ExprWithAlias { expr, alias } if alias.value.eq_ignore_ascii_case(&name.value) => Some(expr),
            _ => None,
        });
        if let Some(expr) = meant.filter(|expr| !is_column(&name.value) && collect_aggregate_names(*expr).is_empty()) {
            found.push(name.value.clone());
            *key = expr.clone();
        }
    }
    found
}

/// Returns the result column that an ordinal in GROUP BY refers to, with the ordinal.
fn by_number(key: &Expr, projection: &[SelectItem]) -> Option<(String, Expr)> {
    let Expr::Value(value) = key else { return None };
    let Value::Number(number, _) = &value.value else { return None };
    match projection.get(number.parse::<usize>().ok()?.checked_sub(1)?)? {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some((number.clone(), expr.clone())),
        _ => None,
    }
}

/// Converts an expression to another form. Returns the name of the replaced form.
fn of_expr(expr: &mut Expr, dialect: Dialect) -> Option<&'static str> {
    if !dialect.sql().has_standard_expressions()
        && let Some(form) = tsql::of_expr(expr, dialect)
    {
        return Some(form);
    }
    match expr {
        Expr::Cast { kind, data_type, .. } => {
            let colons = *kind == CastKind::DoubleColon;
            if colons {
                *kind = CastKind::Cast;
            }
            let known = dialect.sql().replaced_type(data_type);
            let form = known.is_some().then_some("CAST");
            if let Some(known) = known {
                *data_type = known;
            }
            if colons { Some("::") } else { form }
        }
        Expr::ILike { negated, any: false, expr: subject, pattern, escape_char } => {
            // A pattern without capitals stays unchanged.
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
