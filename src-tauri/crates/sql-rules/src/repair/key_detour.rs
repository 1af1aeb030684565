//! A foreign key joined to the key of the wrong table, whose own target table leads to that table.

use super::each_select;
use super::join_path::build_join_chain;
use crate::RuleInput;
use sqlparser::ast::{Query, Select};
use vitrine_domain::{ForeignKey, Table};
use vitrine_sql::ast::{
    InScope, Link, Relation, foreign_key_links, inner_join_condition, iter_relations, resolve_join_sides, same_name,
};
use vitrine_words::tr;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    each_select(query, input, |select, _, scope| {
        // Every repaired join changes the FROM clause, so it is examined again, at most once for each original join.
        let joins: usize = select.from.iter().map(|from| from.joins.len()).sum();
        (0..joins).map_while(|_| repair_detour(select, scope)).collect()
    })
}

/// Routes a join of a foreign key with the key of an unrelated table through its own target table: `maker JOIN
/// continent ON maker.country = continent.id` goes through the countries. Each step finds at most one row, so no row is
/// multiplied.
fn repair_detour(select: &mut Select, catalog: &InScope<'_>) -> Option<String> {
    let [from] = select.from.as_slice() else { return None };
    let tables: Vec<Relation<'_>> = iter_relations(select, catalog).collect::<Option<_>>()?;
    let (at, one, other, steps, note) = from.joins.iter().enumerate().find_map(|(at, join)| {
        let ((a, left), (b, right)) = resolve_join_sides(inner_join_condition(join)?, &tables)?;
        let joined = at + 1;
        let there = if a == joined { b } else { a };
        if (a == joined) == (b == joined) || there > joined {
            return None;
        }
        let detour = |from: usize, column: &str, to: usize, key: &str| {
            let (first, table, second) = find_detour(tables[from].table, column, tables[to].table, key, catalog)?;
            let back = |link: &Link| (link.1.clone(), link.0.clone());
            // Uses the target table if the query already joins it, and adds it otherwise.
            let has = tables.iter().position(|t| t.table.name == table.name);
            let steps = match has {
                Some(has) if has < joined && to == joined => {
                    return Some((at, has, joined, vec![(None, second.clone())], tables[to].alias.clone()));
                }
                Some(_) => return None,
                None if to == joined => vec![(Some(table), first), (None, second)],
                None => vec![(Some(table), back(&second)), (None, back(&first))],
            };
            Some((at, there, joined, steps, table.name.to_string()))
        };
        let (at, one, other, steps, over) = detour(a, left, b, right).or_else(|| detour(b, right, a, left))?;
        let note = tr!(
            "{one}.{left} and {other}.{right} do not refer to each other: joined along the keys, with {over}",
            one = tables[a].alias,
            left,
            other = tables[b].alias,
            right,
            over
        );
        Some((at, one, other, steps, note))
    })?;
    let chain = build_join_chain(select, at, &tables[one].alias, &tables[other].alias, steps, catalog.dialect);
    select.from[0].joins.splice(at..=at, chain);
    Some(note)
}

/// Returns the target table of a foreign key that is compared with another table's key, with the links to it and from
/// there. `None` if the comparison is correct or may be intended, or if no path exists.
fn find_detour<'c>(
    from: &Table,
    column: &str,
    to: &Table,
    key: &str,
    catalog: &InScope<'c>,
) -> Option<(Link, &'c Table, Link)> {
    if same_name(column, key) || !is_key(to, key) || !foreign_key_links(from, to).is_empty() {
        return None;
    }
    let refers = |key: &&ForeignKey| matches!(key.columns.as_slice(), [own] if same_name(own, column));
    let mut targets = from.foreign_keys.iter().filter(refers).map(|key| &key.ref_table);
    let (Some(target), None) = (targets.next(), targets.next()) else { return None };
    let table = catalog.catalog().tables.iter().find(|table| table.name == *target && table.name != from.name)?;
    // Both may refer to the same entity.
    if to
        .foreign_keys
        .iter()
        .any(|own| own.ref_table == table.name && matches!(own.columns.as_slice(), [c] if same_name(c, key)))
    {
        return None;
    }
    let firsts: Vec<Link> =
        foreign_key_links(from, table).into_iter().filter(|link| same_name(&link.0, column)).collect();
    let seconds = foreign_key_links(table, to);
    match (firsts.as_slice(), seconds.as_slice()) {
        ([first], [second]) if same_name(&second.1, key) => Some((first.clone(), table, second.clone())),
        _ => None,
    }
}

fn is_key(table: &Table, column: &str) -> bool {
    matches!(table.primary_key.as_slice(), [key] if same_name(key, column))
}
