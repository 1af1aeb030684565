//! Joins that link nothing: two primary keys of which neither refers to the other.

use crate::ReadOnlySql;
use crate::relations::{Relation, relations};
use sqlparser::ast::{BinaryOperator, Expr, Query, SetExpr, Visit, Visitor};
use std::ops::ControlFlow;
use vitrine_domain::{Catalog, Table};

/// Comparisons of two tables' primary keys that no foreign key backs, where the database declares foreign keys: numbers
/// that are equal by chance. One sentence each; empty when all is well.
pub fn chance_joins(sql: &ReadOnlySql, catalog: &Catalog) -> Vec<String> {
    if catalog.tables.iter().all(|t| t.foreign_keys.is_empty()) {
        return Vec::new();
    }
    sql.with_query(|query| {
        let mut finder = Finder { catalog, found: Vec::new() };
        let _ = query.visit(&mut finder);
        finder.found
    })
    .unwrap_or_default()
}

struct Finder<'a> {
    catalog: &'a Catalog,
    found: Vec<String>,
}

impl Visitor for Finder<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        if let SetExpr::Select(select) = query.body.as_ref() {
            let tables: Vec<Relation<'_>> = relations(select, self.catalog).flatten().collect();
            let mut links = Links { tables: &tables, found: &mut self.found };
            let _ = select.from.visit(&mut links);
            let _ = select.selection.visit(&mut links);
        }
        ControlFlow::Continue(())
    }
}

struct Links<'a, 'c> {
    tables: &'a [Relation<'c>],
    found: &'a mut Vec<String>,
}

impl<'c> Links<'_, 'c> {
    fn column(&self, expr: &Expr) -> Option<(&'c Table, String)> {
        let Expr::CompoundIdentifier(parts) = expr else { return None };
        let [.., qualifier, column] = parts.as_slice() else { return None };
        let relation = self.tables.iter().find(|relation| relation.is(qualifier))?;
        Some((relation.table, column.value.clone()))
    }
}

impl Visitor for Links<'_, '_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = expr
            && let (Some((one, a)), Some((other, b))) = (self.column(left), self.column(right))
            && one.name != other.name
            && is_key(one, &a)
            && is_key(other, &b)
            && !refers(one, &a, other)
            && !refers(other, &b, one)
            && !a.eq_ignore_ascii_case(&b)
        {
            let text = format!("{}.{a} and {}.{b} do not refer to each other", one.name, other.name);
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

fn refers(from: &Table, column: &str, to: &Table) -> bool {
    from.foreign_keys
        .iter()
        .any(|key| key.ref_table == to.name && key.columns.iter().any(|c| c.eq_ignore_ascii_case(column)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::{Column, Dialect, ForeignKey, TableKind, TableName};

    #[test]
    fn two_keys_that_are_equal_by_chance_are_told() {
        let table = |name: &str, key: &str, refers: Option<&str>| Table {
            name: TableName::bare(name),
            kind: TableKind::Table,
            comment: None,
            row_count: None,
            columns: vec![Column { name: key.into(), data_type: "INTEGER".into(), nullable: false, comment: None }],
            primary_key: vec![key.into()],
            foreign_keys: refers
                .map(|to| ForeignKey {
                    columns: vec![key.into()],
                    ref_table: TableName::bare(to),
                    ref_columns: vec!["id".into()],
                })
                .into_iter()
                .collect(),
        };
        let catalog = Catalog {
            database: String::new(),
            dialect: Dialect::Sqlite,
            search_path: Vec::new(),
            fingerprint: String::new(),
            tables: vec![
                table("car", "id", None),
                table("engine", "car_id", Some("car")),
                table("maker", "maker_id", None),
            ],
        };
        let told = |sql: &str| chance_joins(&ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap(), &catalog);
        assert_eq!(
            told("SELECT 1 FROM car AS c JOIN maker AS m ON c.id = m.maker_id"),
            ["car.id and maker.maker_id do not refer to each other"]
        );
        assert!(told("SELECT 1 FROM car AS c JOIN engine AS e ON c.id = e.car_id").is_empty());
    }
}
