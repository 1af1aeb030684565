//! Aggregates over one member of a list: `SUM(items[0].price)` silently ignores the other members.

use crate::by_place::ByPlace;
use crate::documents::{Step, parse_document_path};
use sqlparser::ast::{Expr, Visitor};
use std::ops::ControlFlow;
use vitrine_domain::{Catalog, Profile};
use vitrine_sql::ast::{Relation, collect_aggregate_names, each_select, resolve_column_table, visit_tree};
use vitrine_sql::{ReadOnlySql, member_type};

/// Returns the list columns, and document columns with lists, whose member at a fixed position an aggregating SELECT
/// accesses; as written, in order of appearance. A list of plain values in a document may be a tuple, such as
/// coordinates, so it is included only if the type of its column declares members.
pub(crate) fn lists_by_one_member(sql: &ReadOnlySql, catalog: &Catalog, profile: &Profile) -> Vec<String> {
    let mut found = Vec::new();
    each_select(sql, catalog, |_, select, tables| {
        if collect_aggregate_names(&select.projection).is_empty() {
            return;
        }
        let mut members = Members { tables, profile, found: Vec::new() };
        let _ = visit_tree(select, &mut members);
        found.extend(members.found);
    });
    found.dedup();
    found
}

struct Members<'a, 'c> {
    tables: &'a [Relation<'c>],
    profile: &'a Profile,
    found: Vec<String>,
}

impl Visitor for Members<'_, '_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        let list = ByPlace::from_expr(expr).and_then(|member| match member.list.as_slice() {
            [name] => self.find_list_column(None, &name.value),
            [qualifier, name] => self.find_list_column(Some(&qualifier.value), &name.value),
            _ => None,
        });
        self.found.extend(list.or_else(|| self.in_document(expr)));
        ControlFlow::Continue(())
    }
}

impl Members<'_, '_> {
    /// Returns the name of a list column: by its type, or because its documents are lists of documents in the profiled
    /// rows.
    fn find_list_column(&self, qualifier: Option<&str>, name: &str) -> Option<String> {
        let is_list = |table: &Relation<'_>| {
            let declared = table.table.find_column(name).is_some_and(|column| member_type(&column.data_type).is_some());
            let read = || self.profile.find_table(&table.table.name).and_then(|read| read.find_column(name));
            declared || read().is_some_and(|read| read.paths.iter().any(|(path, _)| path.starts_with("[].")))
        };
        let named =
            |table: &&Relation<'_>| qualifier.is_none_or(|qualifier| table.alias.eq_ignore_ascii_case(qualifier));
        self.tables.iter().filter(named).any(is_list).then(|| name.to_owned())
    }

    /// Returns the document column if an expression reads a key of one of its list members.
    fn in_document(&self, expr: &Expr) -> Option<String> {
        let (column, steps) = parse_document_path(expr)?;
        let one = steps.windows(2).any(|steps| matches!(steps, [Step::Place, Step::Key(_)]));
        let (_, name) = resolve_column_table(column, self.tables)?;
        one.then(|| name.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{catalog_with, typed_table};
    use vitrine_domain::{ColumnProfile, Dialect, TableName, TableProfile};

    #[test]
    fn one_member_in_a_sum_is_told() {
        let found = |sql: &str, dialect: Dialect| {
            let items = match dialect {
                Dialect::Duckdb => "STRUCT(price DOUBLE)[]",
                Dialect::Clickhouse => "Array(Tuple(price Float64))",
                _ => "ARRAY<STRUCT<price DOUBLE>>",
            };
            let columns = [("id", "INTEGER"), ("items", items), ("label", "TEXT")];
            let catalog = catalog_with(dialect, vec![typed_table("orders", &columns, &["id"], &[])]);
            lists_by_one_member(&ReadOnlySql::parse(sql, dialect).unwrap(), &catalog, &Profile::default())
        };
        for (sql, dialect) in [
            ("SELECT SUM(items[0].price) FROM orders", Dialect::Databricks),
            ("SELECT o.id, SUM(o.items[1].price) FROM orders o GROUP BY o.id", Dialect::Duckdb),
            ("SELECT COUNT(*) FROM orders o WHERE o.items[1].price > 5", Dialect::Clickhouse),
            ("SELECT SUM(items[OFFSET(0)].price) FROM orders", Dialect::Bigquery),
            ("SELECT SUM(element_at(items, 1).price) FROM orders", Dialect::Trino),
        ] {
            assert_eq!(found(sql, dialect), ["items"], "{sql}");
        }
        for (sql, dialect) in [
            // The first member of each order is requested, members have computed positions, or each is shown
            // separately.
            ("SELECT id, items[0].price FROM orders", Dialect::Databricks),
            ("SELECT SUM(items[id].price) FROM orders", Dialect::Databricks),
            ("SELECT SUM(i.item.price) FROM orders, LATERAL explode(items) AS i(item)", Dialect::Databricks),
            ("SELECT COUNT(*), MAX(split(label, ' ')[0]) FROM orders", Dialect::Databricks),
            ("SELECT COUNT(*) FROM orders GROUP BY label[1]", Dialect::Duckdb),
        ] {
            assert!(found(sql, dialect).is_empty(), "{sql}");
        }
    }
    #[test]
    fn one_member_of_a_list_in_documents_is_told_and_a_pair_of_numbers_is_not() {
        let found = |sql: &str, dialect: Dialect| {
            let of = |name: &str, paths: &[&str]| ColumnProfile {
                name: name.into(),
                paths: paths.iter().map(|path| ((*path).to_owned(), "integer".to_owned())).collect(),
                ..ColumnProfile::default()
            };
            let columns =
                vec![of("items", &["[].sku", "[].price"]), of("place", &["at[]"]), of("doc", &["items[].price"])];
            let read = TableProfile {
                table: TableName::from_unqualified("orders"),
                row_count: None,
                profiled_rows: 6,
                columns,
            };
            let profile = Profile { tables: vec![read], ..Profile::default() };
            let of_type = if dialect == Dialect::Snowflake { "VARIANT" } else { "JSON" };
            let columns = ["items", "place", "doc"].map(|name| (name, of_type));
            let catalog = catalog_with(dialect, vec![typed_table("orders", &columns, &[], &[])]);
            lists_by_one_member(&ReadOnlySql::parse(sql, dialect).unwrap(), &catalog, &profile)
        };
        for (sql, dialect, column) in [
            ("SELECT SUM(t.items[0].price) FROM orders AS t", Dialect::Snowflake, "items"),
            ("SELECT SUM(items[0]:price::INT) FROM orders", Dialect::Snowflake, "items"),
            ("SELECT SUM(doc:items[0].price::INT) FROM orders", Dialect::Snowflake, "doc"),
            ("SELECT SUM((items->0->>'price')::int) FROM orders", Dialect::Postgres, "items"),
            ("SELECT SUM(json_extract(doc, '$.items[0].price')) FROM orders", Dialect::Sqlite, "doc"),
            ("SELECT SUM(CAST(JSON_VALUE(items, '$[0].price') AS INT)) FROM orders", Dialect::Mssql, "items"),
        ] {
            assert_eq!(found(sql, dialect).first().map(String::as_str), Some(column), "{sql}");
        }
        for (sql, dialect) in [
            ("SELECT AVG(place:at[0]::FLOAT) FROM orders", Dialect::Snowflake),
            ("SELECT AVG((place->'at'->>0)::float) FROM orders", Dialect::Postgres),
            ("SELECT json_extract(items, '$[0].price') FROM orders", Dialect::Sqlite),
            ("SELECT SUM(JSON_EXTRACT(items, '$[*].price')) FROM orders", Dialect::Mysql),
        ] {
            assert!(found(sql, dialect).is_empty(), "{sql}");
        }
    }
}
