//! ClickHouse on its own engine: reading, read-only enforcement, limits, cancellation, errors.

use super::super::ClickhouseWarehouse;
use crate::engine::Engine;
use crate::{
    Limits, OpenOptions, Warehouse, WarehouseError, WarehouseUri, inspect_connection, prove_read_only, read_page,
};
use futures::StreamExt;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Page, SafetyKind, SafetyState, TableKind, TestStage, TestState};
use vitrine_test_servers::clickhouse_server::ClickhouseServer;

const TABLES: &[&str] = &[
    "CREATE TABLE orders (id Int64, day Date COMMENT 'when it was placed', customer LowCardinality(Nullable(String)), total Decimal(10, 2),
       tags Array(String), place Tuple(city String, zip UInt32)) ENGINE = MergeTree PARTITION BY toYYYYMM(day) ORDER BY (day, id) PRIMARY KEY day
       COMMENT 'What was bought.'",
    "INSERT INTO orders VALUES (1, '2024-01-05', 'Ann', 10.50, ['a', 'b'], ('Rome', 1)), (2, '2024-02-07', NULL, 20, [], ('Oslo', 2))",
    "CREATE TABLE latest (id Int64, seen DateTime) ENGINE = ReplacingMergeTree ORDER BY id",
    "CREATE VIEW by_city AS SELECT place.city AS city, sum(total) AS total FROM orders GROUP BY city",
    "CREATE FUNCTION own_margin AS (a, b) -> (a - b) / a",
    "CREATE DATABASE other",
    "CREATE TABLE other.things (id Int64) ENGINE = MergeTree ORDER BY id",
];

pub(super) async fn open(address: &str) -> Result<ClickhouseWarehouse, WarehouseError> {
    let uri = WarehouseUri::parse(address).unwrap();
    ClickhouseWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await
}

async fn text(warehouse: &ClickhouseWarehouse, sql: &str, limits: Limits) -> Result<Page, WarehouseError> {
    read_page(warehouse.query_text(sql.to_owned(), limits, CancellationToken::new()).await?, 100_000).await
}

async fn rows(warehouse: &ClickhouseWarehouse, catalog: &Catalog, sql: &str) -> Vec<Vec<Option<String>>> {
    let sql = prove_read_only(sql, catalog).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let batches = warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await.unwrap();
    read_page(batches, 1_000).await.unwrap().rows
}

fn row(cells: &[&str]) -> Vec<Option<String>> {
    cells.iter().map(|cell| (*cell != "NULL").then(|| (*cell).to_owned())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_views_and_what_a_query_has_to_know_are_read() {
    let server = ClickhouseServer::start();
    server.script(TABLES).await;
    let warehouse = open(&server.address()).await.unwrap();
    let catalog = warehouse.read_catalog().await.unwrap();
    let names: Vec<String> = catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["by_city", "latest", "orders"]);
    let [view, latest, orders] = catalog.tables.as_slice() else { panic!() };
    assert_eq!(view.kind, TableKind::View);
    assert!(view.definition.as_deref().unwrap_or_default().contains("sum(total)"), "{:?}", view.definition);
    assert!(latest.comment.as_deref().unwrap_or_default().contains("ReplacingMergeTree"));
    assert_eq!(
        orders.comment.as_deref(),
        Some(
            "What was bought. Sorted by day, id, which the engine does not keep unique. Partitioned by toYYYYMM(day)."
        )
    );
    assert_eq!((orders.row_count, orders.primary_key.len()), (Some(2), 0));
    let columns: Vec<(&str, &str, bool)> =
        orders.columns.iter().map(|c| (c.name.as_str(), c.data_type.as_str(), c.nullable)).collect();
    assert_eq!(
        columns[1..4],
        [("day", "Date", false), ("customer", "String", true), ("total", "Decimal(10, 2)", false)]
    );
    assert_eq!(orders.columns[1].comment.as_deref(), Some("when it was placed"));
    assert_eq!(catalog.own_functions.iter().map(|own| own.name.as_str()).collect::<Vec<_>>(), ["own_margin"]);
    // The whole server without its system databases.
    let whole = open(&server.address_of("ann", "")).await.unwrap().read_catalog().await.unwrap();
    let names: Vec<String> = whole.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["other.things", "shop.by_city", "shop.latest", "shop.orders"]);
    let before = catalog.fingerprint;
    server.script(&["INSERT INTO orders (id, day) VALUES (3, '2024-03-01')"]).await;
    assert_ne!(warehouse.read_catalog().await.unwrap().fingerprint, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn queries_mean_what_they_mean_elsewhere() {
    let server = ClickhouseServer::start();
    server.script(TABLES).await;
    let warehouse = open(&server.address()).await.unwrap();
    let catalog = warehouse.read_catalog().await.unwrap();
    for (sql, wanted) in [
        ("SELECT sum(total), min(day), count(*) FROM orders WHERE id > 99", row(&["NULL", "NULL", "0"])),
        (
            "SELECT l.id, o.id FROM orders o LEFT JOIN latest l ON l.id = o.id ORDER BY o.id LIMIT 1",
            row(&["NULL", "1"]),
        ),
        ("SELECT CAST(customer AS String) FROM orders WHERE id = 2", row(&["NULL"])),
        ("SELECT count(*) FROM (SELECT 1 AS a UNION SELECT 1 AS a) t", row(&["1"])),
        (
            "SELECT total, tags, place FROM orders WHERE id = 1",
            row(&["10.50", "[\"a\",\"b\"]", "{\"city\":\"Rome\",\"zip\":1}"]),
        ),
        (
            "SELECT place.city, tags[1], countIf(total > 15) OVER () FROM orders ORDER BY id LIMIT 1",
            row(&["Rome", "a", "1"]),
        ),
        ("SELECT t FROM orders ARRAY JOIN tags AS t ORDER BY t DESC LIMIT 1", row(&["b"])),
        ("SELECT own FROM (SELECT quantileExact(0.5)(id) AS own FROM orders)", row(&["2"])),
        ("SELECT toYear(day), sumIf(total, id = 1) FROM orders GROUP BY toYear(day)", row(&["2024", "10.50"])),
    ] {
        assert_eq!(rows(&warehouse, &catalog, sql).await, [wanted], "{sql}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_is_prepared_without_running() {
    let server = ClickhouseServer::start();
    server.script(TABLES).await;
    let warehouse = open(&server.address()).await.unwrap();
    let began = Instant::now();
    let checked = warehouse
        .check_text("SELECT sleep(3) AS a, sum(total) AS b, day FROM orders WHERE id IN (SELECT sleep(3) FROM numbers(9)) GROUP BY day -- why")
        .await;
    let names: Vec<String> = checked.unwrap().columns.into_iter().map(|column| column.name).collect();
    assert_eq!(names, ["a", "b", "day"]);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    let error = warehouse.check_text("SELECT nothing FROM orders").await.unwrap_err();
    assert!(matches!(&error, WarehouseError::Query { message } if message.contains("nothing")), "{error:?}");
    for writes in ["INSERT INTO orders (id) VALUES (9)", "SELECT 1) SETTINGS readonly = 0 --", "DROP TABLE orders"] {
        assert!(warehouse.check_text(writes).await.is_err(), "{writes}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_holds_every_query_to_reading() {
    let server = ClickhouseServer::start();
    server.script(TABLES).await;
    for user in ["ann", "reads"] {
        let warehouse = open(&server.address_of(user, "shop")).await.unwrap();
        for sql in [
            "INSERT INTO orders (id) VALUES (9)",
            "DROP TABLE orders",
            "ALTER TABLE orders DELETE WHERE 1",
            "CREATE TABLE more (id Int64) ENGINE = Memory",
            "SELECT 1 SETTINGS readonly = 0",
            "SET readonly = 0",
            "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a Int8')",
        ] {
            // `readonly = 2` permits table functions with network access; the proof and the missing grant refuse them.
            if user == "reads" && sql.contains("url(") {
                continue;
            }
            let error = text(&warehouse, sql, Limits::default()).await.unwrap_err();
            assert!(matches!(error, WarehouseError::Refused { .. }), "{user}: {sql}: {error:?}");
        }
        let count = text(&warehouse, "SELECT count(*) FROM orders", Limits::default()).await.unwrap();
        assert_eq!(count.rows, [row(&["2"])]);
    }
    let error = open(&server.address_of("fixed", "shop")).await.map(drop).unwrap_err();
    assert!(
        matches!(&error, WarehouseError::NotAdmitted { detail, .. } if detail.contains("readonly = 2")),
        "{error:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_million_rows_stream_and_an_error_among_them_is_no_row() {
    let server = ClickhouseServer::start();
    let warehouse = open(&server.address()).await.unwrap();
    let limits = Limits { rows: None, ..Limits::default() };
    let all = "SELECT number AS n, toString(number) AS s FROM numbers(1000000)";
    let mut batches = warehouse.query_text(all.to_owned(), limits.clone(), CancellationToken::new()).await.unwrap();
    let mut count = 0;
    while let Some(batch) = batches.stream.next().await {
        count += batch.unwrap().num_rows();
    }
    assert_eq!(count, 1_000_000);
    let breaks = "SELECT throwIf(number = 900000) AS n FROM numbers(1000000)";
    let mut batches = warehouse.query_text(breaks.to_owned(), limits, CancellationToken::new()).await.unwrap();
    let (mut count, mut error) = (0, None);
    while let Some(batch) = batches.stream.next().await {
        match batch {
            Ok(batch) => count += batch.num_rows(),
            Err(found) => error = Some(found),
        }
    }
    let error = error.expect("the error comes");
    assert!(count > 0 && count <= 900_000, "{count}");
    assert!(matches!(&error, WarehouseError::Query { message } if message.contains("throwIf")), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_hold() {
    let server = ClickhouseServer::start();
    let warehouse = open(&server.address()).await.unwrap();
    let limits = Limits { rows: Some(10), ..Limits::default() };
    let page = text(&warehouse, "SELECT number FROM numbers(100000000)", limits.clone()).await.unwrap();
    assert_eq!((page.rows.len(), page.truncated), (10, true));
    let page = text(&warehouse, "SELECT number FROM numbers(10)", limits).await.unwrap();
    assert_eq!((page.rows.len(), page.truncated), (10, false));
    let limits = Limits { memory_bytes: Some(50 << 20), ..Limits::default() };
    let large = "SELECT groupArray(toString(number)) FROM numbers(30000000)";
    assert_eq!(text(&warehouse, large, limits).await.unwrap_err(), WarehouseError::Memory { megabytes: 50 });
    let limits = Limits { timeout: Duration::from_millis(500), ..Limits::default() };
    let slow = "SELECT sum(sipHash64(number)) FROM numbers(100000000000)";
    assert_eq!(text(&warehouse, slow, limits).await.unwrap_err(), WarehouseError::Timeout { seconds: 1 });
    let gone = async || {
        server.run("SELECT count() FROM system.processes WHERE query LIKE '%sipHash64(number)%' AND query NOT LIKE '%processes%'").await
    };
    let began = Instant::now();
    while gone().await.unwrap().trim() != "0" {
        assert!(began.elapsed() < Duration::from_secs(10), "the server works on");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_is_told_in_our_words() {
    let server = ClickhouseServer::start();
    let failed = async |address: &str| open(address).await.map(drop).unwrap_err();
    let address = server.address();
    let without = address.replace(":pass-word%3A1@", "@");
    assert!(matches!(failed(&without).await, WarehouseError::Password { refused: false, .. }));
    let wrong = address.replace("pass-word", "word");
    let error = failed(&wrong).await;
    assert!(matches!(error, WarehouseError::Password { refused: true, .. }));
    assert!(!format!("{error:?}").contains("word%3A1"), "{error:?}");
    assert!(matches!(failed(&server.address_of("ann", "nowhere")).await, WarehouseError::NotAdmitted { .. }));
    assert!(matches!(failed("clickhouse://ann@127.0.0.1:1/shop").await, WarehouseError::Unreachable { .. }));
    let warehouse = open(&address).await.unwrap();
    let denied = text(&warehouse, "SELECT * FROM system.users", Limits::default()).await.unwrap_err();
    assert!(matches!(denied, WarehouseError::NoPermission { .. }), "{denied:?}");
    let error = text(&warehouse, "SELECT * FROM missing_one", Limits::default()).await.unwrap_err();
    let WarehouseError::Query { message } = &error else { panic!("{error:?}") };
    assert!(message.contains("missing_one") && !message.contains("Code:") && !message.contains("version"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_tells_stage_by_stage_and_the_panel_what_holds() {
    let server = ClickhouseServer::start();
    server.script(TABLES).await;
    let uri = WarehouseUri::parse(&server.address());
    let options = OpenOptions::default();
    let test = inspect_connection(uri, &options, Duration::from_secs(20), &|_| {}, CancellationToken::new()).await;
    let states: Vec<(TestStage, TestState)> = test.steps.iter().map(|step| (step.stage, step.state)).collect();
    assert_eq!(
        states,
        [
            (TestStage::Name, TestState::Ok),
            (TestStage::Reach, TestState::Ok),
            (TestStage::Tls, TestState::Ok),
            (TestStage::Login, TestState::Ok),
            (TestStage::Role, TestState::Ok),
            (TestStage::Readable, TestState::Ok),
            // The engine's only user has all rights, and the test reports it.
            (TestStage::Rights, TestState::Warning),
        ],
        "{:?}",
        test.steps
    );
    let wrong = WarehouseUri::parse(&server.address().replace("pass-word", "word"));
    let test = inspect_connection(wrong, &options, Duration::from_secs(20), &|_| {}, CancellationToken::new()).await;
    assert!(test.password_wanted && test.steps[3].state == TestState::Failed, "{:?}", test.steps);
    let layers = open(&server.address()).await.unwrap().query_safety_layers().await.unwrap();
    let state = |kind: SafetyKind| layers.iter().find(|layer| layer.kind == kind).map(|layer| layer.state);
    assert_eq!(state(SafetyKind::Engine), Some(SafetyState::Holds));
    assert_eq!(state(SafetyKind::Rights), Some(SafetyState::Missing));
}
