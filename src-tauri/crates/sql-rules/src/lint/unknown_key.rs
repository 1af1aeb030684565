//! Keys that no row has: `address->>'Country'` in documents with `country`. Engines silently return NULL for it. If
//! only some rows were profiled, others may have the key, so nothing is reported.

use crate::documents::{ANY, Step, by_dots, parse_document_path};
use sqlparser::ast::{Expr, Visitor};
use std::ops::ControlFlow;
use vitrine_domain::{Catalog, Dialect, Profile, Table};
use vitrine_sql::ReadOnlySql;
use vitrine_sql::ast::{Relation, each_select, resolve_column_table, visit_tree};

/// Maximum number of existing keys that are listed.
const TOLD: usize = 8;
/// Maximum number of paths in a profile; with this number, there may be more.
const MOST_PLACES: usize = 60;

/// A key that a query reads in a column's documents and that none of them has.
#[derive(Debug, PartialEq)]
pub(crate) struct UnknownKey {
    pub column: String,
    pub key: String,
    /// Keys that exist at this position.
    pub known: Vec<String>,
}

/// Returns the first such key.
pub(crate) fn unknown_key(sql: &ReadOnlySql, catalog: &Catalog, profile: &Profile) -> Option<UnknownKey> {
    let mut found = None;
    each_select(sql, catalog, |_, select, tables| {
        let mut keys = Keys { tables, dialect: catalog.dialect, profile, found: None };
        let _ = visit_tree(select, &mut keys);
        found = found.take().or(keys.found);
    });
    found
}

struct Keys<'a, 'c> {
    tables: &'a [Relation<'c>],
    dialect: Dialect,
    profile: &'a Profile,
    found: Option<UnknownKey>,
}

impl Visitor for Keys<'_, '_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Some((table, name, steps)) = self.resolve_document_path(expr)
            && let Some(read) = self.profile.find_table(&table.name)
            && read.row_count == Some(read.profiled_rows)
            && let Some(known) = read.find_column(name).filter(|known| known.paths.len() < MOST_PLACES)
        {
            let places: Vec<Vec<Step>> = known.paths.iter().filter_map(|(path, _)| Step::of_profile(path)).collect();
            self.found = find_missing_key(&steps, &places).map(|(key, known)| UnknownKey {
                column: name.to_owned(),
                key,
                known,
            });
        }
        if self.found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<'c> Keys<'_, 'c> {
    /// Returns the table and column of an expression, and the path that it reads in the document.
    fn resolve_document_path<'e>(&self, expr: &'e Expr) -> Option<(&'c Table, &'e str, Vec<Step>)> {
        if let Expr::CompoundIdentifier(path) = expr {
            let (relation, column, keys) = by_dots(path, self.tables, self.dialect)?;
            return Some((
                relation.table,
                &column.value,
                keys.iter().map(|key| Step::Key(key.value.clone())).collect(),
            ));
        }
        let (column, steps) = parse_document_path(expr)?;
        let (table, name) = resolve_column_table(column, self.tables)?;
        Some((table, name, steps))
    }
}

/// Returns the first key of a path that no known place has, with the keys that exist there. `None` if the profile is
/// inconclusive.
fn find_missing_key(steps: &[Step], places: &[Vec<Step>]) -> Option<(String, Vec<String>)> {
    for (at, step) in steps.iter().enumerate() {
        let Step::Key(key) = step else { continue };
        let reached = places
            .iter()
            .filter(|place| place.len() > at && place.iter().zip(&steps[..at]).all(|(a, b)| a.leads_as(b)));
        let mut known: Vec<&str> = reached
            .filter_map(|place| match &place[at] {
                Step::Key(key) => Some(key.as_str()),
                Step::Member | Step::Place => None,
            })
            .collect();
        known.dedup();
        // A path may also refer to all keys.
        if known.is_empty() || known.contains(&ANY) || key == ANY {
            return None;
        }
        if !known.contains(&key.as_str()) {
            return Some((key.clone(), known.into_iter().take(TOLD).map(str::to_owned).collect()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{catalog_with, typed_table};
    use vitrine_domain::{ColumnProfile, TableName, TableProfile};

    /// Returns the finding for customers with documents whose paths are all known.
    fn find_unknown_key(sql: &str, dialect: Dialect) -> Option<String> {
        found_of(sql, dialect, Some(6))
    }

    /// Returns the finding for a table of `row_count` rows with six profiled rows.
    fn found_of(sql: &str, dialect: Dialect, row_count: Option<u64>) -> Option<String> {
        let of = |name: &str, paths: &[&str]| ColumnProfile {
            name: name.into(),
            paths: paths.iter().map(|path| ((*path).to_owned(), "text".to_owned())).collect(),
            ..ColumnProfile::default()
        };
        let columns = vec![
            of("address", &["city", "country", "geo.lat", "\"post code\""]),
            of("items", &["[].sku", "[].price"]),
            of("prices", &["*"]),
            of("notes", &[]),
        ];
        let known =
            TableProfile { table: TableName::from_unqualified("customers"), row_count, profiled_rows: 6, columns };
        let profile = Profile { tables: vec![known], ..Profile::default() };
        let of_type = if dialect == Dialect::Snowflake { "VARIANT" } else { "JSON" };
        let names = ["address", "items", "prices", "notes"].map(|name| (name, of_type));
        let catalog = catalog_with(dialect, vec![typed_table("customers", &names, &[], &[])]);
        unknown_key(&ReadOnlySql::parse(sql, dialect).unwrap(), &catalog, &profile)
            .map(|found| format!("{}.{} of {}", found.column, found.key, found.known.join(" ")))
    }

    #[test]
    fn a_key_that_no_row_has_is_told_with_those_that_there_are() {
        for (sql, dialect, wanted) in [
            (
                "SELECT c.address:COUNTRY::STRING FROM customers c",
                Dialect::Snowflake,
                "address.COUNTRY of city country geo post code",
            ),
            (
                "SELECT COUNT(*) FROM customers c WHERE c.address.VARIANT LIKE '%Peru%'",
                Dialect::Snowflake,
                "address.VARIANT of city country geo post code",
            ),
            (
                "SELECT c.address.Country FROM customers AS c",
                Dialect::Bigquery,
                "address.Country of city country geo post code",
            ),
            ("SELECT COUNT(*) FROM customers WHERE address.geo.lon > 8", Dialect::Clickhouse, "address.lon of lat"),
            (
                "SELECT COUNT(*) FROM customers WHERE address->>'Country' = 'Peru'",
                Dialect::Postgres,
                "address.Country of city country geo post code",
            ),
            ("SELECT json_extract(c.address, '$.geo.lon') FROM customers c", Dialect::Sqlite, "address.lon of lat"),
            ("SELECT address->'geo'->>'Lat' FROM customers", Dialect::Postgres, "address.Lat of lat"),
            (
                "SELECT JSON_UNQUOTE(JSON_EXTRACT(items, '$[0].name')) FROM customers",
                Dialect::Mysql,
                "items.name of sku price",
            ),
            (
                "SELECT JSON_VALUE(address, '$.town') FROM customers",
                Dialect::Mssql,
                "address.town of city country geo post code",
            ),
        ] {
            assert_eq!(find_unknown_key(sql, dialect).as_deref(), Some(wanted), "{sql}");
        }
    }

    #[test]
    fn what_the_rows_have_or_say_nothing_of_is_no_finding() {
        for (sql, dialect) in [
            (
                "SELECT address:country::STRING, address:geo.lat::FLOAT, address:\"post code\" FROM customers",
                Dialect::Snowflake,
            ),
            ("SELECT items[0]:sku::STRING FROM customers", Dialect::Snowflake),
            ("SELECT address.country, c.address.geo.lat, c.notes.any FROM customers AS c", Dialect::Bigquery),
            (
                "SELECT json_extract(address, '$.geo'), json_extract(items, '$[1].price') FROM customers",
                Dialect::Sqlite,
            ),
            ("SELECT address->>'$.city', prices->>'2024-01-01', notes->>'anything' FROM customers", Dialect::Duckdb),
            ("SELECT json_extract(address, '$.*') FROM customers", Dialect::Sqlite),
            ("SELECT items->>'length' FROM customers", Dialect::Duckdb),
            ("SELECT json_extract(address, '$.' || notes) FROM customers", Dialect::Sqlite),
        ] {
            assert_eq!(find_unknown_key(sql, dialect), None, "{sql}");
        }
        let sql = "SELECT address->>'error' FROM customers";
        assert!(found_of(sql, Dialect::Postgres, Some(6)).is_some());
        assert!([Some(7), None].into_iter().all(|rows| found_of(sql, Dialect::Postgres, rows).is_none()));
    }
}
