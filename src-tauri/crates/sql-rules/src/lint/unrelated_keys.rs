//! Joins of unrelated keys: a primary key with another one, or with a foreign key to a third table.

use sqlparser::ast::{BinaryOperator, Expr, Visitor};
use std::ops::ControlFlow;
use vitrine_domain::{Catalog, ForeignKey, Table, TableName};
use vitrine_sql::ReadOnlySql;
use vitrine_sql::ast::{Relation, each_select, visit_tree};
use vitrine_words::tr;

/// Returns one sentence for each comparison of a primary key with another table's primary key, or with its foreign key
/// to a third table, if the database declares foreign keys: such numbers are equal by coincidence.
pub(crate) fn chance_joins(sql: &ReadOnlySql, catalog: &Catalog) -> Vec<String> {
    if catalog.tables.iter().all(|t| t.foreign_keys.is_empty()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    each_select(sql, catalog, |_, select, tables| {
        let mut links = Links { tables, found: &mut found };
        let _ = visit_tree(&select.from, &mut links);
        let _ = visit_tree(&select.selection, &mut links);
    });
    found
}

struct Links<'a, 'c> {
    tables: &'a [Relation<'c>],
    found: &'a mut Vec<String>,
}

impl<'c> Links<'_, 'c> {
    fn resolve_column(&self, expr: &Expr) -> Option<(&'c Table, String)> {
        let Expr::CompoundIdentifier(parts) = expr else { return None };
        let [.., qualifier, column] = parts.as_slice() else { return None };
        let relation = self.tables.iter().find(|relation| relation.matches_qualifier(qualifier))?;
        Some((relation.table, column.value.clone()))
    }
}

impl Visitor for Links<'_, '_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = expr
            && let (Some((one, a)), Some((other, b))) = (self.resolve_column(left), self.resolve_column(right))
            && one.name != other.name
            && (is_key(one, &a) && is_linking(other, &b) || is_linking(one, &a) && is_key(other, &b))
            && !has_reference(one, &a, other)
            && !has_reference(other, &b, one)
            && !referenced_tables(one, &a).any(|target| referenced_tables(other, &b).any(|other| other == target))
            && !a.eq_ignore_ascii_case(&b)
        {
            let text =
                tr!("{one}.{a} and {other}.{b} do not refer to each other", one = one.name, a, other = other.name, b);
            if !self.found.contains(&text) {
                self.found.push(text);
            }
        }
        ControlFlow::Continue(())
    }
}

fn is_key(table: &Table, column: &str) -> bool {
    matches!(table.primary_key.as_slice(), [key] if key.eq_ignore_ascii_case(column))
}

/// Returns true if a column identifies rows: a primary or foreign key.
fn is_linking(table: &Table, column: &str) -> bool {
    is_key(table, column) || referenced_tables(table, column).next().is_some()
}

/// Returns the tables that a column refers to.
fn referenced_tables<'t>(from: &'t Table, column: &str) -> impl Iterator<Item = &'t TableName> {
    let refers = move |key: &&ForeignKey| key.columns.iter().any(|c| c.eq_ignore_ascii_case(column));
    from.foreign_keys.iter().filter(refers).map(|key| &key.ref_table)
}

fn has_reference(from: &Table, column: &str, to: &Table) -> bool {
    referenced_tables(from, column).any(|target| *target == to.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{catalog_with, typed_table};
    use vitrine_domain::Dialect;

    #[test]
    fn two_keys_that_are_equal_by_chance_are_told() {
        let one = |name: &str, key: &str, refers: Option<&str>| {
            let refers: Vec<_> = refers.map(|to| (key, to, "id")).into_iter().collect();
            typed_table(name, &[(key, "INTEGER")], &[key], &refers)
        };
        let tables = vec![
            one("car", "id", None),
            one("engine", "car_id", Some("car")),
            one("wheel", "wheel_id", Some("car")),
            one("maker", "maker_id", None),
        ];
        let catalog = catalog_with(Dialect::Sqlite, tables);
        let told = |sql: &str| chance_joins(&ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap(), &catalog);
        assert_eq!(
            told("SELECT 1 FROM car AS c JOIN maker AS m ON c.id = m.maker_id"),
            ["car.id and maker.maker_id do not refer to each other"]
        );
        assert_eq!(
            told("SELECT 1 FROM engine AS e JOIN maker AS m ON e.car_id = m.maker_id"),
            ["engine.car_id and maker.maker_id do not refer to each other"]
        );
        assert!(told("SELECT 1 FROM car AS c JOIN engine AS e ON c.id = e.car_id").is_empty());
        assert!(
            told("SELECT 1 FROM engine AS e JOIN wheel AS w ON e.car_id = w.wheel_id").is_empty(),
            "of the same car"
        );
    }
}
