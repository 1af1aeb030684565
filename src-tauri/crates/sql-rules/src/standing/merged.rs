//! Values that the user merges in every answer.

use crate::RuleInput;
use crate::merging::{Merging, ValueMerge, find_categories, merge_in_query, merge_values};
use sqlparser::ast::Query;
use vitrine_sql::ReadOnlySql;
use vitrine_words::tr;

/// Merges the values. Returns one sentence for each merge that was applied.
pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    let mut changed = query.clone();
    match merge_in_query(&mut changed, input.catalog, input.catalog.dialect, &input.standing.merges) {
        Some(used) if !used.is_empty() => {
            *query = changed;
            used.iter().map(ValueMerge::describe_merge).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the notes for a query that cannot be changed.
pub(super) fn left_aside(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Vec<String> {
    let merges = &input.standing.merges;
    if merges.is_empty() || merge_values(sql, input.catalog, merges) != Merging::Unfit {
        return Vec::new();
    }
    let used = find_categories(sql, input.catalog);
    let is_used = |merge: &&ValueMerge| {
        used.iter().any(|category| category.table == merge.table && category.column == merge.column)
    };
    let note = |merge: &ValueMerge| {
        tr!("“{note}” is defined for every answer, but this query could not be changed", note = merge.describe_merge())
    };
    merges.iter().filter(is_used).map(note).collect()
}
