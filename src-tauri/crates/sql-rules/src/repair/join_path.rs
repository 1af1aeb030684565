//! Joins of two tables on a column that one of them lacks. Small models know that two entities are related and overlook
//! the link table: `film JOIN actor ON film.id = actor.film_id`.

use super::each_select;
use crate::RuleInput;
use crate::words::singular_words;
use sqlparser::ast::{BinaryOperator, Expr, Join, JoinConstraint, JoinOperator, Query, Select};
use vitrine_domain::{Dialect, Table};
use vitrine_sql::ast::{
    InScope, Link, Relation, foreign_key_links, inner_join_condition, iter_relations, qualified_column,
    resolve_join_sides, same_name, table_factor,
};
use vitrine_words::tr;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    each_select(query, input, |select, _, scope| repair_joins(select, scope))
}

/// Replaces such join conditions by the only foreign key between both tables, or by a path through the only table that
/// refers to both, or to which both refer.
fn repair_joins(select: &mut Select, catalog: &InScope<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    // Every repaired join changes the FROM clause, so it is examined again, at most once for each original join.
    let most: usize = select.from.iter().map(|from| from.joins.len()).sum();
    for _ in 0..most {
        let Some(note) = repair_join(select, catalog) else { break };
        notes.push(note);
    }
    notes
}

fn repair_join(select: &mut Select, catalog: &InScope<'_>) -> Option<String> {
    let [from] = select.from.as_slice() else { return None };
    let tables: Vec<Relation<'_>> = iter_relations(select, catalog).collect::<Option<_>>()?;
    let (at, one, other) = from.joins.iter().enumerate().find_map(|(at, join)| {
        let ((a, left), (b, right)) = resolve_join_sides(inner_join_condition(join)?, &tables)?;
        // The joined table is on one side and an earlier one on the other; one of them lacks its column.
        let joined = at + 1;
        let there = if a == joined { b } else { a };
        let fits = (a == joined) != (b == joined) && there < joined;
        let lacking =
            [(a, left), (b, right)].into_iter().filter(|(t, name)| tables[*t].table.find_column(name).is_none());
        let lacking: Vec<(usize, &str)> = lacking.collect();
        let both = [tables[a].table, tables[b].table];
        let means_key = |&(_, name): &(usize, &str)| is_name_of_key(name, both);
        (fits && !lacking.is_empty() && lacking.iter().all(means_key)).then_some((at, there, joined))
    })?;
    let (one, other) = (&tables[one], &tables[other]);
    let free =
        |table: &Table| !tables.iter().any(|t| t.table.name == table.name || same_name(&t.alias, &table.name.name));
    let (steps, note) = match foreign_key_links(one.table, other.table).as_slice() {
        [link] => (
            vec![(None, link.clone())],
            tr!("{one} and {other} were joined along their key", one = one.alias, other = other.alias),
        ),
        [] => {
            let mut between: Vec<(&Table, Link, Link)> = Vec::new();
            for table in catalog.tables.iter().filter(|t| free(t)) {
                for first in foreign_key_links(one.table, table) {
                    for second in foreign_key_links(table, other.table) {
                        between.push((table, first.clone(), second));
                    }
                }
            }
            let [(table, first, second)] = between.as_slice() else { return None };
            let note = tr!(
                "{table} was put between {one} and {other}",
                table = table.name,
                one = one.alias,
                other = other.alias
            );
            (vec![(Some(*table), first.clone()), (None, second.clone())], note)
        }
        _ => return None,
    };
    let chain = build_join_chain(select, at, &one.alias, &other.alias, steps, catalog.dialect);
    select.from[0].joins.splice(at..=at, chain);
    Some(note)
}

/// Returns true if a column's name only identifies the related tables, as `film_id` does. `referrer_id` has a further
/// meaning that a declared key does not cover.
fn is_name_of_key(name: &str, tables: [&Table; 2]) -> bool {
    const KEYS: [&str; 8] = ["id", "code", "key", "no", "nr", "number", "name", "fk"];
    let known: Vec<String> = tables
        .iter()
        .flat_map(|table| {
            let keys = table.primary_key.iter().chain(table.foreign_keys.iter().flat_map(|key| &key.columns));
            std::iter::once(&table.name.name).chain(keys).flat_map(|name| singular_words(name))
        })
        .collect();
    singular_words(name).iter().all(|word| KEYS.contains(&word.as_str()) || known.contains(word))
}

/// Returns the joins that lead from one table to the one joined at `at`, through the named `steps`.
pub(super) fn build_join_chain(
    select: &Select,
    at: usize,
    one: &str,
    other: &str,
    steps: Vec<(Option<&Table>, Link)>,
    dialect: Dialect,
) -> Vec<Join> {
    let mut last = one.to_owned();
    let join = |(table, link): (Option<&Table>, Link)| {
        let next = table.map_or(other.to_owned(), |t| t.name.name.clone());
        let condition = Expr::BinaryOp {
            left: Box::new(qualified_column(&last, &link.0, dialect)),
            op: BinaryOperator::Eq,
            right: Box::new(qualified_column(&next, &link.1, dialect)),
        };
        last = next;
        let relation =
            table.map_or_else(|| select.from[0].joins[at].relation.clone(), |t| table_factor(&t.name, dialect));
        Join { relation, global: false, join_operator: JoinOperator::Join(JoinConstraint::On(condition)) }
    };
    steps.into_iter().map(join).collect()
}
