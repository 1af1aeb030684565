//! Counted measures: `COUNT(population)` is the number of rows, independent of the population.

use sqlparser::ast::{Expr, Visitor};
use std::ops::ControlFlow;
use vitrine_domain::{Catalog, Table};
use vitrine_sql::ast::{Counted, Relation, classify_count, each_select, is_in_key, resolve_column_table, visit_tree};
use vitrine_sql::{ColumnType, DialectExt, ReadOnlySql};

/// Last words in the names of numeric columns that are not measures.
const NAMES: [&str; 8] = ["id", "code", "key", "no", "nr", "number", "year", "date"];

/// Returns the numeric non-key columns that a query counts without DISTINCT and without a condition on them; as
/// written, in order of appearance.
pub(crate) fn counted_quantities(sql: &ReadOnlySql, catalog: &Catalog) -> Vec<String> {
    let mut found = Vec::new();
    each_select(sql, catalog, |query, select, tables| {
        let condition = select.selection.as_ref().map(|c| c.to_string().to_lowercase()).unwrap_or_default();
        let mut counts = Counts { tables, catalog, found: Vec::new() };
        let _ = visit_tree(&select.projection, &mut counts);
        let _ = visit_tree(&select.having, &mut counts);
        let _ = visit_tree(&query.order_by, &mut counts);
        found.extend(counts.found.into_iter().filter(|column| !condition.contains(&column.to_lowercase())));
    });
    found
}

struct Counts<'a, 'c> {
    tables: &'a [Relation<'c>],
    catalog: &'a Catalog,
    found: Vec<String>,
}

impl Visitor for Counts<'_, '_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Function(function) = expr
            && let Some(Counted::Values(argument)) = classify_count(function)
            && let Some((table, column)) = resolve_column_table(argument, self.tables)
            && self.is_quantity(table, column)
            && !self.found.iter().any(|found| found == column)
        {
            self.found.push(column.to_owned());
        }
        ControlFlow::Continue(())
    }
}

impl Counts<'_, '_> {
    fn is_quantity(&self, table: &Table, name: &str) -> bool {
        let number = |data_type: &str| {
            matches!(
                self.catalog.dialect.sql().column_type(data_type),
                ColumnType::Whole | ColumnType::Decimal | ColumnType::Float
            )
        };
        let lower = name.to_lowercase();
        table.find_column(name).is_some_and(|column| number(&column.data_type))
            && !is_in_key(table, name)
            && !NAMES.iter().any(|word| lower.ends_with(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{catalog_with, typed_table};
    use vitrine_domain::Dialect;

    #[test]
    fn a_quantity_that_is_counted_is_told() {
        let columns = [("id", "INTEGER"), ("name", "TEXT"), ("population", "INTEGER"), ("zip_code", "INTEGER")];
        let catalog = catalog_with(Dialect::Sqlite, vec![typed_table("city", &columns, &["id"], &[])]);
        let found = |sql: &str| counted_quantities(&ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap(), &catalog);
        assert_eq!(found("SELECT COUNT(c.population) FROM city AS c WHERE c.name <> 'Rome'"), ["population"]);
        assert_eq!(found("SELECT name FROM city GROUP BY name ORDER BY count(population) DESC"), ["population"]);
        for sql in [
            "SELECT COUNT(*), COUNT(id), COUNT(name), COUNT(zip_code), COUNT(DISTINCT population) FROM city",
            "SELECT COUNT(population) FROM city WHERE population > 5",
            "SELECT SUM(population) FROM city",
        ] {
            assert!(found(sql).is_empty(), "{sql}");
        }
    }
}
