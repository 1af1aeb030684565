//! Queries before and after their values are merged.

use super::{Merging, ValueMerge, count_of_rows, find_categories, merge_values};
use crate::fixtures::{catalog_with, typed_table};
use vitrine_domain::{Catalog, Dialect, TableName};
use vitrine_sql::ReadOnlySql;

fn shop_catalog(dialect: Dialect) -> Catalog {
    let customers = typed_table("customers", &[("id", "INTEGER"), ("name", "TEXT"), ("country", "TEXT")], &["id"], &[]);
    let orders = typed_table(
        "orders",
        &[("id", "INTEGER"), ("customer_id", "INTEGER"), ("status", "TEXT"), ("total", "REAL")],
        &["id"],
        &[("customer_id", "customers", "id")],
    );
    let countries = typed_table("countries", &[("code", "TEXT"), ("region", "TEXT")], &["code"], &[]);
    catalog_with(dialect, vec![customers, orders, countries])
}

fn usa_merge() -> ValueMerge {
    let table = TableName::from_unqualified("customers");
    let others = ["USA", "U.S."].map(str::to_owned).to_vec();
    ValueMerge { table, column: "country".to_owned(), kept: "US".to_owned(), others }
}

fn parse_sql(sql: &str, dialect: Dialect) -> ReadOnlySql {
    ReadOnlySql::parse(sql, dialect).unwrap()
}

fn merge_sql(sql: &str) -> Merging {
    merge_values(&parse_sql(sql, Dialect::Postgres), &shop_catalog(Dialect::Postgres), &[usa_merge()])
}

fn sql_after_merge(sql: &str) -> String {
    let Merging::Changed(sql, used) = merge_sql(sql) else { panic!("{sql} gave {:?}", merge_sql(sql)) };
    assert_eq!(used, [usa_merge()]);
    // Merging is idempotent.
    assert_eq!(
        merge_values(&sql, &shop_catalog(Dialect::Postgres), &[usa_merge()]),
        Merging::Unneeded,
        "{}",
        sql.as_str()
    );
    let line = sql.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace("( ", "(").replace(" )", ")")
}

const CASE: &str = "CASE c.country WHEN 'USA' THEN 'US' WHEN 'U.S.' THEN 'US' ELSE c.country END";

#[test]
fn a_group_takes_all_values_and_keeps_the_columns_name() {
    let from = "FROM orders AS o JOIN customers AS c ON o.customer_id = c.id";
    assert_eq!(
        sql_after_merge(&format!(
            "SELECT c.country, SUM(o.total) AS t {from} GROUP BY c.country ORDER BY c.country, t"
        )),
        format!("SELECT {CASE} AS country, sum(o.total) AS t {from} GROUP BY {CASE} ORDER BY {CASE}, t")
    );
    assert_eq!(
        sql_after_merge(&format!("SELECT c.country AS land, COUNT(*) {from} GROUP BY land ORDER BY land")),
        format!("SELECT {CASE} AS land, count(*) {from} GROUP BY land ORDER BY land")
    );
    assert_eq!(
        sql_after_merge(&format!("SELECT c.country, COUNT(*) {from} GROUP BY 1 ORDER BY 2 DESC LIMIT 3")),
        format!("SELECT {CASE} AS country, count(*) {from} GROUP BY 1 ORDER BY 2 DESC LIMIT 3")
    );
    assert_eq!(
        sql_after_merge("SELECT DISTINCT c.country FROM customers AS c"),
        format!("SELECT DISTINCT {CASE} AS country FROM customers AS c")
    );
    assert_eq!(
        sql_after_merge("SELECT COUNT(DISTINCT c.country) FROM customers AS c"),
        format!("SELECT count(DISTINCT {CASE}) FROM customers AS c")
    );
}

#[test]
fn a_group_over_a_view_of_the_query_takes_all_values() {
    let written = "WITH v AS (SELECT c.country, o.total FROM orders AS o JOIN customers AS c ON o.customer_id = c.id) \
                   SELECT country, SUM(total) FROM v GROUP BY country";
    assert!(
        sql_after_merge(written).contains("GROUP BY CASE country WHEN 'USA' THEN 'US'"),
        "{}",
        sql_after_merge(written)
    );
    let grouped = "WITH v AS (SELECT country, COUNT(*) AS n FROM customers GROUP BY country) \
                   SELECT country, n FROM v WHERE country = 'USA'";
    let after = sql_after_merge(grouped);
    assert!(
        after.contains("GROUP BY CASE country") && after.ends_with("WHERE country IN ('USA', 'US', 'U.S.')"),
        "{after}"
    );
}

#[test]
fn a_comparison_takes_all_values() {
    for (written, expected) in [
        ("country = 'USA'", "country IN ('USA', 'US', 'U.S.')"),
        ("'USA' = country", "country IN ('USA', 'US', 'U.S.')"),
        ("country <> 'USA'", "NOT country IN ('USA', 'US', 'U.S.')"),
        ("country IN ('USA', 'Peru')", "country IN ('USA', 'Peru', 'US', 'U.S.')"),
        ("country NOT IN ('US')", "NOT country IN ('US', 'USA', 'U.S.')"),
        ("LOWER(country) = 'usa'", "(lower(country) = 'usa' OR country IN ('US', 'U.S.'))"),
        ("country = 'US' OR country = 'USA'", "country IN ('US', 'U.S.') OR country IN ('USA', 'U.S.')"),
        ("country ILIKE 'us%'", "(country ILIKE 'us%' OR country IN ('U.S.'))"),
        ("NOT country LIKE 'US%'", "NOT (country LIKE 'US%' OR country IN ('U.S.'))"),
    ] {
        let after = sql_after_merge(&format!("SELECT COUNT(*) FROM customers WHERE {written}"));
        let place = after.split(" WHERE ").nth(1).unwrap().replace("country NOT IN", "NOT country IN");
        assert_eq!(place, expected);
    }
    let part = sql_after_merge("SELECT SUM(CASE WHEN country = 'USA' THEN 1 ELSE 0 END) FROM customers");
    assert!(part.contains("WHEN country IN ('USA', 'US', 'U.S.') THEN 1"), "{part}");
}

#[test]
fn what_takes_all_values_or_none_stays() {
    for written in [
        "SELECT name, country FROM customers",
        "SELECT COUNT(*) FROM customers WHERE country = 'Peru'",
        "SELECT COUNT(*) FROM customers WHERE country IN ('US', 'USA', 'U.S.')",
        "SELECT COUNT(*) FROM customers WHERE country LIKE 'U%'",
        "SELECT COUNT(*) FROM customers WHERE country = 'US' OR country = 'USA' OR country = 'U.S.'",
        "SELECT status, COUNT(*) FROM orders GROUP BY status",
        "SELECT k.region, COUNT(*) FROM customers AS c JOIN countries AS k ON c.country = k.code GROUP BY k.region",
        "SELECT COUNT(*) FROM orders WHERE status = 'USA'",
        "WITH customers AS (SELECT status AS country FROM orders) SELECT country, COUNT(*) FROM customers GROUP BY country",
    ] {
        assert_eq!(merge_sql(written), Merging::Unneeded, "{written}");
    }
}

#[test]
fn what_would_lose_rows_is_left_alone() {
    for written in [
        "WITH v AS (SELECT country, COUNT(*) AS n FROM customers GROUP BY country) \
         SELECT c.name, v.n FROM customers AS c JOIN v ON v.country = c.country",
        "WITH v AS (SELECT country, COUNT(*) AS n FROM customers GROUP BY country) \
         SELECT v.n, k.region FROM v JOIN countries AS k ON v.country = k.code",
        "SELECT name FROM customers WHERE country IN (SELECT country FROM customers GROUP BY country HAVING COUNT(*) > 5)",
        "SELECT name FROM customers WHERE country = \
         (SELECT country FROM customers GROUP BY country ORDER BY COUNT(*) DESC LIMIT 1)",
        "SELECT CASE country WHEN 'USA' THEN 'home' ELSE 'abroad' END, COUNT(*) FROM customers GROUP BY country",
    ] {
        assert_eq!(merge_sql(written), Merging::Unfit, "{written}");
    }
}

#[test]
fn columns_are_found_by_which_a_query_groups_or_that_it_compares() {
    let found = |sql: &str| {
        let found = find_categories(&parse_sql(sql, Dialect::Sqlite), &shop_catalog(Dialect::Sqlite));
        found.into_iter().map(|own| (own.column, own.grouped, own.compared)).collect::<Vec<_>>()
    };
    assert_eq!(
        found(
            "SELECT c.country, COUNT(*) FROM customers c JOIN orders o ON o.customer_id = c.id WHERE o.status = 'paid' GROUP BY c.country"
        ),
        [("status".to_owned(), false, vec!["paid".to_owned()]), ("country".to_owned(), true, Vec::new())]
    );
    assert_eq!(found("SELECT name FROM customers"), Vec::new());
}

#[test]
fn rows_are_counted_before_they_are_grouped() {
    let sql =
        parse_sql("SELECT country, SUM(1) FROM customers WHERE name <> 'x' GROUP BY country LIMIT 3", Dialect::Sqlite);
    let counting = count_of_rows(&sql).unwrap();
    let line = counting.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(line, "SELECT COUNT(*) FROM customers WHERE name <> 'x'");
}
