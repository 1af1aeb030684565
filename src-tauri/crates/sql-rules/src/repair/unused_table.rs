//! Removes a joined table whose only referenced column belongs to another table. If a foreign key leads to the table, each
//! row has one joined row, and the removal is safe. Otherwise the join also selects rows, as in "countries with a car
//! maker", and the query without it is a variant.

use super::each_select;
use crate::RuleInput;
use sqlparser::ast::{
    BinaryOperator, Expr, JoinConstraint, JoinOperator, OrderBy, Query, Select, TableWithJoins, Visit,
};
use vitrine_sql::ast::{
    ColumnReferences, Grain, InScope, Matches, Relation, collect_aggregate_names, inner_join_condition, is_star,
    iter_relations, visit_tree,
};
use vitrine_words::tr;

/// Removes joins of one row each.
pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    drop_joins(query, input, true)
}

/// Removes joins that may repeat or drop rows.
pub(crate) fn apply_variant_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    drop_joins(query, input, false)
}

fn drop_joins(query: &mut Query, input: &RuleInput<'_>, of_one_row: bool) -> Vec<String> {
    if input.wrong_qualifiers.is_empty() {
        return Vec::new();
    }
    // An alias that several SELECTs declare may be wrong in one of them only.
    let mut declared: Vec<String> = Vec::new();
    each_select(query, input, |select, _, scope| {
        declared.extend(iter_relations(select, scope).flatten().map(|relation| relation.alias.to_lowercase()));
        Vec::new()
    });
    let is_unique = |name: &&String| declared.iter().filter(|own| own.eq_ignore_ascii_case(name)).count() == 1;
    let names: Vec<String> = input.wrong_qualifiers.iter().filter(is_unique).cloned().collect();
    each_select(query, input, |select, order_by, scope| {
        let leaf = find_unused_leaf(select, order_by, scope, &names, of_one_row);
        leaf.and_then(|leaf| drop_join(select, leaf, scope)).into_iter().collect()
    })
}

/// Returns the index of an unused table among `names` whose join matches one row, or else any number of rows.
fn find_unused_leaf(
    select: &Select,
    order_by: &Option<OrderBy>,
    catalog: &InScope<'_>,
    names: &[String],
    of_one_row: bool,
) -> Option<usize> {
    let [from] = select.from.as_slice() else { return None };
    if from.joins.is_empty() || !from.joins.iter().all(|join| inner_join_condition(join).is_some()) {
        return None;
    }
    let relations: Vec<Relation<'_>> = iter_relations(select, catalog).collect::<Option<_>>()?;
    let used = find_used_tables(select, order_by, &relations)?;
    let named = |at: usize| names.iter().any(|name| name.eq_ignore_ascii_case(&relations[at].alias));
    let counts =
        [repeats_matter(&select.projection), repeats_matter(&select.having), repeats_matter(order_by)].contains(&true);
    let grain = Grain::from_select(select, &relations);
    let matches_one = |at: usize| {
        let others: Vec<usize> = (0..relations.len()).filter(|&other| other != at).collect();
        let name = &relations[at].table.name;
        let refers = |&other: &usize| relations[other].table.foreign_keys.iter().any(|key| key.ref_table == *name);
        others.iter().any(refers) && grain.count_matches(&others, &[at]) == Matches::One
    };
    // Repeated rows of a table may be the counted entities.
    let is_unused = |at: usize| {
        let one = matches_one(at);
        !used[at] && named(at) && is_leaf(&relations[at], from) && one == of_one_row && (one || !counts)
    };
    (0..relations.len()).find(|&at| is_unused(at))
}

/// Removes the table at this index from a FROM clause.
fn drop_join(select: &mut Select, leaf: usize, catalog: &InScope<'_>) -> Option<String> {
    let relations: Vec<Relation<'_>> = iter_relations(select, catalog).collect::<Option<_>>()?;
    let name = relations[leaf].table.name.to_string();
    let first = &relations[0];
    let link = select.from[0]
        .joins
        .iter()
        .position(|join| inner_join_condition(join).is_some_and(|condition| mentions_relation(condition, first)));
    let from = &mut select.from[0];
    if leaf == 0 {
        // The first table's only link is the condition of one join, whose table takes its place.
        if link != Some(0) {
            return None;
        }
        from.relation = from.joins.remove(0).relation;
    } else {
        from.joins.remove(leaf - 1);
    }
    Some(tr!("Removed {name}, of which no column is used", name))
}

/// Returns true if an aggregate has another result when a row is repeated.
fn repeats_matter(part: &impl Visit) -> bool {
    collect_aggregate_names(part)
        .iter()
        .any(|name| !matches!(name.as_str(), "min" | "max") && !name.ends_with(" distinct"))
}

/// Returns for each table true if one of its columns is used outside of join conditions. `None` if this is ambiguous:
/// `*`, or `COUNT(*)`, which uses the rows themselves.
fn find_used_tables(select: &Select, order_by: &Option<OrderBy>, relations: &[Relation<'_>]) -> Option<Vec<bool>> {
    let mut names = ColumnReferences::default();
    let mut rest = select.clone();
    for join in rest.from.iter_mut().flat_map(|from| &mut from.joins) {
        join.join_operator = JoinOperator::CrossJoin(JoinConstraint::None);
    }
    let _ = visit_tree(&rest, &mut names);
    let _ = visit_tree(order_by, &mut names);
    if names.whole_rows || select.projection.iter().any(is_star) {
        return None;
    }
    Some(
        relations
            .iter()
            .map(|relation| {
                names.columns.iter().any(|(q, _)| relation.matches_qualifier(q))
                    || names.bare.iter().any(|column| relation.table.find_column(column).is_some())
            })
            .collect(),
    )
}

/// Returns true if a table is linked by a single condition, on one of its own columns.
fn is_leaf(relation: &Relation<'_>, from: &TableWithJoins) -> bool {
    let mut links =
        from.joins.iter().filter_map(inner_join_condition).filter(|condition| mentions_relation(condition, relation));
    let (Some(Expr::BinaryOp { left, op: BinaryOperator::Eq, right }), None) = (links.next(), links.next()) else {
        return false;
    };
    let own = |expr: &Expr| matches!(expr, Expr::CompoundIdentifier(parts) if parts.len() > 1 && relation.matches_qualifier(&parts[parts.len() - 2]));
    own(left) != own(right)
}

fn mentions_relation(condition: &Expr, relation: &Relation<'_>) -> bool {
    let mut names = ColumnReferences::default();
    let _ = visit_tree(condition, &mut names);
    names.columns.iter().any(|(q, _)| relation.matches_qualifier(q))
        || names.bare.iter().any(|c| relation.table.find_column(c).is_some())
}
