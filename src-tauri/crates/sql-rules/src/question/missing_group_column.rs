//! Groups without a name: "how much for each reason" as a list of sums, of which nobody knows whose they are.

use super::QuestionFacts;
use crate::RuleInput;
use sqlparser::ast::{Expr, GroupByExpr, Query, Select, SelectItem, SetExpr};
use vitrine_sql::ast::{Grain, InScope, aggregates, relations};

/// Words by which a question asks for one row of each thing.
const EACH: [&str; 3] = ["each", "per", "every"];

pub(crate) fn apply(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    // A limit or a place in the order would mean something else with more columns.
    if query.limit_clause.is_some() || query.fetch.is_some() || query.order_by.is_some() {
        return Vec::new();
    }
    let scope = InScope::of(query, input.catalog);
    let SetExpr::Select(select) = query.body.as_mut() else { return Vec::new() };
    // One group needs no name: its column is set to a constant.
    let tables: Option<Vec<_>> = relations(select, &scope).collect();
    if tables.is_some_and(|tables| Grain::of(select, &tables).one_group(&select.group_by)) {
        return Vec::new();
    }
    name_groups(select, input.facts).into_iter().collect()
}

/// Puts the columns that a SELECT groups by before its aggregates where it shows nothing else, and the question asks for
/// each, or names the column.
fn name_groups(select: &mut Select, facts: &QuestionFacts) -> Option<String> {
    let GroupByExpr::Expressions(keys, modifiers) = &select.group_by else { return None };
    let names: Vec<&str> = keys.iter().map(column).collect::<Option<_>>()?;
    let each = facts.question.split(|c: char| !c.is_alphanumeric()).any(|word| EACH.contains(&word));
    let named = names.iter().any(|name| facts.columns.iter().any(|column| column.eq_ignore_ascii_case(name)));
    let alone = select.projection.iter().all(|item| match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => !aggregates(expr).is_empty(),
        _ => false,
    });
    if names.is_empty() || !modifiers.is_empty() || !alone || !(each || named) {
        return None;
    }
    let note =
        format!("Added {}, by which the rows are grouped: nothing else says what they are of", names.join(" and "));
    let keys: Vec<SelectItem> = keys.iter().cloned().map(SelectItem::UnnamedExpr).collect();
    select.projection.splice(..0, keys);
    Some(note)
}

fn column(key: &Expr) -> Option<&str> {
    match key {
        Expr::Identifier(name) => Some(&name.value),
        Expr::CompoundIdentifier(parts) => parts.last().map(|name| name.value.as_str()),
        _ => None,
    }
}
