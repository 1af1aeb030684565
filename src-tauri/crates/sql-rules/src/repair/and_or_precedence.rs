//! `kind = 'a' OR kind = 'b' AND year = 2023`: AND binds first, so that the year holds for the second kind alone. Written
//! without brackets it is meant for both.

use super::each_select;
use crate::RuleInput;
use sqlparser::ast::{Expr, Query, Select};
use vitrine_sql::ast::{and, conjuncts, disjuncts, equated, or};

pub(crate) fn apply(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    each_select(query, input, |select, _, _| bracket(select).into_iter().collect())
}

/// Puts what a WHERE clause says of one column by OR into brackets, where one branch alone has further conditions and
/// nobody wrote brackets.
fn bracket(select: &mut Select) -> Option<String> {
    let all = select.selection.as_ref()?;
    let mut branches = Vec::new();
    disjuncts(all, &mut branches);
    if branches.iter().any(|branch| matches!(branch, Expr::Nested(_))) {
        return None;
    }
    let branches: Vec<Vec<&Expr>> = branches
        .into_iter()
        .map(|branch| {
            let mut parts = Vec::new();
            conjuncts(branch, &mut parts);
            parts
        })
        .collect();
    // The branch that says nothing else tells which column it is.
    let column = branches.iter().find_map(|parts| if let [part] = parts.as_slice() { chosen(part) } else { None })?;
    let (mut choices, mut rest) = (Vec::new(), Vec::new());
    for mut parts in branches {
        let choice = parts.iter().position(|part| chosen(part).as_ref() == Some(&column))?;
        choices.push(parts.remove(choice).clone());
        if !parts.is_empty() {
            rest.push(parts);
        }
    }
    let [further] = rest.as_slice() else { return None };
    let names = choices.iter().map(ToString::to_string).collect::<Vec<_>>().join(" OR ");
    let either = choices.into_iter().reduce(or)?;
    let further: Vec<Expr> = further.iter().map(|part| (*part).clone()).collect();
    select.selection = Some(and(Expr::Nested(Box::new(either)), further.into_iter().reduce(and)?));
    Some(format!("Read {names} as one condition: the others hold for both"))
}

/// The column that a condition sets to a constant.
fn chosen(condition: &Expr) -> Option<String> {
    equated(condition).map(|(column, _)| column.to_string().to_lowercase())
}
