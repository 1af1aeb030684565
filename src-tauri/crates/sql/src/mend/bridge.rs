//! Joins of two tables by a column that one of them lacks. Small models know that two things belong together and
//! overlook the table between them: `film JOIN actor ON film.id = actor.film_id`.

use crate::quote::ident;
use crate::relations::{Relation, relations, table_factor};
use sqlparser::ast::{BinaryOperator, Expr, Join, JoinConstraint, JoinOperator, Select};
use vitrine_domain::{Catalog, Dialect, Table};

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
        let condition = on(join)?;
        let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = condition else { return None };
        let (a, left) = side(left, &tables)?;
        let (b, right) = side(right, &tables)?;
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
    let dialect = catalog.dialect;
    let mut joins = Vec::new();
    let mut last = one.alias.clone();
    for (table, link) in steps {
        let next = table.map_or(other.alias.clone(), |t| t.name.name.clone());
        let condition = Expr::BinaryOp {
            left: Box::new(path(&last, &link.0, dialect)),
            op: BinaryOperator::Eq,
            right: Box::new(path(&next, &link.1, dialect)),
        };
        let relation = table.map_or_else(|| from.joins[at].relation.clone(), |t| table_factor(&t.name, dialect));
        joins.push(Join { relation, global: false, join_operator: JoinOperator::Join(JoinConstraint::On(condition)) });
        last = next;
    }
    select.from[0].joins.splice(at..=at, joins);
    Some(note)
}

/// A pair of columns that a foreign key sets equal.
pub(super) type Link = (String, String);

/// The keys of one column between two tables, in either direction.
pub(super) fn links(one: &Table, other: &Table) -> Vec<Link> {
    let along = |from: &Table, to: &Table| -> Vec<Link> {
        from.foreign_keys
            .iter()
            .filter(|key| same(&key.ref_table.name, &to.name.name))
            .filter_map(|key| {
                let targets = if key.ref_columns.is_empty() { &to.primary_key } else { &key.ref_columns };
                match (key.columns.as_slice(), targets.as_slice()) {
                    ([own], [target]) => Some((own.clone(), target.clone())),
                    _ => None,
                }
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

fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// The condition of an inner join.
pub(super) fn on(join: &Join) -> Option<&Expr> {
    match &join.join_operator {
        JoinOperator::Join(JoinConstraint::On(condition)) | JoinOperator::Inner(JoinConstraint::On(condition)) => {
            Some(condition)
        }
        _ => None,
    }
}

/// Which table a qualified column is taken from, and its name.
fn side<'e>(expr: &'e Expr, tables: &[Relation<'_>]) -> Option<(usize, &'e str)> {
    let Expr::CompoundIdentifier(parts) = expr else { return None };
    let [.., qualifier, column] = parts.as_slice() else { return None };
    Some((tables.iter().position(|t| t.is(qualifier))?, &column.value))
}

pub(super) fn path(qualifier: &str, column: &str, dialect: Dialect) -> Expr {
    Expr::CompoundIdentifier(vec![ident(qualifier, dialect), ident(column, dialect)])
}
