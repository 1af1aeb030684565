//! One value, two columns: "in the continent of North America" written as `continent = 'North America' AND region = 'North
//! America'`.

use super::QuestionFacts;
use crate::RuleInput;
use sqlparser::ast::{Expr, Query, Select, SetExpr, Value};
use vitrine_sql::ast::{and, conjuncts, equated};

pub(crate) fn apply(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    let SetExpr::Select(select) = query.body.as_mut() else { return Vec::new() };
    say_once(select, input.facts).into_iter().collect()
}

/// Drops the condition on the column that the question does not name, where it says the value once and names the other column.
fn say_once(select: &mut Select, facts: &QuestionFacts) -> Option<String> {
    let mut parts = Vec::new();
    conjuncts(select.selection.as_ref()?, &mut parts);
    let equalities: Vec<(usize, &str, &str)> = parts
        .iter()
        .enumerate()
        .filter_map(|(at, part)| equality(part).map(|(column, text)| (at, column, text)))
        .collect();
    let named = |column: &str| facts.columns.iter().any(|name| name.eq_ignore_ascii_case(column));
    let (at, column, kept) = equalities.iter().find_map(|&(at, column, text)| {
        let once = facts.question.matches(&text.to_lowercase()).count() == 1;
        let other = equalities.iter().find(|(_, other, same)| {
            same.eq_ignore_ascii_case(text) && !other.eq_ignore_ascii_case(column) && named(other)
        })?;
        (once && !named(column)).then_some((at, column, other.1))
    })?;
    let note = format!("Left out the condition on {column}: the question says the value of {kept} alone");
    let left = parts.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, part)| (*part).clone());
    let left: Vec<Expr> = left.collect();
    select.selection = left.into_iter().reduce(and);
    Some(note)
}

/// Column and text of `column = 'text'`.
fn equality(part: &Expr) -> Option<(&str, &str)> {
    let (column, Value::SingleQuotedString(text)) = equated(part)? else { return None };
    let column = match column {
        Expr::CompoundIdentifier(parts) => &parts.last()?.value,
        Expr::Identifier(name) => &name.value,
        _ => return None,
    };
    text.contains(char::is_alphabetic).then_some((column, text))
}
