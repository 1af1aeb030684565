//! Names of sources and tables.

use crate::support::{Desk, rows_of, run};
use std::sync::Arc;
use vitrine_federation::{FetchLimits, NameFault, check_source_name};
use vitrine_warehouse::{Warehouse, WarehouseError};

#[test]
fn a_name_is_a_plain_word_of_its_own() {
    for name in ["a", "shop_2", "Crm", "_x"] {
        assert_eq!(check_source_name(name), Ok(()), "{name}");
    }
    for name in ["", "1a", "my-db", "a.b", "größe", "a b", "\"a\""] {
        assert_eq!(check_source_name(name), Err(NameFault::NotAnIdentifier), "{name}");
    }
    for name in ["main", "TEMP", "system", "information_schema", "select", "Order", "memory"] {
        assert_eq!(check_source_name(name), Err(NameFault::Reserved), "{name}");
    }
}

#[tokio::test]
async fn tables_are_found_by_source_and_schema() {
    let desk = Desk::new();
    let script = "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1); CREATE SCHEMA sales; CREATE SCHEMA old;
        CREATE TABLE sales.b (x INTEGER); INSERT INTO sales.b VALUES (2); CREATE TABLE old.c (x INTEGER); CREATE TABLE sales.c (x INTEGER);
        CREATE TABLE \"Odd Name\" (\"a \"\"b\" INTEGER); INSERT INTO \"Odd Name\" VALUES (3);";
    let (one, two) = (
        desk.duckdb("one.duckdb", script),
        desk.sqlite("two.db", "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (9);"),
    );
    let warehouse = desk.join(&[("one", &one), ("two", &two)]).await;
    for (sql, expected) in [
        ("SELECT x FROM one.a", "1"),
        ("SELECT x FROM one.main.a", "1"),
        ("SELECT x FROM ONE.sales.B", "2"),
        ("SELECT x FROM one.b", "2"),
        ("SELECT x FROM two.a", "9"),
        ("SELECT one.a.x + two.a.x FROM one.a, two.a", "10"),
        ("SELECT \"a \"\"b\" FROM one.\"Odd Name\"", "3"),
        ("WITH a AS (SELECT x FROM one.a) SELECT x FROM a", "1"),
        ("SELECT 1 + 1", "2"),
        ("SELECT count(*) FROM range(3)", "3"),
        ("SELECT p.x + q.x + two.a.x FROM one.a p, one.main.a q, two.a", "11"),
    ] {
        assert_eq!(rows_of(&warehouse, sql).await.0, [[Some(expected.to_owned())]], "{sql}");
    }
    for (sql, said) in [
        ("SELECT * FROM a", "names no source"),
        ("SELECT * FROM three.a", "which does not exist"),
        ("SELECT * FROM one.missing", "has no table missing"),
        ("SELECT * FROM one.c", "several tables"),
        ("SELECT * FROM one.old.a", "has no table old.a"),
    ] {
        match run(&warehouse, sql).await {
            Err(WarehouseError::Join { message, hint }) => {
                assert!(message.contains(said) && !hint.is_empty(), "{message}")
            }
            other => panic!("{sql}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_query_is_checked_without_reading_rows() {
    let desk = Desk::new();
    let one = desk.sqlite("one.db", "CREATE TABLE a (x INTEGER, day DATE, price REAL, word TEXT);");
    let two = desk.file("two.csv", "x,target\n1,2.5\n");
    let warehouse = desk.join(&[("one", &one), ("two", &two)]).await;
    let catalog = warehouse.load_catalog().await.unwrap();
    let check = |sql: &str| vitrine_warehouse::prove_read_only(sql, &catalog).unwrap();
    let sql = "SELECT year(a.day) AS y, sum(a.price) AS p, max(a.word), sum(b.target) FROM one.a JOIN two.two b ON a.x = b.x GROUP BY 1";
    let checked = warehouse.check_query(&check(sql)).await.unwrap();
    let names: Vec<&str> = checked.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["y", "p", "max(a.word)", "sum(b.\"target\")"]);
    assert!(warehouse.check_query(&check("SELECT a.missing FROM one.a")).await.is_err());
    assert!(warehouse.last_reads().is_empty());
}

#[tokio::test]
async fn columns_that_differ_only_in_case_are_refused() {
    let desk = Desk::new();
    let one = desk.sqlite("one.db", "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1);");
    let two = desk.file("two.csv", "x\n1\n");
    let mut warehouse = desk.sources(&[("one", &one), ("two", &two)]).await;
    let catalog = Arc::make_mut(&mut warehouse[0].catalog);
    let mut again = catalog.tables[0].columns[0].clone();
    again.name = "X".to_owned();
    catalog.tables[0].columns.push(again);
    let warehouse = desk.compose(warehouse, FetchLimits::default());
    match run(&warehouse, "SELECT count(*) FROM one.a JOIN two.two b ON a.x = b.x").await {
        Err(WarehouseError::Join { message, hint }) => {
            assert!(message.contains("one.a.X") && !hint.is_empty(), "{message}")
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn tables_that_differ_only_in_case_are_refused() {
    let desk = Desk::new();
    let one = desk.sqlite("one.db", "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1);");
    let two = desk.file("two.csv", "x\n1\n");
    let mut warehouse = desk.sources(&[("one", &one), ("two", &two)]).await;
    let catalog = Arc::make_mut(&mut warehouse[0].catalog);
    let mut again = catalog.tables[0].clone();
    again.name.name = "A".to_owned();
    catalog.tables.push(again);
    let warehouse = desk.compose(warehouse, FetchLimits::default());
    match run(&warehouse, "SELECT p.x + q.x FROM one.a p JOIN one.\"A\" q ON p.x = q.x, two.two").await {
        Err(WarehouseError::Join { message, .. }) => assert!(message.contains("one.A"), "{message}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(rows_of(&warehouse, "SELECT p.x FROM one.a p, two.two").await.0, [[Some("1".to_owned())]]);
}
