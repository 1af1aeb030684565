//! One member of a list where rows are summed or counted: `SUM(items[0].price)` leaves the other members out, without a word.

use sqlparser::ast::{AccessExpr, Expr, Ident, Subscript, Value, Visitor};
use std::ops::ControlFlow;
use vitrine_domain::Catalog;
use vitrine_sql::ast::{Relation, aggregates, each_select, visit};
use vitrine_sql::{ReadOnlySql, member_type};

/// List columns of which an aggregating SELECT takes the member at a fixed place; as written, in order of appearance.
pub(crate) fn lists_by_one_member(sql: &ReadOnlySql, catalog: &Catalog) -> Vec<String> {
    let mut found = Vec::new();
    each_select(sql, catalog, |_, select, tables| {
        if aggregates(&select.projection).is_empty() {
            return;
        }
        let mut members = Members { tables, found: Vec::new() };
        let _ = visit(select, &mut members);
        found.extend(members.found);
    });
    found.dedup();
    found
}

struct Members<'a, 'c> {
    tables: &'a [Relation<'c>],
    found: Vec<String>,
}

impl Visitor for Members<'_, '_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::CompoundFieldAccess { root, access_chain } = expr {
            let mut path: Vec<&Ident> = match root.as_ref() {
                Expr::Identifier(one) => vec![one],
                Expr::CompoundIdentifier(parts) => parts.iter().collect(),
                _ => Vec::new(),
            };
            for access in access_chain {
                match access {
                    AccessExpr::Dot(Expr::Identifier(one)) => path.push(one),
                    AccessExpr::Subscript(Subscript::Index { index: Expr::Value(place) })
                        if matches!(place.value, Value::Number(..)) =>
                    {
                        self.found.extend(self.list(&path).map(str::to_owned));
                        break;
                    }
                    _ => break,
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl Members<'_, '_> {
    /// The name of the list column that a path is.
    fn list<'p>(&self, path: &[&'p Ident]) -> Option<&'p str> {
        let (qualifier, name) = match path {
            [name] => (None, name),
            [qualifier, name] => (Some(*qualifier), name),
            _ => return None,
        };
        let is_list = |table: &Relation<'_>| {
            let column = table.table.column(&name.value);
            qualifier.is_none_or(|qualifier| table.is(qualifier))
                && column.is_some_and(|column| member_type(&column.data_type).is_some())
        };
        self.tables.iter().any(is_list).then_some(name.value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{catalog, table};
    use vitrine_domain::Dialect;

    #[test]
    fn one_member_in_a_sum_is_told() {
        let found = |sql: &str, dialect: Dialect| {
            let items = match dialect {
                Dialect::Duckdb => "STRUCT(price DOUBLE)[]",
                Dialect::Clickhouse => "Array(Tuple(price Float64))",
                _ => "ARRAY<STRUCT<price DOUBLE>>",
            };
            let columns = [("id", "INTEGER"), ("items", items), ("label", "TEXT")];
            let catalog = catalog(dialect, vec![table("orders", &columns, &["id"], &[])]);
            lists_by_one_member(&ReadOnlySql::parse(sql, dialect).unwrap(), &catalog)
        };
        for (sql, dialect) in [
            ("SELECT SUM(items[0].price) FROM orders", Dialect::Databricks),
            ("SELECT o.id, SUM(o.items[1].price) FROM orders o GROUP BY o.id", Dialect::Duckdb),
            ("SELECT COUNT(*) FROM orders o WHERE o.items[1].price > 5", Dialect::Clickhouse),
        ] {
            assert_eq!(found(sql, dialect), ["items"], "{sql}");
        }
        for (sql, dialect) in [
            // The first of each order is asked for, members are taken by a place of their own, or each by itself.
            ("SELECT id, items[0].price FROM orders", Dialect::Databricks),
            ("SELECT SUM(items[id].price) FROM orders", Dialect::Databricks),
            ("SELECT SUM(i.item.price) FROM orders, LATERAL explode(items) AS i(item)", Dialect::Databricks),
            ("SELECT COUNT(*), MAX(split(label, ' ')[0]) FROM orders", Dialect::Databricks),
            ("SELECT COUNT(*) FROM orders GROUP BY label[1]", Dialect::Duckdb),
        ] {
            assert!(found(sql, dialect).is_empty(), "{sql}");
        }
    }
}
