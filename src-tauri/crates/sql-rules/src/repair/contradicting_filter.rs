//! One column that is to equal two constants at once. No row does; meant are the things that have a row for each.

use crate::RuleInput;
use sqlparser::ast::{
    Expr, Ident, Query, Select, SelectItem, SetExpr, SetOperator, SetQuantifier, TableAlias, TableFactor,
    TableWithJoins, Value, helpers::attached_token::AttachedToken,
};
use vitrine_sql::ast::{Counted, and, conjuncts, count, counted, each_query, equated, grouped, is_column, query_of};

pub(crate) fn apply(query: &mut Query, _: &RuleInput<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    each_query(query, |query| {
        if query.order_by.is_none() && query.limit_clause.is_none() && query.fetch.is_none() {
            notes.extend(split(&mut query.body));
        }
    });
    notes
}

/// Turns `SELECT x ... WHERE a = 1 AND a = 2` into the intersection of both, and a count of one column into the count
/// of that intersection. Only where one row of the result stands for one row that was found.
fn split(body: &mut Box<SetExpr>) -> Option<String> {
    let SetExpr::Select(select) = body.as_ref() else { return None };
    if grouped(select) || select.having.is_some() || select.qualify.is_some() || select.from.is_empty() {
        return None;
    }
    let mut parts = Vec::new();
    conjuncts(select.selection.as_ref()?, &mut parts);
    let (column, places) = contradicting(&parts)?;
    let note = format!("Took the rows for each value of {column} and kept what they have in common");
    let counted = match select.projection.as_slice() {
        [item] => counted_column(item),
        _ => None,
    };
    let rows = match &counted {
        Some(argument) => vec![SelectItem::UnnamedExpr(argument.clone())],
        None if select.projection.iter().all(is_plain) => select.projection.clone(),
        None => return None,
    };
    let branches = places.iter().map(|&kept| {
        let left = parts.iter().enumerate().filter(|(at, _)| *at == kept || !places.contains(at));
        let selection = left.map(|(_, part)| (*part).clone()).reduce(and);
        SetExpr::Select(Box::new(Select { projection: rows.clone(), selection, distinct: None, ..(**select).clone() }))
    });
    let common = branches.reduce(|left, right| SetExpr::SetOperation {
        op: SetOperator::Intersect,
        set_quantifier: SetQuantifier::None,
        left: Box::new(left),
        right: Box::new(right),
    })?;
    let whole = if counted.is_some() { count_of(select, common) } else { common };
    **body = whole;
    Some(note)
}

/// The column that is compared with different constants, and where.
fn contradicting(parts: &[&Expr]) -> Option<(String, Vec<usize>)> {
    let equalities: Vec<(usize, String, String)> =
        parts.iter().enumerate().filter_map(|(at, part)| equality(part).map(|(c, v)| (at, c, v))).collect();
    let (_, column, _) = equalities.iter().find(|(_, c, v)| equalities.iter().any(|(_, c2, v2)| c == c2 && v != v2))?;
    let places: Vec<usize> = equalities.iter().filter(|(_, c, _)| c == column).map(|(at, ..)| *at).collect();
    Some((column.clone(), places))
}

/// Column and constant of `column = constant`, as text that can be compared.
fn equality(expr: &Expr) -> Option<(String, String)> {
    let (column, constant) = equated(expr)?;
    let constant = match constant {
        Value::SingleQuotedString(text) => text.to_lowercase(),
        Value::Number(digits, _) => digits.clone(),
        _ => return None,
    };
    Some((column.to_string().to_lowercase(), constant))
}

/// A column as it is, under a name or not.
fn is_plain(item: &SelectItem) -> bool {
    match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => is_column(expr),
        _ => false,
    }
}

/// The column of `COUNT(column)` or `COUNT(DISTINCT column)`.
fn counted_column(item: &SelectItem) -> Option<Expr> {
    let (SelectItem::UnnamedExpr(Expr::Function(function))
    | SelectItem::ExprWithAlias { expr: Expr::Function(function), .. }) = item
    else {
        return None;
    };
    match counted(function)? {
        Counted::Values(column) | Counted::Different(column) if is_column(column) => Some(column.clone()),
        _ => None,
    }
}

/// `SELECT <the projection, with COUNT(*)> FROM (common) AS both_found`.
fn count_of(select: &Select, common: SetExpr) -> SetExpr {
    let mut outer = select.clone();
    if let [SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }] = outer.projection.as_mut_slice()
        && let Expr::Function(function) = expr
    {
        count(function, None);
    }
    outer.selection = None;
    outer.distinct = None;
    outer.from = vec![TableWithJoins {
        relation: TableFactor::Derived {
            lateral: false,
            subquery: Box::new(query_of(common)),
            alias: Some(TableAlias { explicit: true, name: Ident::new("in_common"), columns: Vec::new(), at: None }),
            sample: None,
        },
        joins: Vec::new(),
    }];
    SetExpr::Select(Box::new(Select { select_token: AttachedToken::empty(), ..outer }))
}
