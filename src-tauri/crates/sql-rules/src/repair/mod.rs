//! Repair rules: they need only the query, the catalog and the profile. One file per rule; the list with what each may
//! do is `registry.rs`.

pub(crate) mod date_pattern;
pub(crate) mod integer_division;
pub(crate) mod join_path;
pub(crate) mod key_detour;
pub(crate) mod list_members;
pub(crate) mod missing_group_by;
pub(crate) mod missing_join_condition;
pub(crate) mod numeric_text;
#[cfg(test)]
mod tests;
pub(crate) mod unnest_alias;
pub(crate) mod unused_table;
pub(crate) mod whole_key;
pub(crate) mod wrong_key_column;
pub(crate) mod wrong_table;
pub(crate) mod year_of_year;

use crate::RuleInput;
use sqlparser::ast::{OrderBy, Query, Select, SetExpr};
use vitrine_sql::ast::{InScope, each_query};

/// Applies `change` to every SELECT of a query, nested ones too, and collects its notes, each once. The ORDER BY of the
/// SELECT's query is passed along.
pub(crate) fn each_select(
    query: &mut Query,
    input: &RuleInput<'_>,
    mut change: impl FnMut(&mut Select, &mut Option<OrderBy>, &InScope<'_>) -> Vec<String>,
) -> Vec<String> {
    let scope = InScope::of(query, input.catalog);
    let mut notes: Vec<String> = Vec::new();
    each_query(query, |query| {
        if let SetExpr::Select(select) = query.body.as_mut() {
            for note in change(select, &mut query.order_by, &scope) {
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
    });
    notes
}
