//! Traces expressions to catalog columns through the views and subqueries of a query.

use super::compare::text_literal;
use sqlparser::ast::{Expr, Ident, Query, Select, SelectItem, SetExpr, TableFactor};
use vitrine_domain::{Table, TableName};
use vitrine_sql::ast::{InScope, last_part};

/// A column of the catalog, with its merged values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Held {
    pub table: TableName,
    pub column: String,
    /// Values that are already replaced by others.
    pub merged: Vec<String>,
}

impl Held {
    /// Returns true if some of its values are merged.
    pub(super) fn is_merged(&self) -> bool {
        !self.merged.is_empty()
    }
}

/// An output of a query and the column it passes on.
pub(super) type Output = (String, Option<Held>);

/// Views of the query by name in lower case, inner ones last.
pub(super) type Views = Vec<(String, Vec<Output>)>;

/// One item of a FROM clause.
pub(super) struct Item {
    alias: String,
    outputs: Vec<Output>,
}

impl Item {
    /// Returns true if a column of the item has merged values.
    pub(super) fn hands_on_merged(&self) -> bool {
        self.outputs.iter().any(|(_, held)| held.as_ref().is_some_and(Held::is_merged))
    }
}

/// Returns the items of a SELECT.
pub(super) fn collect_items(select: &Select, scope: &InScope<'_>, views: &Views) -> Vec<Item> {
    let mut found = Vec::new();
    for from in &select.from {
        for factor in std::iter::once(&from.relation).chain(from.joins.iter().map(|join| &join.relation)) {
            add(factor, scope, views, &mut found);
        }
    }
    found
}

fn add(factor: &TableFactor, scope: &InScope<'_>, views: &Views, found: &mut Vec<Item>) {
    match factor {
        TableFactor::Table { name, alias, args: None, .. } => {
            let Some(last) = last_part(name) else { return };
            let own = alias.as_ref().map_or(last, |alias| &alias.name);
            let view =
                (name.0.len() == 1).then(|| views.iter().rev().find(|(view, _)| matches_ident(view, last))).flatten();
            let outputs = match (view, scope.table_named(name)) {
                (Some((_, outputs)), _) => outputs.clone(),
                (None, Some(table)) => of_table(table),
                (None, None) => Vec::new(),
            };
            found.push(Item { alias: own.value.clone(), outputs });
        }
        TableFactor::Derived { subquery, alias: Some(alias), .. } => {
            let mut outputs = query_outputs(subquery, scope, views);
            rename_outputs(&mut outputs, alias.columns.iter().map(|column| &column.name));
            found.push(Item { alias: alias.name.value.clone(), outputs });
        }
        TableFactor::Derived { subquery, alias: None, .. } => {
            found.push(Item { alias: String::new(), outputs: query_outputs(subquery, scope, views) });
        }
        TableFactor::NestedJoin { table_with_joins, .. } => {
            let joined = table_with_joins.joins.iter().map(|join| &join.relation);
            std::iter::once(&table_with_joins.relation)
                .chain(joined)
                .for_each(|factor| add(factor, scope, views, found));
        }
        _ => {}
    }
}

fn matches_ident(name: &str, ident: &Ident) -> bool {
    name.to_lowercase() == ident.value.to_lowercase()
}

fn of_table(table: &Table) -> Vec<Output> {
    let held = |column: &str| Held { table: table.name.clone(), column: column.to_owned(), merged: Vec::new() };
    table.columns.iter().map(|column| (column.name.clone(), Some(held(&column.name)))).collect()
}

/// Renames outputs by the column names of an alias.
pub(super) fn rename_outputs<'n>(outputs: &mut [Output], names: impl Iterator<Item = &'n Ident>) {
    for (output, name) in outputs.iter_mut().zip(names) {
        output.0.clone_from(&name.value);
    }
}

/// Returns the outputs of a query. For a UNION, only columns that all branches pass on.
pub(super) fn query_outputs(query: &Query, scope: &InScope<'_>, views: &Views) -> Vec<Output> {
    let mut views = views.clone();
    for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
        let mut own = query_outputs(&cte.query, scope, &views);
        rename_outputs(&mut own, cte.alias.columns.iter().map(|column| &column.name));
        views.push((cte.alias.name.value.to_lowercase(), own));
    }
    of_body(&query.body, scope, &views)
}

fn of_body(body: &SetExpr, scope: &InScope<'_>, views: &Views) -> Vec<Output> {
    match body {
        SetExpr::Select(select) => of_select(select, scope, views),
        SetExpr::Query(query) => query_outputs(query, scope, views),
        SetExpr::SetOperation { left, right, .. } => {
            let (mut left, right) = (of_body(left, scope, views), of_body(right, scope, views));
            for (at, (_, held)) in left.iter_mut().enumerate() {
                if right.get(at).is_none_or(|(_, other)| other != held) {
                    *held = None;
                }
            }
            left
        }
        _ => Vec::new(),
    }
}

fn of_select(select: &Select, scope: &InScope<'_>, views: &Views) -> Vec<Output> {
    let items = collect_items(select, scope, views);
    let mut found = Vec::new();
    for item in &select.projection {
        match item {
            SelectItem::UnnamedExpr(expr) => found.push((name_of(expr), held_by(expr, &items))),
            SelectItem::ExprWithAlias { expr, alias } => found.push((alias.value.clone(), held_by(expr, &items))),
            SelectItem::Wildcard(_) => found.extend(items.iter().flat_map(|item| item.outputs.clone())),
            SelectItem::QualifiedWildcard(kind, _) => {
                let text = kind.to_string();
                let alias = text.trim_end_matches(".*").rsplit('.').next().unwrap_or_default();
                let alias = alias.trim_matches(['"', '`', '[', ']']);
                let own = items.iter().filter(|item| item.alias.eq_ignore_ascii_case(alias));
                found.extend(own.flat_map(|item| item.outputs.clone()));
            }
            _ => found.push((String::new(), None)),
        }
    }
    found
}

/// Returns the name of a column, or an empty string for any other expression.
pub(super) fn name_of(expr: &Expr) -> String {
    match expr {
        Expr::Identifier(name) => name.value.clone(),
        Expr::CompoundIdentifier(parts) => parts.last().map(|name| name.value.clone()).unwrap_or_default(),
        _ => String::new(),
    }
}

/// Returns the column that an expression passes on, unchanged or with merged values.
pub(super) fn held_by(expr: &Expr, items: &[Item]) -> Option<Held> {
    let (qualifier, name) = match expr {
        Expr::Identifier(name) => (None, name),
        Expr::CompoundIdentifier(parts) => match parts.as_slice() {
            [.., qualifier, name] => (Some(qualifier), name),
            _ => return None,
        },
        Expr::Nested(inner) => return held_by(inner, items),
        Expr::Case { operand: Some(operand), else_result: Some(other), conditions, .. } if operand == other => {
            let mut held = held_by(operand, items)?;
            held.merged.extend(conditions.iter().filter_map(|when| text_literal(&when.condition)).map(str::to_owned));
            return Some(held);
        }
        _ => return None,
    };
    let own = items.iter().filter(|item| qualifier.is_none_or(|q| item.alias.eq_ignore_ascii_case(&q.value)));
    let mut named =
        own.flat_map(|item| item.outputs.iter().filter(|(output, _)| output.eq_ignore_ascii_case(&name.value)));
    named.next().and_then(|(_, held)| held.clone())
}
