//! Copies of bounded samples: their queries, and that tables beyond the limits are not read.

use super::head;
use super::*;
use crate::{Batches, Checked, Limits, read_page};
use arrow::array::{ArrayRef, Int64Array, StringArray};
use arrow::record_batch::RecordBatch;
use async_trait::async_trait;
use std::sync::Mutex;
use vitrine_domain::Dialect;
use vitrine_domain::TableKind;
use vitrine_sql::ReadOnlySql;
use vitrine_test_servers::motherduck_server::MotherduckServer;

/// A warehouse that returns the same rows for every query and records the queries.
struct Recording {
    dialect: Dialect,
    batches: Vec<RecordBatch>,
    asked: Mutex<Vec<(String, Option<u64>)>>,
}

impl Recording {
    fn new(dialect: Dialect, batches: Vec<RecordBatch>) -> Self {
        Self { dialect, batches, asked: Mutex::default() }
    }
}

#[async_trait]
impl Warehouse for Recording {
    fn dialect(&self) -> Dialect {
        self.dialect
    }

    async fn load_catalog(&self) -> Result<Catalog, WarehouseError> {
        Err(WarehouseError::query("nobody asks for it"))
    }

    async fn check_query(&self, _: &ReadOnlySql) -> Result<Checked, WarehouseError> {
        Err(WarehouseError::query("nobody asks for it"))
    }

    async fn run_query(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        _: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        self.asked.lock().unwrap().push((sql.as_str().to_owned(), limits.rows));
        let batches: Vec<_> = self.batches.iter().cloned().map(Ok).collect();
        Ok(Batches::new(self.batches[0].schema(), stream::iter(batches).boxed()))
    }

    async fn close(&self) {}
}

fn numbers(rows: i64) -> RecordBatch {
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..rows));
    RecordBatch::try_from_iter([("id", ids)]).unwrap()
}

fn table(name: &str, kind: TableKind, row_count: Option<u64>) -> Table {
    let id = Column { name: "id".to_owned(), data_type: "BIGINT".to_owned(), nullable: true, comment: None };
    Table {
        name: TableName::from_unqualified(name),
        kind,
        comment: None,
        row_count,
        columns: vec![id],
        primary_key: Vec::new(),
        definition: None,
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
    }
}

async fn first(warehouse: &Recording, table: &Table) -> Result<Preview, WarehouseError> {
    head::read_head_rows(warehouse, table, 3, CancellationToken::new()).await
}

#[tokio::test]
async fn a_table_is_asked_for_its_first_rows_and_a_view_for_none() {
    for (dialect, wanted) in [
        (Dialect::Snowflake, "SELECT \"id\" FROM \"orders\" LIMIT 3"),
        (Dialect::Clickhouse, "SELECT id FROM orders LIMIT 3"),
        (Dialect::Databricks, "SELECT id FROM orders LIMIT 3"),
        (Dialect::Duckdb, "SELECT id FROM orders LIMIT 3"),
    ] {
        let warehouse = Recording::new(dialect, vec![numbers(2)]);
        let all = first(&warehouse, &table("orders", TableKind::Table, None)).await.unwrap();
        assert_eq!((all.total, all.batches.len()), (Some(2), 1), "fewer rows than wanted are all there are");
        let view = first(&warehouse, &table("recent", TableKind::View, None)).await.unwrap_err();
        assert!(matches!(view, WarehouseError::NoPreview { .. }));
        assert_eq!(*warehouse.asked.lock().unwrap(), [(wanted.to_owned(), Some(3))], "{dialect:?}");
    }
    // A driver for BigQuery would cause a bill for the whole column.
    let warehouse = Recording::new(Dialect::Bigquery, vec![numbers(2)]);
    let none = first(&warehouse, &table("orders", TableKind::Table, None)).await.unwrap_err();
    assert!(none.to_string().contains("bills whole columns"), "{none}");
    assert!(warehouse.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn how_many_rows_there_are_is_what_the_catalog_says_and_nobody_counts() {
    let warehouse = Recording::new(Dialect::Databricks, vec![numbers(3)]);
    let told = first(&warehouse, &table("orders", TableKind::Table, Some(900))).await.unwrap();
    assert_eq!(told.total, Some(900));
    // The catalog may be outdated: a number up to the number of read rows is not used as the total.
    for old in [Some(2), Some(3)] {
        assert_eq!(first(&warehouse, &table("orders", TableKind::Table, old)).await.unwrap().total, None);
    }
    let untold = first(&warehouse, &table("orders", TableKind::Table, None)).await.unwrap();
    assert_eq!(untold.total, None);
    // Long values end the sample before the row limit.
    let long: ArrayRef = Arc::new(StringArray::from(vec!["x".repeat(40 << 20)]));
    let long = RecordBatch::try_from_iter([("id", long)]).unwrap();
    let warehouse = Recording::new(Dialect::Databricks, vec![long.clone(), long]);
    let cut = first(&warehouse, &table("orders", TableKind::Table, None)).await.unwrap();
    assert_eq!((cut.batches.len(), cut.total), (1, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn motherduck_is_sampled_by_one_bounded_query_for_each_table() {
    let server = MotherduckServer::start(
        "CREATE TABLE customers (customer_id BIGINT, city VARCHAR, since TIMESTAMPTZ, kind ENUM ('a', 'b'));
         INSERT INTO customers SELECT n, 'Basel', '2024-02-29 12:00:00+00', 'a' FROM range(50) AS r(n);
         CREATE TABLE orders (order_id HUGEINT, total DECIMAL(10, 2), day DATE, tags VARCHAR[], place STRUCT(city VARCHAR, zip INT));
         INSERT INTO orders SELECT n, n / 4, DATE '2024-02-29', ['x'], {'city': 'Rome', 'zip': 1} FROM range(900) AS r(n);
         CREATE VIEW recent AS SELECT order_id FROM orders; CREATE SCHEMA stock; CREATE TABLE stock.thing (id INT)",
    );
    let uri = crate::WarehouseUri::parse(&server.address("shop")).unwrap();
    let warehouse = crate::open_warehouse(&uri).await.unwrap();
    let catalog = warehouse.load_catalog().await.unwrap();
    let before = server.statements().len();
    let options = PreviewOptions { rows: 100, tables: 10 };
    let copy = preview_copy(Arc::clone(&warehouse), &catalog, options, CancellationToken::new()).await.unwrap();
    let asked = server.statements()[before..].to_owned();
    let reading: Vec<&str> = asked.lines().filter(|line| line.contains("FROM ")).collect();
    assert!(reading.len() >= 3 && reading.iter().all(|line| line.contains(" LIMIT 100")), "{reading:#?}");
    assert!(!asked.contains("recent"), "{asked}");
    assert_eq!(copy.without.len(), 1);
    assert!(
        copy.to_sentence().contains("first 100 rows at most were read of 3 tables, by one query each"),
        "{}",
        copy.to_sentence()
    );

    let orders = copy.catalog.find_table("orders").unwrap();
    assert_eq!(orders.row_count, Some(900));
    let types: Vec<&str> = orders.columns.iter().map(|column| column.data_type.as_str()).collect();
    assert_eq!(types, ["HUGEINT", "DECIMAL(10,2)", "DATE", "JSON", "JSON"]);
    let sql = "SELECT count(*), sum(total), min(day), min(place->>'$.city'), min(tags->>'$[0]') FROM orders";
    let sql = ReadOnlySql::parse(sql, Dialect::Duckdb).unwrap();
    let rows = copy.warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await.unwrap();
    let row = read_page(rows, 10).await.unwrap().rows.remove(0);
    let row: Vec<&str> = row.iter().map(|cell| cell.as_deref().unwrap_or("NULL")).collect();
    assert_eq!(row, ["100", "1237.50", "2024-02-29", "Rome", "x"]);

    // With a limit of zero rows, nothing is read.
    let before = server.statements().len();
    let none = PreviewOptions { rows: 0, tables: 0 };
    let copy = preview_copy(warehouse, &catalog, none, CancellationToken::new()).await.unwrap();
    assert!(copy.catalog.tables.is_empty() && server.statements().len() == before);
}
