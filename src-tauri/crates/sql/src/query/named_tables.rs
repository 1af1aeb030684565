//! Names of the tables that a query reads, as written.

use crate::ast::visit_tree;
use crate::dialect::{DialectExt, UnquotedCase};
use crate::read_only::ReadOnlySql;
use sqlparser::ast::{Ident, ObjectName, ObjectNamePart, Query, SetExpr, TableFactor, Visitor, visit_relations};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use vitrine_domain::Dialect;

/// Returns the names of all database tables and views in a query, each as its parts, outermost first. CTE names are
/// left out within their scope. Names are in lower case unless quoted if the engine stores them so. `None` if only the
/// engine can parse the query, or if a part of a name is computed.
pub fn named_tables(sql: &ReadOnlySql) -> Option<Vec<Vec<String>>> {
    let dialect = sql.dialect();
    sql.with_query(|query| {
        let mut finder = Finder { dialect, bodies: HashMap::new(), seen: Vec::new(), found: Vec::new() };
        match visit_tree(&query, &mut finder) {
            ControlFlow::Continue(()) => Some(finder.found),
            ControlFlow::Break(()) => None,
        }
    })?
}

type NameSet = HashSet<String>;

struct Finder {
    dialect: Dialect,
    /// CTE names visible in the query of each CTE, by the address of that query in the tree.
    bodies: HashMap<*const Query, NameSet>,
    /// CTE names visible in each enclosing query, innermost last.
    seen: Vec<NameSet>,
    found: Vec<Vec<String>>,
}

impl Finder {
    fn stores_lower_case(&self) -> bool {
        self.dialect.sql().unquoted_case() == UnquotedCase::Lower
    }

    fn stored_name(&self, ident: &Ident) -> String {
        if self.stores_lower_case() && ident.quote_style.is_none() {
            ident.value.to_lowercase()
        } else {
            ident.value.clone()
        }
    }

    /// Returns the form in which CTE names are compared.
    fn comparison_key(&self, ident: &Ident) -> String {
        if self.stores_lower_case() { self.stored_name(ident) } else { ident.value.to_lowercase() }
    }

    /// Returns true if an operand reads something by this name alone.
    fn names_alone(&self, operand: &SetExpr, key: &str) -> bool {
        let is_it = |name: &ObjectName| match name.0.as_slice() {
            [ObjectNamePart::Identifier(only)] if self.comparison_key(only) == key => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        visit_relations(operand, is_it).is_break()
    }

    fn name_parts<'n>(&self, name: &'n ObjectName) -> Option<Vec<&'n Ident>> {
        name.0.iter().map(ObjectNamePart::as_ident).collect()
    }
}

/// Returns the part of a recursive view that does not read the view itself.
fn start_of(query: &Query) -> &SetExpr {
    match query.body.as_ref() {
        SetExpr::SetOperation { left, .. } => left,
        SetExpr::Query(inner) => start_of(inner),
        whole => whole,
    }
}

impl Visitor for Finder {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let outside = match self.bodies.remove(&std::ptr::from_ref(query)) {
            Some(names) => names,
            None => self.seen.last().cloned().unwrap_or_default(),
        };
        let mut names = outside;
        if let Some(with) = &query.with {
            let own: Vec<String> = with.cte_tables.iter().map(|cte| self.comparison_key(&cte.alias.name)).collect();
            let dialect = self.dialect.sql();
            if with.recursive && dialect.recursive_views_see_later_views() {
                names.extend(own.iter().cloned());
            }
            for (cte, name) in with.cte_tables.iter().zip(own) {
                // A CTE that is not recursive reads the table of its own name.
                let mut inside = names.clone();
                if with.recursive {
                    if dialect.recursive_views_start_from_tables() && self.names_alone(start_of(&cte.query), &name) {
                        self.found.push(vec![cte.alias.name.value.clone()]);
                    }
                    inside.insert(name.clone());
                }
                self.bodies.insert(std::ptr::from_ref(cte.query.as_ref()), inside);
                names.insert(name);
            }
        }
        self.seen.push(names);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.seen.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        // With arguments it is a function; the read-only proof checks functions separately.
        let TableFactor::Table { name, args: None, .. } = factor else { return ControlFlow::Continue(()) };
        let Some(parts) = self.name_parts(name) else { return ControlFlow::Break(()) };
        if let [only] = parts.as_slice() {
            let key = self.comparison_key(only);
            if self.seen.last().is_some_and(|names| names.contains(&key)) {
                return ControlFlow::Continue(());
            }
        }
        // A whole path may be quoted as one.
        let split = |part: &Ident| match part.quote_style == Some('`') && self.dialect.sql().has_quoted_paths() {
            true => part.value.split('.').map(str::to_owned).collect(),
            false => vec![self.stored_name(part)],
        };
        let name = parts.into_iter().flat_map(split).collect();
        self.found.push(name);
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table_names(sql: &str, dialect: Dialect) -> Vec<String> {
        let sql = ReadOnlySql::parse(sql, dialect).unwrap_or_else(|error| panic!("{sql}: {error}"));
        named_tables(&sql).unwrap().iter().map(|parts| parts.join(".")).collect()
    }

    #[test]
    fn every_table_is_found_wherever_it_is_read() {
        let mut found = table_names(
            "WITH a AS (SELECT * FROM Sales.Orders) SELECT (SELECT max(x) FROM \"Top\") FROM a JOIN b ON a.id = b.id
             WHERE a.id IN (SELECT id FROM hidden.pay) UNION SELECT 1 FROM generate_series(1, 2), c",
            Dialect::Postgres,
        );
        found.sort();
        assert_eq!(found, ["Top", "b", "c", "hidden.pay", "sales.orders"]);
    }

    #[test]
    fn a_name_of_with_hides_a_table_only_where_it_is_seen() {
        for sql in [
            "WITH pay AS (SELECT * FROM pay) SELECT * FROM pay",
            "SELECT * FROM pay, (WITH pay AS (SELECT 1) SELECT * FROM pay) AS x",
            "WITH a AS (SELECT * FROM pay), pay AS (SELECT 1) SELECT * FROM a, pay",
        ] {
            assert_eq!(table_names(sql, Dialect::Postgres), ["pay"], "{sql}");
        }
        assert!(table_names("WITH pay AS (SELECT 1) SELECT * FROM PAY", Dialect::Postgres).is_empty());
        assert!(
            table_names(
                "WITH RECURSIVE n AS (SELECT 1 AS x UNION SELECT x + 1 FROM n WHERE x < 9) SELECT * FROM n",
                Dialect::Postgres
            )
            .is_empty()
        );
        assert!(
            table_names("WITH Pay AS (SELECT 1) SELECT * FROM (SELECT * FROM pay) AS x", Dialect::Duckdb).is_empty()
        );
        assert_eq!(table_names("WITH \"Pay\" AS (SELECT 1) SELECT * FROM pay", Dialect::Postgres), ["pay"]);
    }

    #[test]
    fn a_recursive_with_hides_a_table_only_where_the_engine_reads_a_view() {
        let later = "WITH RECURSIVE a AS (SELECT * FROM pay), pay AS (SELECT 1) SELECT * FROM a";
        let start = "WITH RECURSIVE pay AS (SELECT * FROM pay UNION ALL SELECT 1) SELECT * FROM pay";
        for (dialect, sql, found) in [
            (Dialect::Duckdb, later, 1),
            (Dialect::Mysql, later, 1),
            (Dialect::Postgres, later, 0),
            (Dialect::Sqlite, later, 0),
            (Dialect::Duckdb, start, 1),
            (Dialect::Duckdb, "WITH RECURSIVE pay AS (SELECT * FROM pay) SELECT * FROM pay", 1),
            (Dialect::Postgres, start, 0),
            (Dialect::Duckdb, "WITH RECURSIVE n AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM n) SELECT * FROM n", 0),
        ] {
            assert_eq!(table_names(sql, dialect).len(), found, "{dialect:?}: {sql}");
        }
    }

    #[test]
    fn a_path_in_one_pair_of_quotes_is_split() {
        let sql = "SELECT * FROM `shop.sales.INFORMATION_SCHEMA.TABLES`";
        assert_eq!(table_names(sql, Dialect::Bigquery), ["shop.sales.INFORMATION_SCHEMA.TABLES"]);
        let sql = ReadOnlySql::parse(sql, Dialect::Bigquery).unwrap();
        assert_eq!(named_tables(&sql).unwrap()[0].len(), 4);
    }
}
