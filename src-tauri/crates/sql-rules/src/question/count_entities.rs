//! Counts of entities through a join: "how many stores" over a join with orders counts orders.

use crate::RuleInput;
use sqlparser::ast::{Expr, Query, Select, SelectItem, SetExpr};
use vitrine_domain::TableName;
use vitrine_sql::ast::{
    ColumnReferences, Counted, Grain, InScope, Matches, Relation, classify_count as counted_by, iter_relations,
    qualified_column, rewrite_count, visit_tree,
};
use vitrine_words::tr;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    let scope = InScope::from_query(query, input.catalog);
    let SetExpr::Select(select) = query.body.as_mut() else { return Vec::new() };
    count_things(select, &scope, &input.facts.counted).into_iter().collect()
}

/// Replaces `COUNT(*)` by `COUNT(DISTINCT key)` of the only table whose entities are counted, if the query joins it
/// with a table that may have several rows for one entity.
fn count_things(select: &mut Select, catalog: &InScope<'_>, counted: &[TableName]) -> Option<String> {
    if select.from.len() != 1 || select.having.is_some() {
        return None;
    }
    let tables: Vec<Relation<'_>> = iter_relations(select, catalog).collect::<Option<_>>()?;
    let mut things = (0..tables.len()).filter(|&at| counted.contains(&tables[at].table.name));
    let (Some(thing), None) = (things.next(), things.next()) else { return None };
    let [key] = tables[thing].table.primary_key.as_slice() else { return None };
    // A table that identifies the rows of the result is not the counted one.
    let mut groups = ColumnReferences::default();
    let _ = visit_tree(&select.group_by, &mut groups);
    let own = |column: &String| tables[thing].table.find_column(column).is_some();
    if groups.columns.iter().any(|(qualifier, _)| tables[thing].matches_qualifier(qualifier))
        || groups.bare.iter().any(own)
    {
        return None;
    }
    let repeated = Grain::from_select(select, &tables).count_repeats(thing) == Matches::Several;
    let key = qualified_column(&tables[thing].alias, key, catalog.dialect);
    let name = tables[thing].table.name.to_string();
    let mut changed = false;
    for item in select.projection.iter_mut().filter(|_| repeated) {
        if let SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } = item
            && let Expr::Function(function) = expr
            && matches!(counted_by(function), Some(Counted::Rows))
        {
            rewrite_count(function, Some(key.clone()));
            changed = true;
        }
    }
    changed.then(|| tr!("Counted each of {name} once: the join repeats it in several rows", name))
}
