//! A table mistaken for a related one. Small models count concerts by `stadium JOIN singer_in_concert ON stadium.id =
//! singer_in_concert.stadium_id` and also use `concert_id`, although the table of concerts is meant. Through the link
//! table, each concert would be counted once per singer.

use crate::RuleInput;
use sqlparser::ast::{
    BinaryOperator, Expr, JoinConstraint, JoinOperator, Query, Select, SetExpr, TableFactor, Visit, VisitorMut,
};
use std::ops::ControlFlow;
use vitrine_domain::Table;
use vitrine_sql::ast::{
    ColumnReferences, InScope, Relation, each_query, foreign_key_links, is_star, iter_relations, same_name,
    table_factor, visit_mut, visit_table_names,
};
use vitrine_words::tr;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    let scope = InScope::from_query(query, input.catalog);
    let mut notes = Vec::new();
    each_query(query, |query| notes.extend(take_meant(query, &scope)));
    notes
}

/// Replaces a table by the only table that has every used column: the missing column, linked by a foreign key, and
/// columns that both share through a key, so that their values are the same.
fn take_meant(query: &mut Query, catalog: &InScope<'_>) -> Option<String> {
    let SetExpr::Select(select) = query.body.as_ref() else { return None };
    let tables: Vec<Relation<'_>> = iter_relations(select, catalog).collect::<Option<_>>()?;
    let mut uses = ColumnReferences::default();
    let _ = Visit::visit(query, &mut uses);
    if uses.whole_rows || select.projection.iter().any(is_star) {
        return None;
    }
    let (at, Meant { table: meant, missing, columns }) =
        (0..tables.len()).find_map(|at| Some((at, find_meant_table(select, &tables, at, &uses, catalog)?)))?;
    let (alias, mistaken) = (tables[at].alias.clone(), tables[at].table);
    let mut times = 0;
    let _ = visit_table_names(query, |name| {
        times += usize::from(catalog.table_named(name).is_some_and(|table| table.name == mistaken.name));
        ControlFlow::<()>::Continue(())
    });
    let note = tr!(
        "{meant} has {missing}, {mistaken} does not: it was used instead",
        meant = meant.name,
        missing,
        mistaken = mistaken.name
    );
    if times > 1 {
        return None;
    }
    let mut factor = table_factor(&meant.name, catalog.dialect);
    let SetExpr::Select(select) = query.body.as_mut() else { return None };
    let from = select.from.first_mut()?;
    let place = if at == 0 { &mut from.relation } else { &mut from.joins.get_mut(at - 1)?.relation };
    let (TableFactor::Table { alias: own, .. }, TableFactor::Table { alias: kept, .. }) = (&*place, &mut factor) else {
        return None;
    };
    kept.clone_from(own);
    let to = if own.is_some() { alias.clone() } else { meant.name.name.clone() };
    *place = factor;
    let _ = visit_mut(query, &mut Renamed { from: &alias, to: &to, columns: &columns });
    Some(note)
}

/// A replacement for a table.
struct Meant<'c> {
    table: &'c Table,
    /// The missing column that identifies the intended table.
    missing: String,
    /// Columns of the replaced table with their names in the replacement.
    columns: Vec<(String, String)>,
}

/// Returns the intended table for the one at `at`.
fn find_meant_table<'c>(
    select: &Select,
    tables: &[Relation<'c>],
    at: usize,
    uses: &ColumnReferences,
    catalog: &InScope<'c>,
) -> Option<Meant<'c>> {
    let own = &tables[at];
    if uses.bare.iter().any(|column| own.table.find_column(column).is_some()) {
        return None;
    }
    let used: Vec<&String> = uses.columns.iter().filter(|(q, _)| own.matches_qualifier(q)).map(|(_, c)| c).collect();
    let (there, missing): (Vec<&String>, Vec<&String>) =
        used.into_iter().partition(|column| own.table.find_column(column).is_some());
    let (Some(first), false) = (missing.first(), there.is_empty()) else { return None };
    let has = |table: &Table, column: &str| {
        let joined = join_equalities(select).any(|(left, right)| {
            let other = |(q, c): QualifiedName<'_>, (p, d): QualifiedName<'_>| {
                let other = tables.iter().find(|t| same_name(&t.alias, p) && !same_name(p, &own.alias))?;
                let linked = foreign_key_links(other.table, table)
                    .iter()
                    .any(|(one, two)| same_name(one, d) && same_name(two, column));
                (same_name(q, &own.alias) && same_name(c, column) && linked).then_some(())
            };
            other(left, right).or_else(|| other(right, left)).is_some()
        });
        joined && table.find_column(column).is_some()
    };
    // A key guarantees the same values.
    let shared = |table: &Table, column: &&String| -> Option<(String, String)> {
        foreign_key_links(own.table, table).into_iter().find(|(one, _)| same_name(one, column))
    };
    let mut found = catalog.catalog().tables.iter().filter_map(|table| {
        let free = !tables.iter().any(|t| t.table.name == table.name || same_name(&t.alias, &table.name.name));
        let all = free && missing.iter().all(|column| has(table, column));
        let columns = there.iter().map(|column| shared(table, column)).collect::<Option<_>>().filter(|_| all)?;
        Some(Meant { table, missing: (*first).clone(), columns })
    });
    match (found.next(), found.next()) {
        (Some(meant), None) => Some(meant),
        _ => None,
    }
}

/// The qualifier and the name of a column.
type QualifiedName<'e> = (&'e str, &'e str);

/// Returns the columns that joins set equal.
fn join_equalities(select: &Select) -> impl Iterator<Item = (QualifiedName<'_>, QualifiedName<'_>)> {
    let conditions = select.from.iter().flat_map(|from| &from.joins).filter_map(|join| match &join.join_operator {
        JoinOperator::Join(JoinConstraint::On(on))
        | JoinOperator::Inner(JoinConstraint::On(on))
        | JoinOperator::Left(JoinConstraint::On(on))
        | JoinOperator::LeftOuter(JoinConstraint::On(on)) => Some(on),
        _ => None,
    });
    conditions.filter_map(|on| {
        let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = on else { return None };
        Some((qualified_column(left)?, qualified_column(right)?))
    })
}

fn qualified_column(expr: &Expr) -> Option<QualifiedName<'_>> {
    match expr {
        Expr::CompoundIdentifier(parts) => match parts.as_slice() {
            [.., qualifier, column] => Some((&qualifier.value, &column.value)),
            _ => None,
        },
        _ => None,
    }
}

/// Renames the qualifier of columns, and some of their names.
struct Renamed<'a> {
    from: &'a str,
    to: &'a str,
    columns: &'a [(String, String)],
}

impl VisitorMut for Renamed<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::CompoundIdentifier(parts) = expr
            && let [.., qualifier, column] = parts.as_mut_slice()
            && same_name(&qualifier.value, self.from)
        {
            self.to.clone_into(&mut qualifier.value);
            if let Some((_, new)) = self.columns.iter().find(|(old, _)| same_name(old, &column.value)) {
                new.clone_into(&mut column.value);
            }
        }
        ControlFlow::Continue(())
    }
}
