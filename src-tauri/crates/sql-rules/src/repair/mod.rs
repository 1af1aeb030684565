//! Repair rules, which need only the query, the catalog and the profile. One file per rule; `registry/table.rs` lists
//! their applicability.

pub(crate) mod condition_twice;
pub(crate) mod date_pattern;
pub(crate) mod group_key;
pub(crate) mod integer_division;
pub(crate) mod join_choice;
pub(crate) mod join_path;
pub(crate) mod key_detour;
pub(crate) mod list_members;
pub(crate) mod missing_group_by;
pub(crate) mod missing_join_condition;
pub(crate) mod numeric_text;
pub(crate) mod other_dialect;
pub(crate) mod reserved_names;
#[cfg(test)]
mod tests;
pub(crate) mod two_values;
pub(crate) mod unnest_alias;
pub(crate) mod untyped_day;
pub(crate) mod unused_table;
pub(crate) mod whole_key;
pub(crate) mod wrong_key_column;
pub(crate) mod wrong_table;
pub(crate) mod year_of_year;

use crate::RuleInput;
use sqlparser::ast::{OrderBy, Query, Select, SetExpr};
use vitrine_sql::ast::{InScope, branches_mut, each_query};

/// Applies `change` to every SELECT of a query, including nested ones and branches of set operations, and collects its
/// distinct notes. `change` also receives the ORDER BY of the SELECT's query. The ORDER BY of a set operation refers to
/// columns of its result, so its branches receive none.
pub(crate) fn each_select(
    query: &mut Query,
    input: &RuleInput<'_>,
    mut change: impl FnMut(&mut Select, &mut Option<OrderBy>, &InScope<'_>) -> Vec<String>,
) -> Vec<String> {
    let scope = InScope::from_query(query, input.catalog);
    let mut notes: Vec<String> = Vec::new();
    let mut note = |more: Vec<String>| {
        for one in more {
            if !notes.contains(&one) {
                notes.push(one);
            }
        }
    };
    each_query(query, |Query { body, order_by, .. }| match body.as_mut() {
        SetExpr::Select(select) => note(change(select, order_by, &scope)),
        body => branches_mut(body).into_iter().for_each(|select| note(change(select, &mut None, &scope))),
    });
    notes
}
