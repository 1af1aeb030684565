//! Names with a database or catalog as qualifier: the connection's own qualifier refers to its table, but another
//! qualifier does not, even if the name ends the same.

use crate::fixtures::catalog;
use vitrine_domain::{Catalog, Dialect};
use vitrine_sql::ast::each_select;
use vitrine_sql::{ReadOnlySql, bind_names, repair_names};

/// Returns a catalog with tables in `sales` of `shop`, with or without a schema in the table names.
fn shop(dialect: Dialect, path: &[&str], database: &str, schema: Option<&str>) -> Catalog {
    let mut catalog = catalog(dialect, "CREATE TABLE orders (id INT, total INT)");
    catalog.search_path = path.iter().map(|place| (*place).to_owned()).collect();
    catalog.database = database.to_owned();
    catalog.tables[0].name.schema = schema.map(str::to_owned);
    catalog
}

/// Returns the number of tables that rules see in a query, and the number of known columns that it uses.
fn known(name: &str, catalog: &Catalog) -> (usize, usize) {
    let sql = ReadOnlySql::parse(&format!("SELECT o.total FROM {name} AS o"), catalog.dialect).unwrap();
    let mut tables = 0;
    each_select(&sql, catalog, |_, _, relations| tables += relations.len());
    let bound = bind_names(&sql, catalog);
    assert_eq!(bound.problems, [], "{name}");
    assert_eq!(repair_names(&sql, catalog).map(|repaired| repaired.sql.as_str().to_owned()), None, "{name}");
    (tables, bound.columns.len())
}

#[test]
fn a_table_of_another_catalog_is_not_ones_own() {
    for (catalog, own, others) in [
        (
            shop(Dialect::Databricks, &["sales", "shop"], "shop.sales", None),
            &["orders", "sales.orders", "shop.sales.orders", "SHOP.Sales.orders"][..],
            &["main.sales.orders", "main.orders", "shop.main.orders", "shop.orders", "sales.sales.orders"][..],
        ),
        (
            shop(Dialect::Databricks, &[], "shop", Some("sales")),
            &["sales.orders", "shop.sales.orders"],
            &["main.sales.orders", "public.sales.orders"],
        ),
        (
            shop(Dialect::Bigquery, &["sales", "shop"], "sales", None),
            &["orders", "`shop.sales.orders`", "sales.orders"],
            &["`main.sales.orders`", "`sales.sales.orders`", "main.orders"],
        ),
        (
            shop(Dialect::Snowflake, &["SALES"], "SHOP", None),
            &["orders", "sales.orders", "shop.sales.orders"],
            &["public.orders", "main.sales.orders", "shop.public.orders", "sales.sales.orders"],
        ),
        (
            shop(Dialect::Snowflake, &[], "SHOP", Some("SALES")),
            &["orders", "sales.orders", "shop.sales.orders"],
            &["main.sales.orders"],
        ),
        (
            shop(Dialect::Postgres, &["public", "sales"], "shop", None),
            &["orders", "public.orders", "sales.orders", "shop.public.orders"],
            &["main.public.orders", "main.orders"],
        ),
        (
            shop(Dialect::Duckdb, &[], "shop", None),
            &["orders", "main.orders", "shop.main.orders", "public.orders"],
            &[],
        ),
        (shop(Dialect::Clickhouse, &["shop"], "shop", None), &["orders", "shop.orders"], &["public.orders"]),
    ] {
        for name in own {
            assert_eq!(known(name, &catalog), (1, 1), "{name} of {:?} {:?}", catalog.dialect, catalog.search_path);
        }
        for name in others {
            assert_eq!(known(name, &catalog), (0, 0), "{name} of {:?} {:?}", catalog.dialect, catalog.search_path);
        }
    }
}

#[test]
fn a_name_that_is_nowhere_is_still_repaired() {
    for (dialect, path) in [(Dialect::Databricks, &["sales", "shop"][..]), (Dialect::Snowflake, &["SALES"])] {
        let catalog = shop(dialect, path, "shop", None);
        let sql = ReadOnlySql::parse("SELECT total FROM your_catalog.sales.orders", dialect).unwrap();
        assert_eq!(bind_names(&sql, &catalog).problems.len(), 1);
        let repaired = repair_names(&sql, &catalog).unwrap_or_else(|| panic!("{dialect:?}"));
        assert_eq!(bind_names(&repaired.sql, &catalog).tables, [catalog.tables[0].name.name.as_str()]);
    }
}
