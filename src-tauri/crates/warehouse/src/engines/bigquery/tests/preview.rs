use super::super::*;
use super::query::over;
use crate::{PreviewOptions, Warehouse, WarehouseUri, open_warehouse, preview_copy, read_page};
use serde_json::{Value, json};
use vitrine_domain::{Page, TableName};
use vitrine_sql::ReadOnlySql;
use vitrine_test_servers::bigquery_emulator::BigqueryEmulator;
use vitrine_test_servers::bigquery_exchanges::{Exchanges, answers, error};

async fn rows(warehouse: &dyn Warehouse, sql: &str) -> Page {
    let sql = ReadOnlySql::parse(sql, warehouse.dialect()).unwrap();
    let batches = warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await.unwrap();
    read_page(batches, 1_000).await.unwrap()
}

fn cell(page: &Page, row: usize, column: usize) -> &str {
    page.rows[row][column].as_deref().unwrap_or("NULL")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_emulator_lists_a_sample_without_a_job() {
    let Some(emulator) = BigqueryEmulator::start() else { return };
    emulator
        .script(&[
            "CREATE TABLE shop.orders (id INT64 NOT NULL, placed DATE, at TIMESTAMP, total NUMERIC, code BYTES, day STRING,
               buyer STRUCT<name STRING, city STRING>, items ARRAY<STRUCT<sku STRING, n INT64>>)",
            "INSERT INTO shop.orders SELECT n, DATE_ADD(DATE '2024-01-01', INTERVAL MOD(n, 300) DAY),
               TIMESTAMP '2024-02-29 12:00:00+00', CAST(n AS NUMERIC) / 4, b'x', '29.02.2024',
               STRUCT(CONCAT('buyer ', CAST(n AS STRING)), 'Basel'), [STRUCT('s1' AS sku, n AS n), STRUCT('s2', 1)]
             FROM UNNEST(GENERATE_ARRAY(0, 999)) AS n",
            "CREATE TABLE shop.`empty table` (a INT64)",
            "CREATE VIEW shop.recent AS SELECT id FROM shop.orders",
        ])
        .await;
    let uri = WarehouseUri::parse(&emulator.address("shop")).unwrap();
    let warehouse = open_warehouse(&uri).await.unwrap();
    assert_eq!(warehouse.metering(), crate::Metering::Billed);
    let catalog = warehouse.load_catalog().await.unwrap();
    let before = emulator.jobs().await;
    let options = PreviewOptions { rows: 100, tables: 10 };
    let copy = preview_copy(Arc::clone(&warehouse), &catalog, options, CancellationToken::new()).await.unwrap();
    assert_eq!(emulator.jobs().await, before, "no job was made, so nothing can be billed");
    let names: Vec<String> = copy.catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["empty table", "orders"]);
    assert_eq!(copy.without.len(), 1);
    assert_eq!(copy.without[0].table, TableName::from_unqualified("recent"));
    assert!(copy.without[0].reason.contains("a view has no rows of its own"), "{:?}", copy.without);
    assert!(
        copy.to_sentence().contains("up to 100 rows") && copy.to_sentence().contains("no query was run"),
        "{}",
        copy.to_sentence()
    );

    let orders = copy.catalog.find_table("orders").unwrap();
    assert_eq!(orders.row_count, Some(1_000), "as BigQuery counts them, not as many as were listed");
    let types: Vec<&str> = orders.columns.iter().map(|column| column.data_type.as_str()).collect();
    let wanted = ["BIGINT", "DATE", "TIMESTAMP WITH TIME ZONE", "DECIMAL(38,9)", "BLOB", "VARCHAR", "JSON", "JSON"];
    assert_eq!(types, wanted);
    let own = copy.warehouse.as_ref();
    let counted = rows(own, "SELECT count(*), min(id), max(id), count(DISTINCT id) FROM orders").await;
    assert_eq!(
        [0, 1, 2, 3].map(|at| cell(&counted, 0, at)),
        ["100", "0", "999", "100"],
        "from first to last, none twice"
    );
    let nested = rows(own, "SELECT buyer->>'$.city', items->>'$[0].sku', total FROM orders ORDER BY id LIMIT 1").await;
    assert_eq!([0, 1].map(|at| cell(&nested, 0, at)), ["Basel", "s1"]);
    assert_eq!(cell(&rows(own, "SELECT count(*) FROM \"empty table\"").await, 0, 0), "0");

    // The limit on tables and the scope apply here, too.
    let one = PreviewOptions { tables: 1, ..options };
    let copy = preview_copy(Arc::clone(&warehouse), &catalog, one, CancellationToken::new()).await.unwrap();
    assert_eq!(copy.catalog.tables.len(), 1);
    assert!(copy.without.iter().any(|left| left.reason == "previews end after 1 tables"), "{:?}", copy.without);
    let stopped = CancellationToken::new();
    stopped.cancel();
    assert!(matches!(preview_copy(warehouse, &catalog, options, stopped).await, Err(WarehouseError::Cancelled)));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_emulator_lists_whole_projects_under_their_datasets() {
    let Some(emulator) = BigqueryEmulator::start() else { return };
    emulator.script(&["CREATE TABLE shop.a (x INT64)", "INSERT INTO shop.a VALUES (7)", "CREATE SCHEMA other"]).await;
    emulator.script(&["CREATE TABLE other.a (y STRING)", "INSERT INTO other.a VALUES ('z')"]).await;
    let uri = WarehouseUri::parse(&emulator.address("")).unwrap();
    let options = PreviewOptions { rows: 10, tables: 10 };
    let whole = open_warehouse(&uri).await.unwrap();
    let catalog = whole.load_catalog().await.unwrap();
    let copy = preview_copy(whole, &catalog, options, CancellationToken::new()).await.unwrap();
    let page = rows(copy.warehouse.as_ref(), "SELECT x, y FROM shop.a, other.a").await;
    assert_eq!([cell(&page, 0, 0), cell(&page, 0, 1)], ["7", "z"]);
    let scope = OpenOptions { schemas: vec!["other".to_owned()], ..OpenOptions::default() };
    let scoped = crate::open_with(&uri, &scope).await.unwrap();
    let outside = catalog.find_table("shop.a").unwrap();
    assert!(matches!(scoped.preview_rows(outside, 10).await, Err(WarehouseError::OutOfScope { .. })));
}

fn table(kind: &str, rows: u64) -> Value {
    json!({"type": kind, "numRows": rows.to_string(), "schema": {"fields": [
        {"name": "a", "type": "INTEGER"},
        {"name": "precise", "type": "TIMESTAMP", "timestampPrecision": "12"}]}})
}

fn page_of(numbers: std::ops::Range<u64>) -> Value {
    let rows: Vec<Value> = numbers.map(|number| json!({"f": [{"v": number.to_string()}]})).collect();
    json!({"kind": "bigquery#tableDataList", "totalRows": "1000", "rows": rows, "pageToken": "more"})
}

fn listed(name: &str) -> Table {
    Table {
        name: TableName::from_unqualified(name),
        kind: vitrine_domain::TableKind::Table,
        comment: None,
        row_count: None,
        columns: Vec::new(),
        primary_key: Vec::new(),
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
        definition: None,
    }
}

#[tokio::test]
async fn documented_rows_are_listed_in_four_places_and_pages_that_come_short_are_continued() {
    let get = "GET /bigquery/v2/projects/p/datasets/d/tables/t/data";
    let server = Exchanges::start([
        // First, because its words are the most specific.
        answers(get, 200, page_of(0..2)),
        answers(get, 200, page_of(2..3)),
        answers(get, 200, page_of(332..335)),
        answers(get, 200, page_of(664..667)),
        answers(get, 200, page_of(997..1000)),
        answers("GET /bigquery/v2/projects/p/datasets/d/tables/t", 200, table("TABLE", 1_000)),
    ])
    .await;
    let preview = over(&server, "", None).preview_rows(&listed("t"), 12).await.unwrap();
    server.done();
    assert_eq!(preview.batches.iter().map(|batch| batch.num_rows()).sum::<usize>(), 12);
    assert_eq!((preview.total, preview.schema.fields().len()), (Some(1_000), 1));
    let asked = server.requests();
    assert!(asked.iter().all(|asked| asked.line.starts_with("GET ")), "nothing is posted: {asked:?}");
    let starts: Vec<bool> = ["startIndex=0&", "startIndex=2&", "startIndex=332&", "startIndex=664&", "startIndex=997&"]
        .iter()
        .map(|start| asked.iter().any(|asked| asked.line.contains(start)))
        .collect();
    assert_eq!(starts, [true; 5], "{asked:?}");
    assert!(asked[1].line.contains("selectedFields=a"), "a column that cannot be shown is left out: {asked:?}");
    assert!(asked[1].line.contains("maxResults=3&") && asked[2].line.contains("maxResults=1&"), "{asked:?}");
}

#[tokio::test]
async fn documented_tables_that_cannot_be_listed_say_why() {
    let get = "GET /bigquery/v2/projects/p/datasets/d/tables/t";
    let denied = "Access Denied: Table p:d.t: Permission bigquery.tables.getData denied";
    for (exchanges, reason) in [
        (vec![answers(get, 200, table("EXTERNAL", 0))], "its rows are outside BigQuery"),
        (vec![answers(get, 200, table("VIEW", 0))], "a view has no rows of its own"),
        (vec![answers(get, 200, table("MATERIALIZED_VIEW", 5))], "only be read by queries"),
        (
            vec![
                answers("tables/t/data", 403, error(403, "accessDenied", denied)),
                answers(get, 200, table("TABLE", 5)),
            ],
            denied,
        ),
    ] {
        let server = Exchanges::start(exchanges).await;
        let said = over(&server, "", None).preview_rows(&listed("t"), 10).await.unwrap_err();
        assert!(matches!(&said, WarehouseError::NoPreview { reason: told, .. } if told.contains(reason)), "{said}");
        server.done();
    }
}
