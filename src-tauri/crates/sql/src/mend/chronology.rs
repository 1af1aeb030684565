//! Months in any order: groups of a calendar are read from the first to the last.

use crate::relations::{Relation, owner, relations};
use crate::views::Family;
use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr, OrderBy, OrderByExpr, OrderByKind,
    OrderByOptions, Query, SelectItem, SetExpr, Value, ValueWithSpan,
};
use vitrine_domain::Catalog;

/// Functions that give a date, or a number that is a part of one.
const PARTS: [&str; 9] = ["date_trunc", "date_part", "date", "year", "quarter", "month", "week", "day", "hour"];

/// Orders a query by the dates, and parts of dates, that it groups by and shows, where nothing says an order.
pub(super) fn sort(query: &mut Query, catalog: &Catalog) -> Option<String> {
    let SetExpr::Select(select) = query.body.as_ref() else { return None };
    let GroupByExpr::Expressions(keys, _) = &select.group_by else { return None };
    if query.order_by.is_some() || query.limit_clause.is_some() || query.fetch.is_some() || select.top.is_some() {
        return None;
    }
    let tables: Vec<Relation<'_>> = relations(select, catalog).flatten().collect();
    let is_key = |at: usize, expr: &Expr, alias: Option<&str>| {
        keys.iter().any(|key| match key {
            Expr::Value(ValueWithSpan { value: Value::Number(place, _), .. }) => *place == (at + 1).to_string(),
            Expr::Identifier(name) if alias.is_some_and(|alias| alias.eq_ignore_ascii_case(&name.value)) => true,
            key => key == expr,
        })
    };
    let shown = select.projection.iter().enumerate().filter_map(|(at, item)| match item {
        SelectItem::UnnamedExpr(expr) => {
            (is_key(at, expr, None) && is_date(expr, &tables, catalog)).then(|| expr.clone())
        }
        SelectItem::ExprWithAlias { expr, alias } => (is_key(at, expr, Some(&alias.value))
            && is_date(expr, &tables, catalog))
        .then(|| Expr::Identifier(alias.clone())),
        _ => None,
    });
    let dates: Vec<Expr> = shown.collect();
    if dates.is_empty() {
        return None;
    }
    let names: Vec<String> = dates.iter().map(ToString::to_string).collect();
    let by = |expr| OrderByExpr { expr, options: OrderByOptions { sort: None, nulls_first: None }, with_fill: None };
    query.order_by =
        Some(OrderBy { kind: OrderByKind::Expressions(dates.into_iter().map(by).collect()), interpolate: None });
    Some(format!("Ordered by {}", names.join(", ")))
}

/// Whether values are dates, or parts of dates that sort as they follow each other.
fn is_date(expr: &Expr, tables: &[Relation<'_>], catalog: &Catalog) -> bool {
    match expr {
        Expr::Extract { .. } => true,
        Expr::Function(function) => is_part(function),
        Expr::Cast { expr, .. } | Expr::Nested(expr) => is_date(expr, tables, catalog),
        other => owner(other, tables).and_then(|(table, name)| table.column(name)).is_some_and(|column| {
            matches!(Family::of(&column.data_type, catalog.dialect), Family::Date | Family::Timestamp)
        }),
    }
}

fn is_part(function: &Function) -> bool {
    let FunctionArguments::List(list) = &function.args else { return false };
    let name = function.name.to_string().to_lowercase();
    let written = matches!(name.as_str(), "strftime" | "date_format" | "to_char");
    let format = list.args.iter().find_map(|argument| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(ValueWithSpan {
            value: Value::SingleQuotedString(format),
            ..
        }))) => Some(format.as_str()),
        _ => None,
    });
    PARTS.contains(&name.as_str()) || (written && format.is_some_and(sorts))
}

/// Whether what a format writes sorts as the dates follow each other: from the year on, or one number; no names.
fn sorts(format: &str) -> bool {
    let named = ["%b", "%B", "%a", "%A", "%M", "Mon", "MON", "Day", "DAY", "Dy", "DY"];
    let from_the_year = ["%Y", "YYYY"].iter().any(|year| format.starts_with(year));
    let one = ["%m", "%d", "%H", "%w", "%W", "%j", "MM", "DD", "Q", "HH24", "D", "WW"].contains(&format);
    (from_the_year || one) && !named.iter().any(|name| format.contains(name))
}
