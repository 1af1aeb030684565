//! SQLite, DuckDB and CSV files.

use crate::queries::{QUERIES, insert_rows, reference_script, targets_csv};
use crate::support::{Desk, compare, is_empty_folder, rows_of};

const SQLITE_SHOP: &str = "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, country TEXT COLLATE NOCASE);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, region TEXT, amount REAL, qty INTEGER, ordered DATE, note TEXT);\n";

fn sqlite_shop(desk: &Desk) -> String {
    desk.sqlite("shop.db", &(SQLITE_SHOP.to_owned() + &insert_rows("", |day| format!("'{day}'"))))
}

#[tokio::test]
async fn sqlite_and_csv_give_what_one_database_gives() {
    let desk = Desk::new();
    let (shop, plan) = (sqlite_shop(&desk), desk.file("targets.csv", &targets_csv()));
    let reference = desk.duckdb("reference.duckdb", &reference_script());
    let warehouse = desk.join(&[("shop", &shop), ("plan", &plan)]).await;
    compare(&warehouse, &reference, QUERIES).await;
    assert!(is_empty_folder(&desk.path("results")), "the files of a query are removed with its result");
}

#[tokio::test]
async fn duckdb_and_csv_give_what_one_database_gives() {
    let desk = Desk::new();
    let script = "CREATE TABLE customers (id BIGINT PRIMARY KEY, name VARCHAR, country VARCHAR);
        CREATE TABLE orders (id BIGINT PRIMARY KEY, customer_id BIGINT, region VARCHAR, amount DOUBLE, qty BIGINT, ordered DATE, note VARCHAR);\n";
    let rows = insert_rows("", |day| format!("DATE '{day}'"));
    let shop = desk.duckdb("shop.duckdb", &(script.to_owned() + &rows));
    let plan = desk.file("targets.csv", &targets_csv());
    let reference = desk.duckdb("reference.duckdb", &reference_script());
    let warehouse = desk.join(&[("shop", &shop), ("plan", &plan)]).await;
    compare(&warehouse, &reference, QUERIES).await;
}

#[tokio::test]
async fn a_source_receives_only_the_columns_and_conditions_that_it_needs() {
    let desk = Desk::new();
    let (shop, plan) = (sqlite_shop(&desk), desk.file("targets.csv", &targets_csv()));
    let warehouse = desk.join(&[("shop", &shop), ("plan", &plan)]).await;
    let sql = "SELECT o.id, t.target FROM shop.orders o JOIN plan.targets t ON o.region = t.region
               WHERE o.qty = 4 AND o.region = 'South' AND t.target > 100";
    let (rows, reads) = rows_of(&warehouse, sql).await;
    assert_eq!(reads.len(), 2);
    let (own, other) = (&reads[0], &reads[1]);
    assert!(own.sql.contains("WHERE") && own.sql.contains("qty = 4") && !own.sql.contains("amount"), "{}", own.sql);
    assert!(own.rows < 20 && own.rows * 2 == rows.len() as u64, "{own:?}");
    assert!(other.sql.contains("target > 100") && other.rows == 2, "{other:?}");
}

#[tokio::test]
async fn groups_stay_at_the_source() {
    let desk = Desk::new();
    let script = "CREATE TABLE sales (id INTEGER PRIMARY KEY, region TEXT, day DATE, amount REAL, qty INTEGER);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
        INSERT INTO sales SELECT i, 'R' || (i % 10), date('2024-01-01', (i % 365) || ' days'), (i % 100) / 4.0, i % 7 FROM n;";
    let shop = desk.sqlite("large.db", script);
    let plan = desk.file("targets.csv", "region,target\nR1,5\nR2,6\nR99,7\n");
    let warehouse = desk.join(&[("shop", &shop), ("plan", &plan)]).await;
    for sql in [
        "SELECT t.region, t.target, sum(s.amount) AS total, count(*) AS n FROM plan.targets t JOIN shop.sales s ON s.region = t.region GROUP BY 1, 2",
        "SELECT t.region, t.target, sum(s.amount) AS total FROM plan.targets t LEFT JOIN shop.sales s USING (region) GROUP BY ALL",
        "SELECT s.region, s.total FROM (SELECT region, sum(amount * qty) AS total FROM shop.sales WHERE qty > 2 GROUP BY region) s JOIN plan.targets t ON t.region = s.region",
        "SELECT avg(s.amount), count(*) FROM shop.sales s WHERE s.region = 'R1'",
    ] {
        let (rows, reads) = rows_of(&warehouse, sql).await;
        let fetched: u64 = reads.iter().filter(|read| read.source == "shop").map(|read| read.rows).sum();
        assert!(!rows.is_empty() && fetched <= 20, "{fetched}: {reads:?}");
    }
    let few = "SELECT s.id, t.target FROM shop.sales s JOIN plan.targets t ON s.region = t.region WHERE t.target = 5";
    let (rows, reads) = rows_of(&warehouse, few).await;
    let own = reads.iter().find(|read| read.source == "shop").unwrap();
    assert!(rows.len() == 20_000 && own.rows == 20_000, "the regions of the targets limit the sales: {reads:?}");
    let by_month =
        "SELECT month(s.day) AS m, sum(s.amount) AS total FROM shop.sales s WHERE s.day >= '2024-06-01' GROUP BY 1";
    let (rows, reads) = rows_of(&warehouse, by_month).await;
    assert!(rows.len() == 7 && reads[0].rows <= 365, "{reads:?}");
    let (rows, reads) = rows_of(&warehouse, "SELECT * FROM shop.sales LIMIT 5").await;
    assert!(rows.len() == 5 && reads[0].rows == 5, "{reads:?}");
    let (rows, reads) = rows_of(&warehouse, "SELECT id FROM shop.sales WHERE qty = 3 LIMIT 5 OFFSET 2").await;
    assert!(rows.len() == 5 && reads[0].rows == 7, "{reads:?}");
}

#[tokio::test]
async fn odd_values_of_sqlite_are_neither_lost_nor_counted_as_zero() {
    let desk = Desk::new();
    let script = "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, word TEXT, day DATE);
        INSERT INTO t VALUES (1, 5, 'a', '2024-01-05'), (2, 'five', x'61', '2024-1-7'), (3, 7, 'A', '2024-01-09 10:00:00'), (4, NULL, NULL, NULL);";
    let odd = desk.sqlite("odd.db", script);
    let plan = desk.file("targets.csv", &targets_csv());
    let warehouse = desk.join(&[("odd", &odd), ("plan", &plan)]).await;
    let (rows, _) = rows_of(&warehouse, "SELECT id FROM odd.t WHERE word = '61' OR word = 'a' ORDER BY id").await;
    assert_eq!(rows, [[Some("1".to_owned())], [Some("2".to_owned())]], "bytes are delivered as digits");
    let (rows, _) =
        rows_of(&warehouse, "SELECT id FROM odd.t WHERE CAST(day AS DATE) > DATE '2024-01-06' ORDER BY id").await;
    assert_eq!(rows.len(), 2);
    let (rows, _) = rows_of(&warehouse, "SELECT day FROM odd.t WHERE day >= '2024-01-06' ORDER BY id").await;
    assert_eq!(rows.len(), 2, "texts are compared as texts");
    let sum = crate::support::run(&warehouse, "SELECT sum(n) FROM odd.t").await;
    assert!(sum.is_err(), "a text is not zero: {sum:?}");
}
