//! A foreign key set equal to the key of a table that it does not refer to, where the one that it does refer to leads there.

use super::each_select;
use super::join_path::chain;
use crate::RuleInput;
use sqlparser::ast::{Query, Select};
use vitrine_domain::{ForeignKey, Table};
use vitrine_sql::ast::{InScope, Link, Relation, links, on, relations, same, sides};

pub(crate) fn apply(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    each_select(query, input, |select, _, scope| {
        // Every mended join changes the FROM clause: look at it anew, at most once for each join there was.
        let joins: usize = select.from.iter().map(|from| from.joins.len()).sum();
        (0..joins).map_while(|_| mend_detour(select, scope)).collect()
    })
}

/// Mends a join of a foreign key with the key of a table that it does not refer to, where the table that it does refer to
/// leads there: `maker JOIN continent ON maker.country = continent.id` goes over the countries. Each step finds one row at
/// most, so that no row is multiplied.
fn mend_detour(select: &mut Select, catalog: &InScope<'_>) -> Option<String> {
    let [from] = select.from.as_slice() else { return None };
    let tables: Vec<Relation<'_>> = relations(select, catalog).collect::<Option<_>>()?;
    let (at, one, other, steps, note) = from.joins.iter().enumerate().find_map(|(at, join)| {
        let ((a, left), (b, right)) = sides(on(join)?, &tables)?;
        let joined = at + 1;
        let there = if a == joined { b } else { a };
        if (a == joined) == (b == joined) || there > joined {
            return None;
        }
        let detour = |from: usize, column: &str, to: usize, key: &str| {
            let (first, table, second) = detour(tables[from].table, column, tables[to].table, key, catalog)?;
            let back = |link: &Link| (link.1.clone(), link.0.clone());
            // Over the table where the query has it before, else with it put between.
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
        let note = format!(
            "{}.{left} and {}.{right} do not refer to each other: joined along the keys, with {over}",
            tables[a].alias, tables[b].alias
        );
        Some((at, one, other, steps, note))
    })?;
    let chain = chain(select, at, &tables[one].alias, &tables[other].alias, steps, catalog.dialect);
    select.from[0].joins.splice(at..=at, chain);
    Some(note)
}

/// The table to which a foreign key refers instead of the one whose key it is compared with, and the links to it and on
/// from there; `None` where the comparison is right, may be meant, or nothing leads on.
fn detour<'c>(
    from: &Table,
    column: &str,
    to: &Table,
    key: &str,
    catalog: &InScope<'c>,
) -> Option<(Link, &'c Table, Link)> {
    if same(column, key) || !is_key(to, key) || !links(from, to).is_empty() {
        return None;
    }
    let refers = |key: &&ForeignKey| matches!(key.columns.as_slice(), [own] if same(own, column));
    let mut targets = from.foreign_keys.iter().filter(refers).map(|key| &key.ref_table);
    let (Some(target), None) = (targets.next(), targets.next()) else { return None };
    let table = catalog.catalog().tables.iter().find(|table| table.name == *target && table.name != from.name)?;
    // Both may refer to the same thing.
    if to
        .foreign_keys
        .iter()
        .any(|own| own.ref_table == table.name && matches!(own.columns.as_slice(), [c] if same(c, key)))
    {
        return None;
    }
    let firsts: Vec<Link> = links(from, table).into_iter().filter(|link| same(&link.0, column)).collect();
    let seconds = links(table, to);
    match (firsts.as_slice(), seconds.as_slice()) {
        ([first], [second]) if same(&second.1, key) => Some((first.clone(), table, second.clone())),
        _ => None,
    }
}

fn is_key(table: &Table, column: &str) -> bool {
    matches!(table.primary_key.as_slice(), [key] if same(key, column))
}
