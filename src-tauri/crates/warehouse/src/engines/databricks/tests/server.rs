//! Databricks on Spark: reading, limits, chunks, cancellation, errors, hostile statements. One engine serves all
//! checks, because it starts more slowly than all checks run.

use super::super::{DatabricksWarehouse, introspect};
use crate::engine::Engine;
use crate::prove::tests::statements::databricks::corpus_holds;
use crate::{
    Limits, OpenOptions, Warehouse, WarehouseError, WarehouseUri, inspect_connection, prove_read_only, read_page,
};
use futures::StreamExt;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, Page, SafetyKind, SafetyState, TableKind, TestStage, TestState};
use vitrine_sql::ReadOnlySql;
use vitrine_test_servers::databricks_server::DatabricksServer;

const TABLES: &[&str] = &[
    "CREATE TABLE person (id INT NOT NULL, name STRING) TBLPROPERTIES ('test.primary_key' = 'id')",
    "CREATE TABLE orders (id BIGINT, day DATE COMMENT 'when it was placed', person_id INT, total DECIMAL(10, 2), tags ARRAY<STRING>, \
       place STRUCT<city: STRING, zip: INT>, counts MAP<STRING, INT>, facts VARIANT, seen TIMESTAMP) COMMENT 'What was bought.' \
       TBLPROPERTIES ('test.primary_key' = 'id', 'test.foreign_key' = 'person_id -> person')",
    "INSERT INTO orders VALUES \
       (1, DATE '2024-01-05', 1, 10.50, array('a', 'b'), named_struct('city', 'Rome', 'zip', 1), map('x', 1), parse_json('{\"k\":[7]}'), TIMESTAMP '2024-01-05 10:00:00'), \
       (2, DATE '2024-02-07', NULL, 20, array(), named_struct('city', 'Oslo', 'zip', 2), map(), NULL, NULL)",
    "CREATE VIEW by_city AS SELECT place.city AS city, sum(total) AS total FROM orders GROUP BY place.city",
    "CREATE DATABASE other",
    "CREATE TABLE other.things (id INT)",
];

async fn open(address: &str) -> Result<DatabricksWarehouse, WarehouseError> {
    let uri = WarehouseUri::parse(address).unwrap();
    DatabricksWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await
}

async fn text(warehouse: &DatabricksWarehouse, sql: &str, limits: Limits) -> Result<Page, WarehouseError> {
    read_page(warehouse.query_text(sql.to_owned(), limits, CancellationToken::new()).await?, 100_000).await
}

fn row(cells: &[&str]) -> Vec<Option<String>> {
    cells.iter().map(|cell| (*cell != "NULL").then(|| (*cell).to_owned())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn databricks_on_spark() {
    let server = DatabricksServer::start();
    server.script(TABLES).await;
    let warehouse = open(&server.address()).await.unwrap();
    let catalog = warehouse.read_catalog().await.unwrap();
    tables_views_and_keys_are_read(&server, &warehouse, &catalog).await;
    queries_mean_what_they_mean_elsewhere(&warehouse, &catalog).await;
    a_query_is_prepared_without_running(&warehouse).await;
    a_scope_holds_for_the_catalog_too(&server).await;
    many_chunks_are_one_result_and_limits_hold(&warehouse).await;
    what_is_stopped_is_stopped_there(&server, &warehouse).await;
    what_goes_wrong_is_told_in_our_words(&server, &warehouse).await;
    a_test_tells_stage_by_stage_and_the_panel_what_holds(&server).await;
    server.script(&["DROP VIEW by_city", "DROP TABLE orders"]).await;
    corpus_holds(&warehouse, async |sql| server.run(sql).await).await;
}

async fn a_scope_holds_for_the_catalog_too(server: &DatabricksServer) {
    let uri = WarehouseUri::parse(&server.address()).unwrap();
    let options = OpenOptions { schemas: vec!["shop".to_owned()], ..OpenOptions::default() };
    let scoped = crate::open_with(&uri, &options).await.unwrap();
    let check =
        async |sql: &str| scoped.check_query(&ReadOnlySql::parse(sql, Dialect::Databricks).unwrap()).await.map(drop);
    for inside in ["SELECT id FROM orders", "SELECT id FROM shop.orders", "SELECT id FROM Spark_Catalog.shop.orders"] {
        assert_eq!(check(inside).await, Ok(()), "{inside}");
    }
    for outside in ["SELECT id FROM other.things", "SELECT id FROM elsewhere.shop.orders"] {
        assert!(matches!(check(outside).await, Err(WarehouseError::OutOfScope { .. })), "{outside}");
    }
}

async fn tables_views_and_keys_are_read(server: &DatabricksServer, warehouse: &DatabricksWarehouse, catalog: &Catalog) {
    let names: Vec<String> = catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["by_city", "orders", "person"]);
    let [view, orders, person] = catalog.tables.as_slice() else { panic!() };
    assert_eq!(view.kind, TableKind::View);
    assert!(view.definition.as_deref().unwrap_or_default().contains("sum(total)"), "{:?}", view.definition);
    assert_eq!((orders.comment.as_deref(), orders.row_count), (Some("What was bought."), None));
    assert_eq!(
        (orders.primary_key.as_slice(), person.primary_key.as_slice()),
        (&["id".into()][..], &["id".into()][..])
    );
    let [key] = orders.foreign_keys.as_slice() else { panic!("{:?}", orders.foreign_keys) };
    assert_eq!(
        (key.columns[0].as_str(), key.ref_table.name.as_str(), key.ref_columns[0].as_str()),
        ("person_id", "person", "id")
    );
    let columns: Vec<(&str, &str)> = orders.columns.iter().map(|c| (c.name.as_str(), c.data_type.as_str())).collect();
    assert_eq!(
        columns[1..5],
        [("day", "DATE"), ("person_id", "INT"), ("total", "DECIMAL(10,2)"), ("tags", "ARRAY<STRING>")]
    );
    assert_eq!(orders.columns[1].comment.as_deref(), Some("when it was placed"));
    assert!(person.columns[1].nullable && catalog.search_path == ["shop", "spark_catalog"]);
    // With small pages the result is the same.
    let pages = warehouse.run_with_timeout(introspect::read_catalog(&warehouse.http, 2)).await.unwrap().0;
    assert_eq!(pages, catalog.tables);
    // A page that is too large is requested in parts.
    server.set_inline_bytes(400).await;
    let parts = warehouse.run_with_timeout(introspect::read_catalog(&warehouse.http, introspect::PAGE)).await;
    server.set_inline_bytes(25 << 20).await;
    assert_eq!(parts.expect("smaller pages").0, catalog.tables);
    let whole =
        open(&server.address_of("token:token%3A1", "spark_catalog")).await.unwrap().read_catalog().await.unwrap();
    let names: Vec<String> = whole.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["other.things", "shop.by_city", "shop.orders", "shop.person"]);
}

async fn queries_mean_what_they_mean_elsewhere(warehouse: &DatabricksWarehouse, catalog: &Catalog) {
    for (sql, wanted) in [
        ("SELECT sum(total), min(day), count(*) FROM orders WHERE id > 99", row(&["NULL", "NULL", "0"])),
        (
            "SELECT total, tags, place, counts, facts, seen FROM orders WHERE id = 1",
            row(&[
                "10.50",
                "[\"a\",\"b\"]",
                "{\"city\":\"Rome\",\"zip\":1}",
                "{\"x\":1}",
                "{\"k\":[7]}",
                "2024-01-05 10:00:00+00:00",
            ]),
        ),
        (
            "SELECT place.city, get(tags, 0), count_if(total > 15) OVER () FROM orders ORDER BY id LIMIT 1",
            row(&["Rome", "a", "1"]),
        ),
        ("SELECT e.tag FROM orders AS o, LATERAL explode(o.tags) AS e(tag) ORDER BY e.tag DESC LIMIT 1", row(&["b"])),
        ("SELECT variant_get(facts, '$.k[0]', 'INT') FROM orders WHERE id = 1", row(&["7"])),
        ("SELECT 'it''s', 'a\\'b' , `id` FROM orders WHERE id = 1 -- it's `one`", row(&["it's", "a'b", "1"])),
        (
            "SELECT max_by(id, total), median(total), filter(array(1, 2), x -> x > 1) FROM orders",
            row(&["2", "15.25", "[2]"]),
        ),
        ("SELECT year(day), try_cast('x' AS INT) FROM orders ORDER BY id LIMIT 1", row(&["2024", "NULL"])),
    ] {
        let proven = prove_read_only(sql, catalog).unwrap_or_else(|error| panic!("{sql}: {error}"));
        let batches = warehouse.run_query(&proven, Limits::default(), CancellationToken::new()).await;
        let page = match batches {
            Ok(batches) => read_page(batches, 1_000).await,
            Err(error) => Err(error),
        };
        assert_eq!(page.unwrap_or_else(|error| panic!("{sql}: {error:?}")).rows, [wanted], "{sql}");
    }
}

async fn a_query_is_prepared_without_running(warehouse: &DatabricksWarehouse) {
    let checked = warehouse
        .check_text("SELECT sum(total) AS b, day, raise_error('it ran') AS c FROM orders GROUP BY day -- why")
        .await;
    let names: Vec<String> = checked.unwrap().columns.into_iter().map(|column| column.name).collect();
    assert_eq!(names, ["b", "day", "c"]);
    let error = warehouse.check_text("SELECT nothing FROM orders").await.unwrap_err();
    assert!(
        matches!(&error, WarehouseError::Query { message } if message.contains("nothing") && !message.contains("Project")),
        "{error:?}"
    );
    for writes in ["INSERT INTO orders (id) VALUES (9)", "DROP TABLE orders"] {
        assert!(warehouse.check_text(writes).await.is_err(), "{writes}");
    }
}

async fn many_chunks_are_one_result_and_limits_hold(warehouse: &DatabricksWarehouse) {
    let limits = Limits { rows: None, ..Limits::default() };
    let all = "SELECT id, concat('n', id) AS name FROM range(12345) ORDER BY id";
    let mut batches = warehouse.query_text(all.to_owned(), limits, CancellationToken::new()).await.unwrap();
    let mut count = 0;
    while let Some(batch) = batches.stream.next().await {
        count += batch.unwrap().num_rows();
    }
    assert_eq!(count, 12_345);
    let limits = Limits { rows: Some(1_500), ..Limits::default() };
    let page = text(warehouse, "SELECT id FROM range(100000000)", limits.clone()).await.unwrap();
    assert_eq!((page.rows.len(), page.truncated), (1_500, true));
    let page = text(warehouse, "SELECT id FROM range(1500)", limits).await.unwrap();
    assert_eq!((page.rows.len(), page.truncated), (1_500, false));
}

async fn what_is_stopped_is_stopped_there(server: &DatabricksServer, warehouse: &DatabricksWarehouse) {
    let slow = |name: &str| {
        format!(
            "SELECT count(*) AS {name} FROM range(100000) a JOIN range(1000000) b ON sha2(CAST(a.id AS STRING), 256) > sha2(CAST(b.id AS STRING), 256)"
        )
    };
    let limits = Limits { timeout: Duration::from_secs(2), ..Limits::default() };
    assert_eq!(text(warehouse, &slow("too_late"), limits).await.unwrap_err(), WarehouseError::Timeout { seconds: 2 });
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(800)).await;
        stop.cancel();
    });
    let (began, limits) = (Instant::now(), Limits { timeout: Duration::from_secs(60), ..Limits::default() });
    let stopped = match warehouse.query_text(slow("given_up"), limits, cancel).await {
        Ok(batches) => read_page(batches, 10).await.map(drop),
        Err(error) => Err(error),
    };
    assert_eq!(stopped.unwrap_err(), WarehouseError::Cancelled);
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    let began = Instant::now();
    loop {
        let told = server.stopped().await;
        if told.contains("too_late") && told.contains("given_up") {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "Databricks works on: {told}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn what_goes_wrong_is_told_in_our_words(server: &DatabricksServer, warehouse: &DatabricksWarehouse) {
    let failed = async |address: &str| open(address).await.map(drop).unwrap_err();
    let at = |login: &str, place: &str| server.address_of(login, place);
    assert!(matches!(
        failed(&server.address().replace("token:token%3A1@", "")).await,
        WarehouseError::Password { refused: false, .. }
    ));
    let error = failed(&at("token:wrong-one", "spark_catalog/shop")).await;
    assert!(matches!(error, WarehouseError::Password { refused: true, .. }), "{error:?}");
    assert!(!format!("{error:?}").contains("wrong-one"), "{error:?}");
    let error = failed(&at("token:none%3A1", "spark_catalog/shop")).await;
    assert!(matches!(&error, WarehouseError::NotAdmitted { detail, .. } if detail.contains("permission")), "{error:?}");
    let error = failed(&at("token:token%3A1", "spark_catalog/nowhere")).await;
    assert!(matches!(error, WarehouseError::NotAdmitted { .. }), "{error:?}");
    let error = failed(&server.address().replace("abc123def456", "other1")).await;
    assert!(matches!(&error, WarehouseError::NotAdmitted { detail, .. } if detail.contains("endpoint")), "{error:?}");
    assert!(matches!(failed("databricks://token:x@127.0.0.1:1/a/b").await, WarehouseError::Unreachable { .. }));
    // A service principal gets a token for its secret, and none for a wrong one.
    let machine = open(&at("machine-1:secret%3A1", "spark_catalog/shop")).await.unwrap();
    assert_eq!(text(&machine, "SELECT current_user()", Limits::default()).await.unwrap().rows, [row(&["reads"])]);
    let error = failed(&at("machine-1:secret%3A2", "spark_catalog/shop")).await;
    assert!(matches!(error, WarehouseError::Password { refused: true, .. }), "{error:?}");
    let error = text(warehouse, "SELECT * FROM missing_one", Limits::default()).await.unwrap_err();
    let WarehouseError::Query { message } = &error else { panic!("{error:?}") };
    assert!(message.contains("missing_one") && !message.contains("SQLSTATE"), "{message}");
}

async fn a_test_tells_stage_by_stage_and_the_panel_what_holds(server: &DatabricksServer) {
    let options = OpenOptions::default();
    let (limit, cancel) = (Duration::from_secs(60), CancellationToken::new());
    let test =
        inspect_connection(WarehouseUri::parse(&server.address()), &options, limit, &|_| {}, cancel.clone()).await;
    let states: Vec<(TestStage, TestState)> = test.steps.iter().map(|step| (step.stage, step.state)).collect();
    let good =
        [TestStage::Name, TestStage::Reach, TestStage::Tls, TestStage::Login, TestStage::Role, TestStage::Readable];
    let mut wanted: Vec<(TestStage, TestState)> = good.into_iter().map(|stage| (stage, TestState::Ok)).collect();
    // The owner of tables has more rights than reading, and the test reports it.
    wanted.push((TestStage::Rights, TestState::Warning));
    assert_eq!(states, wanted, "{:?}", test.steps);
    let reader = server.address_of("token:reads%3A1", "spark_catalog/shop");
    let test = inspect_connection(WarehouseUri::parse(&reader), &options, limit, &|_| {}, cancel.clone()).await;
    assert_eq!(test.steps[6].state, TestState::Ok, "{:?}", test.steps);
    let wrong = server.address_of("token:wrong-one", "spark_catalog/shop");
    let test = inspect_connection(WarehouseUri::parse(&wrong), &options, limit, &|_| {}, cancel).await;
    assert!(test.password_wanted && test.steps[3].state == TestState::Failed, "{:?}", test.steps);
    for (address, rights) in [(server.address(), SafetyState::Missing), (reader, SafetyState::Holds)] {
        let layers = open(&address).await.unwrap().query_safety_layers().await.unwrap();
        let state = |kind: SafetyKind| layers.iter().find(|layer| layer.kind == kind).map(|layer| layer.state);
        assert_eq!(state(SafetyKind::Engine), Some(SafetyState::Missing));
        assert_eq!(state(SafetyKind::Rights), Some(rights), "{layers:?}");
    }
}
