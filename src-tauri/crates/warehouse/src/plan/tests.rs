//! Plans of real engines. Endless queries are explained, too: an immediate plan shows that nothing ran.

use super::told::{collect_steps, format_plan_lines};
use super::*;
use crate::engine::Engine;
use crate::engines::duck::DuckWarehouse;
use crate::engines::sqlite::SqliteWarehouse;
use crate::{Checked, OpenOptions, Warehouse, WarehouseUri, open_warehouse};
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::Catalog;
use vitrine_sql::{AllowedFunctions, ReadOnlySql};
use vitrine_test_servers::mysql_server::MysqlServer;
use vitrine_test_servers::postgres_server::PostgresServer;

const TABLES: &str = "CREATE TABLE customer (id INTEGER PRIMARY KEY, country VARCHAR(2));
    CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer_id INTEGER, total INTEGER);
    CREATE INDEX by_customer ON purchase (customer_id);
    INSERT INTO customer VALUES (1, 'DE'), (2, 'US'), (3, 'US');
    INSERT INTO purchase VALUES (1, 1, 10), (2, 1, 20), (3, 2, 30), (4, 3, 40);";
const QUERY: &str = "-- what each country spent\nSELECT c.country, sum(p.total) AS spent FROM customer c
    JOIN purchase p ON p.customer_id = c.id WHERE p.total > 5 GROUP BY c.country ORDER BY spent DESC";

async fn plan(warehouse: &dyn Warehouse, sql: &str) -> Result<QueryPlan, WarehouseError> {
    let sql = ReadOnlySql::parse(sql, warehouse.dialect()).expect("a read");
    let limits = Limits { timeout: Duration::from_secs(20), ..Limits::default() };
    warehouse.query_plan(&sql, limits, CancellationToken::new()).await
}

async fn open_address(address: &str) -> Arc<dyn Warehouse> {
    open_warehouse(&WarehouseUri::parse(address).unwrap()).await.unwrap()
}

/// Checks that no text can add a second statement, and that a cancelled request returns no plan.
async fn check_plan_safety(warehouse: &impl Engine) {
    for sql in ["SELECT 1; DELETE FROM purchase", "SELECT 1;\nDROP TABLE purchase"] {
        let answered =
            warehouse.plan_text(sql, &AllowedFunctions::default(), Limits::default(), CancellationToken::new()).await;
        assert!(answered.is_err(), "{sql}: {answered:?}");
    }
    let gone = CancellationToken::new();
    gone.cancel();
    let stopped = warehouse.plan_text("SELECT 1", &AllowedFunctions::default(), Limits::default(), gone).await;
    assert_eq!(stopped, Err(WarehouseError::Cancelled));
    let counted = ReadOnlySql::parse("SELECT count(*) FROM purchase", warehouse.dialect()).unwrap();
    let rows = Warehouse::run_query(warehouse, &counted, Limits::default(), CancellationToken::new()).await.unwrap();
    assert_eq!(read_page(rows, 1).await.unwrap().rows, [[Some("4".to_owned())]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_tells_how_tables_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.db");
    rusqlite::Connection::open(&path).unwrap().execute_batch(TABLES).unwrap();
    let warehouse = SqliteWarehouse::open(&path, &OpenOptions::default()).unwrap();
    let told = plan(&warehouse, QUERY).await.unwrap();
    let shown = format_plan_lines(&told);
    assert!(shown.iter().any(|line| line.starts_with("SEARCH c USING INTEGER PRIMARY KEY")), "{shown:?}");
    assert!(shown.contains(&"USE TEMP B-TREE FOR ORDER BY".to_owned()), "{shown:?}");
    assert!(collect_steps(&told).iter().all(|step| step.rows.is_none() && step.cost.is_none()), "it says none");
    let nested =
        plan(&warehouse, "SELECT * FROM customer WHERE id IN (SELECT customer_id FROM purchase)").await.unwrap();
    assert!(format_plan_lines(&nested).iter().any(|line| line.starts_with("  ")), "{:?}", format_plan_lines(&nested));
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    assert!(!plan(&warehouse, endless).await.unwrap().steps.is_empty());
    check_plan_safety(&warehouse).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn duckdb_tells_operators_with_the_rows_that_it_expects() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.duckdb");
    duckdb::Connection::open(&path).unwrap().execute_batch(TABLES).unwrap();
    let warehouse = DuckWarehouse::open_database(&path, &OpenOptions::default()).unwrap();
    let told = plan(&warehouse, QUERY).await.unwrap();
    let join = collect_steps(&told).into_iter().find(|step| step.label == "HASH JOIN").expect("a join");
    assert!(join.rows.is_some() && join.children.len() == 2, "{told:?}");
    let filtered = plan(&warehouse, "SELECT id FROM purchase WHERE total > 15").await.unwrap();
    let told_filter = |step: &&PlanStep| step.details.iter().any(|line| line.contains("total>15"));
    assert!(collect_steps(&filtered).iter().any(told_filter), "{filtered:?}");
    assert!(
        !collect_steps(&told).iter().any(|step| step.details.iter().any(|line| line.contains("Cardinality"))),
        "{told:?}"
    );
    let huge = plan(&warehouse, "SELECT count(*) FROM range(1000000000000) a, range(1000000) b").await.unwrap();
    assert!(!huge.steps.is_empty());
    check_plan_safety(&warehouse).await;
    let copy = warehouse
        .plan_text(
            "COPY purchase TO 'x.csv'",
            &AllowedFunctions::default(),
            Limits::default(),
            CancellationToken::new(),
        )
        .await;
    assert!(copy.is_err() && !std::path::Path::new("x.csv").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn files_have_the_plans_of_their_engine() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stores.csv");
    std::fs::write(&path, "store,city\n1,Bonn\n2,Kiel\n").unwrap();
    let warehouse = open_address(&format!("file:{}", path.display())).await;
    let told = plan(&*warehouse, "SELECT city, count(*) FROM stores GROUP BY city").await.unwrap();
    assert!(collect_steps(&told).len() > 1, "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_tells_what_each_step_costs() {
    let server = PostgresServer::start();
    server.psql("shop", &format!("{TABLES} ANALYZE;"));
    let warehouse = open_address(&server.address("shop")).await;
    let told = plan(&*warehouse, QUERY).await.unwrap();
    let shown = format_plan_lines(&told);
    assert!(shown[0] == "Sort" && shown.iter().any(|line| line.ends_with("Seq Scan on purchase p")), "{shown:?}");
    let scan = collect_steps(&told).into_iter().find(|step| step.label == "Seq Scan on purchase p").unwrap();
    assert_eq!((scan.rows, scan.details.as_slice()), (Some(4.0), ["Filter: (total > 5)".to_owned()].as_slice()));
    let shares: f64 = collect_steps(&told).iter().filter_map(|step| step.share).sum();
    assert!((shares - 1.0).abs() < 1e-9 && collect_steps(&told).iter().all(|step| step.cost.is_some()), "{told:?}");
    let index = plan(&*warehouse, "SELECT * FROM customer c LEFT JOIN purchase p ON p.id = c.id").await.unwrap();
    assert!(
        format_plan_lines(&index)[0].starts_with("Hash ") && format_plan_lines(&index)[0].contains("Join"),
        "{:?}",
        format_plan_lines(&index)
    );
    let endless = "SELECT count(*) FROM generate_series(1, 1000000000000) AS a(n)";
    assert!(!plan(&*warehouse, endless).await.unwrap().steps.is_empty());
    let failed = plan(&*warehouse, "SELECT nothing FROM customer").await.unwrap_err();
    assert!(matches!(failed, WarehouseError::Query { .. }), "{failed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn mariadb_tells_how_tables_are_read() {
    let server = MysqlServer::start();
    server.script("shop", TABLES);
    let warehouse = open_address(&server.address("shop")).await;
    let told = plan(&*warehouse, QUERY).await.unwrap();
    let shown = format_plan_lines(&told);
    assert!(shown.iter().any(|line| line.trim_start().starts_with("p: ")), "{shown:?}");
    assert!(collect_steps(&told).iter().any(|step| step.rows == Some(4.0)), "{told:?}");
    let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) SELECT count(*) FROM n";
    assert!(!plan(&*warehouse, endless).await.unwrap().steps.is_empty());
}

/// A database whose engine provides no plans.
struct Silent;

#[async_trait]
impl Warehouse for Silent {
    fn dialect(&self) -> Dialect {
        Dialect::Bigquery
    }
    async fn load_catalog(&self) -> Result<Catalog, WarehouseError> {
        Err(WarehouseError::Cancelled)
    }
    async fn check_query(&self, _: &ReadOnlySql) -> Result<Checked, WarehouseError> {
        Err(WarehouseError::Cancelled)
    }
    async fn run_query(&self, _: &ReadOnlySql, _: Limits, _: CancellationToken) -> Result<Batches, WarehouseError> {
        Err(WarehouseError::Cancelled)
    }
    async fn close(&self) {}
}

#[tokio::test]
async fn an_engine_without_a_plan_says_so() {
    let error = vitrine_domain::AppError::from(plan(&Silent, "SELECT 1").await.unwrap_err());
    assert_eq!(error.message, "BigQuery offers no plan that Vitrine could show without running a part of the query");
    for dialect in [Dialect::Bigquery, Dialect::Snowflake, Dialect::Databricks, Dialect::Clickhouse] {
        assert_eq!(build_explain_sql(dialect, "SELECT 1"), None);
    }
}
