//! Everyday queries of cloud data warehouses, as people and models write them: each is accepted, all its names bind, no
//! rule changes or doubts it, and each column of its result has a known source.

use crate::shop::{catalog, input};
use vitrine_domain::{Catalog, Dialect, Profile};
use vitrine_sql::{ReadOnlySql, bind_names, repair_names};
use vitrine_sql_rules::{QuestionFacts, apply_safe_rules, collect_findings, find_variants};

/// Returns the faults in the analysis of a query.
fn faults(sql: &str, catalog: &Catalog) -> Vec<String> {
    let proven = match ReadOnlySql::parse(sql, catalog.dialect) {
        Ok(proven) => proven,
        Err(refused) => return vec![format!("refused: {refused}")],
    };
    let (profile, facts) = (Profile::default(), QuestionFacts::default());
    let input = input(catalog, &profile, &facts);
    let bound = bind_names(&proven, catalog);
    let mut faults: Vec<String> = bound.problems.iter().map(|problem| format!("does not bind: {problem}")).collect();
    faults.extend(repair_names(&proven, catalog).map(|repaired| format!("renamed: {}", repaired.sql.as_str())));
    faults.extend(apply_safe_rules(&proven, &input).map(|changed| format!("changed: {}", changed.sql.as_str())));
    faults.extend(
        find_variants(&proven, &input).into_iter().map(|variant| format!("beside it: {}", variant.sql.as_str())),
    );
    faults.extend(collect_findings(&proven, &input).into_iter().map(|found| format!("doubted: {}", found.note)));
    // Constants and row counts have no source column.
    let made = |name: &str| {
        ["count(", "row_number(", "rank()", "1", "i", "n", "d"].iter().any(|own| name.to_lowercase().starts_with(own))
    };
    if std::env::var("SHOW").is_ok() {
        for output in bound.outputs.iter().filter(|output| output.sources.is_empty() && !made(&output.name)) {
            println!("{sql}\n     {}", output.name);
        }
    }
    faults
}

fn are_read(queries: &str, catalog: &Catalog) {
    let mut wrong = Vec::new();
    for sql in queries.lines() {
        let sql = sql.trim_end_matches(';');
        let faults = faults(sql, catalog);
        if !faults.is_empty() {
            wrong.push(format!("{sql}\n    {}", faults.join("\n    ")));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// Syntax that this parser does not support is rejected and never read differently.
#[test]
fn what_is_not_read_is_refused() {
    for (dialect, sql) in [
        (
            Dialect::Clickhouse,
            "WITH (SELECT max(total) FROM orders) AS most SELECT order_id FROM orders WHERE total = most",
        ),
        (Dialect::Clickhouse, "SELECT total > 10 ? 'x' : 'y' FROM orders"),
        (Dialect::Databricks, "SELECT o.* EXCEPT (o.status) FROM orders AS o"),
        (Dialect::Databricks, "SELECT ordered_at + INTERVAL 1 DAY 2 HOURS FROM orders"),
        (Dialect::Snowflake, "SELECT * FROM orders MATCH_RECOGNIZE (PATTERN (a) DEFINE a AS total > 1)"),
        (Dialect::Bigquery, "FROM orders |> WHERE total > 5"),
    ] {
        assert!(ReadOnlySql::parse(sql, dialect).is_err(), "{sql}");
    }
}

#[test]
fn of_clickhouse() {
    let tables = "CREATE TABLE customers (customer_id UInt64, name String, city String, place Tuple(city String, zip String));
        CREATE TABLE orders (order_id UInt64, customer_id UInt64, status String, channel String, total Float64, ordered_at DateTime,
          items Array(Tuple(sku String, qty UInt32, price Float64)), tags Array(String), attrs Map(String, String), data String);
        CREATE TABLE prices (order_id UInt64, price Float64, since DateTime);";
    are_read(include_str!("everyday/clickhouse.sql"), &catalog(Dialect::Clickhouse, tables));
}

#[test]
fn of_databricks() {
    let tables = "CREATE TABLE customers (customer_id BIGINT, name STRING, city STRING,
          place STRUCT<city: STRING, zip: STRING, geo: STRUCT<lat: DOUBLE, lon: DOUBLE>>);
        CREATE TABLE orders (order_id BIGINT, customer_id BIGINT, status STRING, channel STRING, total DOUBLE, ordered_at TIMESTAMP,
          day DATE, items ARRAY<STRUCT<sku: STRING, qty: INT, price: DOUBLE>>, tags ARRAY<STRING>, attrs MAP<STRING, STRING>,
          data VARIANT, doc STRING);
        CREATE TABLE quarters (shop STRING, q1 DOUBLE, q2 DOUBLE, q3 DOUBLE);";
    let catalog = Catalog { search_path: vec!["sales".into(), "main".into()], ..catalog(Dialect::Databricks, tables) };
    are_read(include_str!("everyday/databricks.sql"), &catalog);
}

#[test]
fn of_snowflake() {
    let tables = "CREATE TABLE CUSTOMERS (CUSTOMER_ID NUMBER, NAME VARCHAR, CITY VARCHAR);
        CREATE TABLE ORDERS (ORDER_ID NUMBER, CUSTOMER_ID NUMBER, STATUS VARCHAR, CHANNEL VARCHAR, TOTAL NUMBER(12, 2),
          ORDERED_AT TIMESTAMP_NTZ, DAY DATE, ITEMS ARRAY, TAGS ARRAY, DATA VARIANT, NOTE VARCHAR);
        CREATE TABLE PRICES (ORDER_ID NUMBER, PRICE NUMBER(12, 2), SINCE TIMESTAMP_NTZ);
        CREATE TABLE QUARTERS (SHOP VARCHAR, Q1 NUMBER, Q2 NUMBER, Q3 NUMBER);";
    let catalog = Catalog { search_path: vec!["SALES".into(), "SHOP".into()], ..catalog(Dialect::Snowflake, tables) };
    are_read(include_str!("everyday/snowflake.sql"), &catalog);
}

#[test]
fn of_bigquery() {
    let tables = "CREATE TABLE customers (customer_id INT64, name STRING, city STRING,
          place STRUCT<city STRING, zip STRING, geo STRUCT<lat FLOAT64, lon FLOAT64>>);
        CREATE TABLE orders (order_id INT64, customer_id INT64, status STRING, channel STRING, total FLOAT64, ordered_at TIMESTAMP,
          day DATE, items ARRAY<STRUCT<sku STRING, qty INT64, price FLOAT64>>, tags ARRAY<STRING>, data JSON, note STRING);
        CREATE TABLE prices (order_id INT64, price FLOAT64, since TIMESTAMP);
        CREATE TABLE quarters (shop STRING, q1 FLOAT64, q2 FLOAT64, q3 FLOAT64);
        CREATE TABLE `events_*` (name STRING, at TIMESTAMP, _TABLE_SUFFIX STRING);";
    let catalog = Catalog { search_path: vec!["sales".into(), "shop-1".into()], ..catalog(Dialect::Bigquery, tables) };
    are_read(include_str!("everyday/bigquery.sql"), &catalog);
}
