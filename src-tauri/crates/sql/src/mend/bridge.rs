//! Joins of two tables by a column that one of them lacks. Small models know that two things belong together and
//! overlook the table between them: `film JOIN actor ON film.id = actor.film_id`.

use crate::quote::ident;
use crate::relations::{Relation, is_in_key, relations, table_factor};
use sqlparser::ast::{BinaryOperator, Expr, Join, JoinConstraint, JoinOperator, Select};
use vitrine_domain::{Catalog, Dialect, ForeignKey, Table};

/// Mends the conditions of such joins: along the one foreign key between both tables, or over the one table that refers
/// to, or is referred to by, both.
pub(super) fn mend_links(select: &mut Select, catalog: &Catalog) -> Vec<String> {
    let mut notes = Vec::new();
    // Every mended join changes the FROM clause: look at it anew, at most once for each join there was.
    let most: usize = select.from.iter().map(|from| from.joins.len()).sum();
    for _ in 0..most {
        let Some(note) = mend_one(select, catalog) else { break };
        notes.push(note);
    }
    notes
}

fn mend_one(select: &mut Select, catalog: &Catalog) -> Option<String> {
    let [from] = select.from.as_slice() else { return None };
    let tables: Vec<Relation<'_>> = relations(select, catalog).collect::<Option<_>>()?;
    let (at, one, other) = from.joins.iter().enumerate().find_map(|(at, join)| {
        let ((a, left), (b, right)) = sides(on(join)?, &tables)?;
        // The joined table on one side, one that stands before it on the other; one of them lacks its column.
        let joined = at + 1;
        let there = if a == joined { b } else { a };
        let fits = (a == joined) != (b == joined) && there < joined;
        let lacks = tables[a].table.column(left).is_none() || tables[b].table.column(right).is_none();
        (fits && lacks).then_some((at, there, joined))
    })?;
    let (one, other) = (&tables[one], &tables[other]);
    let free = |table: &Table| !tables.iter().any(|t| t.table.name == table.name || same(&t.alias, &table.name.name));
    let (steps, note) = match links(one.table, other.table).as_slice() {
        [link] => {
            (vec![(None, link.clone())], format!("{} and {} were joined along their key", one.alias, other.alias))
        }
        [] => {
            let mut between: Vec<(&Table, Link, Link)> = Vec::new();
            for table in catalog.tables.iter().filter(|t| free(t)) {
                for first in links(one.table, table) {
                    for second in links(table, other.table) {
                        between.push((table, first.clone(), second));
                    }
                }
            }
            let [(table, first, second)] = between.as_slice() else { return None };
            let note = format!("{} was put between {} and {}", table.name, one.alias, other.alias);
            (vec![(Some(*table), first.clone()), (None, second.clone())], note)
        }
        _ => return None,
    };
    let chain = chain(select, at, &one.alias, &other.alias, steps, catalog.dialect);
    select.from[0].joins.splice(at..=at, chain);
    Some(note)
}

/// The joins that lead from one table to the one that is joined at `at`, over those of `steps` that are named.
fn chain(
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
            left: Box::new(path(&last, &link.0, dialect)),
            op: BinaryOperator::Eq,
            right: Box::new(path(&next, &link.1, dialect)),
        };
        last = next;
        let relation =
            table.map_or_else(|| select.from[0].joins[at].relation.clone(), |t| table_factor(&t.name, dialect));
        Join { relation, global: false, join_operator: JoinOperator::Join(JoinConstraint::On(condition)) }
    };
    steps.into_iter().map(join).collect()
}

/// Mends a join of a foreign key with the key of a table that it does not refer to, where the table that it does refer to
/// leads there: `maker JOIN continent ON maker.country = continent.id` goes over the countries. Each step finds one row at
/// most, so that no row is multiplied.
pub(super) fn mend_detour(select: &mut Select, catalog: &Catalog) -> Option<String> {
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

/// Mends a join of a foreign key with another column of the table that it refers to, as one of the same name:
/// `flight JOIN airline ON flight.airline = airline.airline` where the key refers to `airline.id`. Two columns of one table
/// that are no keys cannot both be what a foreign key holds.
pub(super) fn mend_key(select: &mut Select, catalog: &Catalog) -> Option<String> {
    let [from] = select.from.as_slice() else { return None };
    let tables: Vec<Relation<'_>> = relations(select, catalog).collect::<Option<_>>()?;
    let (at, on_left, alias, key, note) = from.joins.iter().enumerate().find_map(|(at, join)| {
        let ((a, left), (b, right)) = sides(on(join)?, &tables)?;
        // Which column the foreign key `column` of one table should be compared with instead of `other`.
        let meant = |one: usize, column: &str, two: usize, other: &str| {
            let (from, to) = (tables[one].table, tables[two].table);
            let known = to.column(other).is_some() && from.name != to.name && !is_in_key(to, other);
            let refers = |key: &&ForeignKey| matches!(key.columns.as_slice(), [own] if same(own, column));
            let mut keys = from.foreign_keys.iter().filter(refers);
            let (Some(key), None) = (keys.next(), keys.next()) else { return None };
            match key.ref_columns.as_slice() {
                [target] if known && key.ref_table == to.name && !same(target, other) => {
                    let note = format!("{}.{column} refers to {target}, not to {other}", tables[one].alias);
                    Some((tables[two].alias.clone(), target.clone(), note))
                }
                _ => None,
            }
        };
        let found = meant(a, left, b, right).map(|found| (false, found));
        let (on_left, (alias, key, note)) = found.or_else(|| meant(b, right, a, left).map(|found| (true, found)))?;
        Some((at, on_left, alias, key, note))
    })?;
    let (JoinOperator::Join(JoinConstraint::On(condition)) | JoinOperator::Inner(JoinConstraint::On(condition))) =
        &mut select.from[0].joins[at].join_operator
    else {
        return None;
    };
    let Expr::BinaryOp { left, right, .. } = condition else { return None };
    **(if on_left { left } else { right }) = path(&alias, &key, catalog.dialect);
    Some(note)
}

/// The table to which a foreign key refers instead of the one whose key it is compared with, and the links to it and on
/// from there; `None` where the comparison is right, may be meant, or nothing leads on.
fn detour<'c>(
    from: &Table,
    column: &str,
    to: &Table,
    key: &str,
    catalog: &'c Catalog,
) -> Option<(Link, &'c Table, Link)> {
    if same(column, key) || !is_key(to, key) || !links(from, to).is_empty() {
        return None;
    }
    let refers = |key: &&ForeignKey| matches!(key.columns.as_slice(), [own] if same(own, column));
    let mut targets = from.foreign_keys.iter().filter(refers).map(|key| &key.ref_table);
    let (Some(target), None) = (targets.next(), targets.next()) else { return None };
    let table = catalog.tables.iter().find(|table| table.name == *target && table.name != from.name)?;
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

/// A pair of columns that a foreign key sets equal.
pub(super) type Link = (String, String);

/// The keys of one column between two tables, in either direction.
pub(super) fn links(one: &Table, other: &Table) -> Vec<Link> {
    let along = |from: &Table, to: &Table| -> Vec<Link> {
        from.foreign_keys
            .iter()
            .filter(|key| same(&key.ref_table.name, &to.name.name))
            .filter_map(|key| match (key.columns.as_slice(), key.ref_columns.as_slice()) {
                ([own], [target]) => Some((own.clone(), target.clone())),
                _ => None,
            })
            .collect()
    };
    let mut found = along(one, other);
    if one.name != other.name {
        found.extend(along(other, one).into_iter().map(|(own, target)| (target, own)));
    }
    found.dedup();
    found
}

pub(super) fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// The condition of an inner join.
pub(crate) fn on(join: &Join) -> Option<&Expr> {
    match &join.join_operator {
        JoinOperator::Join(JoinConstraint::On(condition)) | JoinOperator::Inner(JoinConstraint::On(condition)) => {
            Some(condition)
        }
        _ => None,
    }
}

/// The two columns that the condition of a join sets equal, each with its table.
pub(crate) fn sides<'e>(on: &'e Expr, tables: &[Relation<'_>]) -> Option<((usize, &'e str), (usize, &'e str))> {
    let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = on else { return None };
    Some((side(left, tables)?, side(right, tables)?))
}

/// Which table a qualified column is taken from, and its name.
fn side<'e>(expr: &'e Expr, tables: &[Relation<'_>]) -> Option<(usize, &'e str)> {
    let Expr::CompoundIdentifier(parts) = expr else { return None };
    let [.., qualifier, column] = parts.as_slice() else { return None };
    Some((tables.iter().position(|t| t.is(qualifier))?, &column.value))
}

pub(crate) fn path(qualifier: &str, column: &str, dialect: Dialect) -> Expr {
    Expr::CompoundIdentifier(vec![ident(qualifier, dialect), ident(column, dialect)])
}
