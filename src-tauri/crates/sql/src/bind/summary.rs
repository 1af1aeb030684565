//! Aggregates that reveal no stored value: counts, and sums and means over many rows.

use super::scope::{Rel, Walk};
use crate::parse::last_part;
use crate::text::same_name;
use sqlparser::ast::{
    CastKind, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr, Ident, Select, SelectItem,
    TableFactor, TableWithJoins, Value,
};

/// Aggregates that only count values.
const COUNTS: &[&str] = &[
    "approx_count_distinct",
    "approx_distinct",
    "count",
    "count_big",
    "count_star",
    "regr_count",
    "uniq",
    "uniqexact",
];
/// Aggregates that reveal the value of a single row, but no single value of many rows.
const SUMMARIES: &[&str] = &[
    "avg",
    "favg",
    "fsum",
    "mean",
    "std",
    "stddev",
    "stddev_pop",
    "stddev_samp",
    "stddevpop",
    "stddevsamp",
    "stdev",
    "stdevp",
    "sum",
    "total",
    "var",
    "var_pop",
    "var_samp",
    "variance",
    "varp",
    "varpop",
    "varsamp",
];
/// Functions that change a text and reveal nothing else about it than its presence.
const LETTERS: &[&str] = &["lower", "ltrim", "rtrim", "trim", "upper"];

pub(super) fn is_count(name: &str) -> bool {
    COUNTS.contains(&name)
}

impl Walk<'_> {
    /// Returns true if the result of a call reveals no single value of its arguments.
    pub(super) fn hides_arguments(&self, function: &Function, name: &str) -> bool {
        if !self.follows_values() || function.parameters != FunctionArguments::None || !function.within_group.is_empty()
        {
            return false;
        }
        if is_count(name) {
            return plain_arguments(function).is_some();
        }
        let Some(scope) = self.scopes.last().filter(|scope| scope.many) else { return false };
        let own = |path: &[&Ident]| scope.rels.iter().any(|rel| is_of(rel, path));
        SUMMARIES.contains(&name)
            && function.over.is_none()
            && function.filter.is_none()
            && matches!(plain_arguments(function).as_deref(), Some([Some(path)]) if own(path))
    }

    /// Returns true if a SELECT groups all rows of one table, without conditions, into groups of many rows.
    pub(super) fn groups_many(&self, select: &Select) -> bool {
        let (Some(has_many), Some(scope)) = (self.has_many, self.scopes.last()) else { return false };
        let [TableWithJoins { relation, joins }] = select.from.as_slice() else { return false };
        let TableFactor::Table { args: None, sample: None, version: None, json_path: None, partitions, .. } = relation
        else {
            return false;
        };
        let is_whole = joins.is_empty()
            && partitions.is_empty()
            && select.selection.is_none()
            && select.prewhere.is_none()
            && select.qualify.is_none()
            && select.connect_by.is_empty()
            && select.lateral_views.is_empty();
        let ([rel], GroupByExpr::Expressions(keys, modifiers)) = (scope.rels.as_slice(), &select.group_by) else {
            return false;
        };
        let Some(table) = rel.table.as_deref().filter(|_| is_whole && modifiers.is_empty()) else { return false };
        let columns: Option<Vec<String>> = keys.iter().map(|key| key_column(key, select, rel)).collect();
        columns.is_some_and(|columns| has_many(table, &columns))
    }
}

/// Returns the stored column of a GROUP BY key. `None` for a computed key.
fn key_column(key: &Expr, select: &Select, rel: &Rel) -> Option<String> {
    let item = |place: usize| match select.projection.get(place)? {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    };
    let expr = match key {
        Expr::Value(value) => match &value.value {
            Value::Number(place, _) => item(place.parse::<usize>().ok()?.checked_sub(1)?)?,
            _ => return None,
        },
        other => other,
    };
    let path = plain_column_path(expr)?;
    // An alias of the select list may hide the column.
    let hidden = select.projection.iter().any(|item| match item {
        SelectItem::ExprWithAlias { expr, alias } => {
            path.last().is_some_and(|name| same_name(name.value.as_str(), &alias.value))
                && plain_column_path(expr)
                    .is_none_or(|own| own.last().map(|i| &i.value) != path.last().map(|i| &i.value))
        }
        _ => false,
    });
    if hidden || !is_of(rel, &path) || !matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) {
        return None;
    }
    match rel.find_column(&path.last()?.value)?.sources.as_slice() {
        [(_, column)] => Some(column.clone()),
        _ => None,
    }
}

/// Returns true if a path names a column of this item.
fn is_of(rel: &Rel, path: &[&Ident]) -> bool {
    let Some((column, qualifier)) = path.split_last() else { return false };
    let qualifier: Vec<&str> = qualifier.iter().map(|part| part.value.as_str()).collect();
    rel.is_called(&qualifier) && rel.find_column(&column.value).is_some()
}

/// Returns the stored columns that are a call's arguments, with `None` for `*` and constants. `None` overall if an
/// argument is something else.
fn plain_arguments(function: &Function) -> Option<Vec<Option<Vec<&Ident>>>> {
    let FunctionArguments::List(list) = &function.args else { return None };
    list.args.iter().map(plain_argument).collect()
}

fn plain_argument(argument: &FunctionArg) -> Option<Option<Vec<&Ident>>> {
    match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(_))) => Some(None),
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => plain_column_path(expr).map(Some),
        FunctionArg::Unnamed(FunctionArgExpr::Wildcard | FunctionArgExpr::QualifiedWildcard(_)) => Some(None),
        _ => None,
    }
}

/// Returns the path of a column, also within functions that only change its form.
pub(super) fn plain_column_path(expr: &Expr) -> Option<Vec<&Ident>> {
    match expr {
        Expr::Identifier(ident) => Some(vec![ident]),
        Expr::CompoundIdentifier(parts) => Some(parts.iter().collect()),
        Expr::Nested(inner) | Expr::Collate { expr: inner, .. } => plain_column_path(inner),
        // A cast that returns NULL on failure distinguishes values, so it is excluded.
        Expr::Cast { kind: CastKind::Cast | CastKind::DoubleColon, expr, .. } => plain_column_path(expr),
        Expr::Trim { expr, trim_what: None, trim_characters: None, .. } => plain_column_path(expr),
        Expr::Function(function) => {
            let name = last_part(&function.name)?.value.to_lowercase();
            let FunctionArguments::List(list) = &function.args else { return None };
            match list.args.as_slice() {
                [FunctionArg::Unnamed(FunctionArgExpr::Expr(inner))] if LETTERS.contains(&name.as_str()) => {
                    plain_column_path(inner)
                }
                _ => None,
            }
        }
        _ => None,
    }
}
