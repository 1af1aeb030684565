//! MotherDuck on DuckDB's own engine behind a small server: reading, limits, cancellation, errors, read-only
//! enforcement.

use super::*;
use crate::{Limits, Warehouse, WarehouseUri, prove_read_only, read_page};
use std::collections::HashSet;
use std::time::Instant;
use vitrine_domain::{Page, SafetyKind, SafetyState, TableKind, TestStage, TestState};
use vitrine_test_servers::motherduck_server::MotherduckServer;

const SCRIPT: &str = "
    CREATE TABLE person (id INT PRIMARY KEY, name VARCHAR);
    CREATE TABLE orders (id BIGINT, day DATE, person_id INT REFERENCES person (id), total DECIMAL(10, 2), tags VARCHAR[],
                         place STRUCT(city VARCHAR, zip INT), seen TIMESTAMPTZ);
    COMMENT ON TABLE orders IS 'What was bought.'; COMMENT ON COLUMN orders.day IS 'when it was placed';
    INSERT INTO person VALUES (1, 'Ann');
    INSERT INTO orders VALUES
      (1, DATE '2024-01-05', 1, 10.50, ['a', 'b'], {'city': 'Rome', 'zip': 1}, '2024-01-05 10:00:00+00'),
      (2, DATE '2024-02-07', NULL, 20, [], {'city': 'Oslo', 'zip': 2}, NULL);
    CREATE UNIQUE INDEX by_name ON person (name);
    CREATE VIEW by_city AS SELECT place.city AS city, sum(total) AS total FROM orders GROUP BY ALL;
    CREATE SCHEMA stock; CREATE TABLE stock.thing (id INT); CREATE SEQUENCE numbers";

async fn open(address: &str) -> Result<MotherduckWarehouse, WarehouseError> {
    let uri = WarehouseUri::parse(address).unwrap();
    MotherduckWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await
}

async fn text(warehouse: &MotherduckWarehouse, sql: &str, limits: Limits) -> Result<Page, WarehouseError> {
    read_page(warehouse.query_text(sql.to_owned(), limits, CancellationToken::new()).await?, 100_000).await
}

fn row(cells: &[&str]) -> Vec<Option<String>> {
    cells.iter().map(|cell| (*cell != "NULL").then(|| (*cell).to_owned())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn motherduck_on_duckdb() {
    let server = MotherduckServer::start(SCRIPT);
    let warehouse = open(&server.address("shop")).await.unwrap();
    let catalog = warehouse.read_catalog().await.unwrap();
    tables_views_and_keys_are_read(&catalog);
    queries_mean_what_they_mean_in_duckdb(&warehouse, &catalog).await;
    a_query_is_prepared_without_running(&server, &warehouse).await;
    limits_hold(&warehouse).await;
    every_query_runs_in_a_transaction_that_only_reads(&server, &warehouse).await;
    what_goes_wrong_is_told_in_our_words(&server).await;
    a_test_tells_stage_by_stage_and_the_panel_what_holds(&server).await;
}

fn tables_views_and_keys_are_read(catalog: &Catalog) {
    let names: Vec<String> = catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!((catalog.database.as_str(), catalog.dialect), ("shop", Dialect::Duckdb));
    assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), 4);
    let table = |name: &str| catalog.tables.iter().find(|table| table.name.to_string() == name).expect(name);
    let (orders, person, view) = (table("orders"), table("person"), table("by_city"));
    assert!(table("stock.thing").name.schema.is_some());
    assert_eq!(view.kind, TableKind::View);
    assert!(view.definition.as_deref().unwrap_or_default().contains("sum(total)"), "{:?}", view.definition);
    assert_eq!((orders.comment.as_deref(), orders.row_count), (Some("What was bought."), Some(2)));
    assert_eq!(
        (person.primary_key.as_slice(), person.unique_keys.as_slice()),
        (&["id".into()][..], &[vec!["name".into()]][..])
    );
    let [key] = orders.foreign_keys.as_slice() else { panic!("{:?}", orders.foreign_keys) };
    assert_eq!(
        (key.columns[0].as_str(), key.ref_table.name.as_str(), key.ref_columns[0].as_str()),
        ("person_id", "person", "id")
    );
    let columns: Vec<(&str, &str)> = orders.columns.iter().map(|c| (c.name.as_str(), c.data_type.as_str())).collect();
    assert_eq!(
        columns[1..5],
        [("day", "DATE"), ("person_id", "INTEGER"), ("total", "DECIMAL(10,2)"), ("tags", "VARCHAR[]")]
    );
    assert_eq!(orders.columns[1].comment.as_deref(), Some("when it was placed"));
    assert!(!person.columns[0].nullable && person.columns[1].nullable);
}

async fn queries_mean_what_they_mean_in_duckdb(warehouse: &MotherduckWarehouse, catalog: &Catalog) {
    for (sql, wanted) in [
        ("SELECT sum(total), min(day), count(*) FROM orders WHERE id > 99", row(&["NULL", "NULL", "0"])),
        (
            "SELECT total, tags, place, seen FROM orders WHERE id = 1",
            row(&["10.50", "[\"a\",\"b\"]", "{\"city\":\"Rome\",\"zip\":1}", "2024-01-05 10:00:00+00:00"]),
        ),
        (
            "SELECT place.city, tags[1], sum(total) OVER () FROM orders ORDER BY id LIMIT 1",
            row(&["Rome", "a", "30.50"]),
        ),
        ("SELECT id, id FROM (FROM orders ORDER BY total DESC LIMIT 1)", row(&["2", "2"])),
        ("SELECT unnest(tags) AS tag FROM orders ORDER BY tag DESC LIMIT 1", row(&["b"])),
        ("SELECT 'it''s', 'a\\b', \"id\" FROM orders WHERE id = 1 -- it's \"one\"", row(&["it's", "a\\b", "1"])),
        ("FROM orders SELECT max_by(id, total), list_filter([1, 2], x -> x > 1)", row(&["2", "[2]"])),
        ("WITH x AS (SELECT 1 AS n) SELECT n + 1, TRY_CAST('x' AS INT) FROM x", row(&["2", "NULL"])),
    ] {
        let proven = prove_read_only(sql, catalog).unwrap_or_else(|error| panic!("{sql}: {error}"));
        let batches = warehouse.run_query(&proven, Limits::default(), CancellationToken::new()).await;
        let page = match batches {
            Ok(batches) => read_page(batches, 1_000).await,
            Err(error) => Err(error),
        };
        assert_eq!(page.unwrap_or_else(|error| panic!("{sql}: {error:?}")).rows, [wanted], "{sql}");
    }
    // The enclosing query keeps the order of a query.
    let sorted = text(warehouse, "SELECT n FROM range(50000) AS t(n) ORDER BY n % 7, n DESC", Limits::default()).await;
    let first: Vec<String> = sorted.unwrap().rows.into_iter().take(3).flatten().flatten().collect();
    assert_eq!(first, ["49994", "49987", "49980"]);
}

async fn a_query_is_prepared_without_running(server: &MotherduckServer, warehouse: &MotherduckWarehouse) {
    let queries = || server.statements().matches(") AS result(").count();
    let before = queries();
    assert!(before > 0, "{}", server.statements());
    let checked =
        warehouse.check_text("SELECT sum(total) AS b, day, error('it ran') AS c FROM orders GROUP BY day -- why").await;
    let names: Vec<String> = checked.unwrap().columns.into_iter().map(|column| column.name).collect();
    assert_eq!(names, ["b", "day", "c"]);
    let error = warehouse.check_text("SELECT nothing FROM orders").await.unwrap_err();
    assert!(matches!(&error, WarehouseError::Query { message } if message.contains("nothing")), "{error:?}");
    for writes in
        ["INSERT INTO orders (id) VALUES (9)", "DROP TABLE orders", "SELECT 1) ; DROP TABLE orders; SELECT (1"]
    {
        assert!(warehouse.check_text(writes).await.is_err(), "{writes}");
    }
    assert_eq!(queries(), before, "nothing but binding was asked for");
}

async fn limits_hold(warehouse: &MotherduckWarehouse) {
    let few = Limits { rows: Some(1_500), ..Limits::default() };
    let page = text(warehouse, "SELECT n FROM range(10000000) AS t(n)", few.clone()).await.unwrap();
    assert_eq!((page.rows.len(), page.truncated), (1_500, true));
    let page = text(warehouse, "SELECT n FROM range(1500) AS t(n)", few).await.unwrap();
    assert_eq!((page.rows.len(), page.truncated), (1_500, false));
    let little = Limits { timeout: Duration::from_secs(1), ..Limits::default() };
    let endless = "SELECT sum(a.n % 7 + b.n) AS n FROM range(10000000) AS a(n), range(10000000) AS b(n)";
    let began = Instant::now();
    assert_eq!(text(warehouse, endless, little).await.unwrap_err(), WarehouseError::Timeout { seconds: 1 });
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

/// Tests the engine's own read-only transaction, without the proof.
async fn every_query_runs_in_a_transaction_that_only_reads(server: &MotherduckServer, warehouse: &MotherduckWarehouse) {
    let session = warehouse.pool.begin_read_session(LOOKING).await.unwrap();
    for writes in ["INSERT INTO person VALUES (2, 'Bo')", "DROP TABLE stock.thing", "SELECT nextval('numbers')"] {
        let error = session.client.batch_execute(writes).await.unwrap_err();
        let told = error.as_db_error().map(|answer| answer.message().to_owned()).unwrap_or_default();
        assert!(told.contains("read-only"), "{writes}: {told}");
        session.client.batch_execute("ROLLBACK; BEGIN TRANSACTION READ ONLY").await.unwrap();
    }
    warehouse.pool.return_session(session).await;
    let error = text(warehouse, "SELECT nextval('numbers') AS n", Limits::default()).await.unwrap_err();
    assert!(matches!(error, WarehouseError::Refused { .. }), "{error:?}");
    let asked = server.statements();
    // Sessions run concurrently.
    let mut begun = HashSet::new();
    for line in asked.lines() {
        let (session, sql) = line.split_once('\t').expect("a session before each statement");
        match sql.split(' ').next() {
            Some("BEGIN" | "ROLLBACK;") => drop(begun.insert(session)),
            Some("ROLLBACK") => drop(begun.remove(session)),
            Some("SELECT") => assert!(begun.contains(session), "outside of a transaction: {line}"),
            _ => {}
        }
    }
    assert!(asked.lines().any(|line| line.ends_with("\tBEGIN TRANSACTION READ ONLY")), "{asked}");
}

async fn what_goes_wrong_is_told_in_our_words(server: &MotherduckServer) {
    let failed = async |address: &str| open(address).await.map(drop).unwrap_err();
    let error = failed(&server.address("shop").replace(":token%3A1@", "")).await;
    assert!(matches!(error, WarehouseError::Password { refused: false, .. }), "{error:?}");
    assert!(error.hint().is_some_and(|hint| hint.contains("MOTHERDUCK_TOKEN")), "{error:?}");
    let error = failed(&server.address_of("wrong-one", "shop")).await;
    assert!(matches!(error, WarehouseError::Password { refused: true, .. }), "{error:?}");
    assert!(!format!("{error:?}").contains("wrong-one"), "{error:?}");
    let error = failed(&server.address("nowhere")).await;
    assert!(matches!(&error, WarehouseError::NotAdmitted { detail, .. } if detail.contains("nowhere")), "{error:?}");
    assert!(matches!(failed("motherduck://:x@127.0.0.1:1/d").await, WarehouseError::Unreachable { .. }));
}

async fn a_test_tells_stage_by_stage_and_the_panel_what_holds(server: &MotherduckServer) {
    let options = OpenOptions::default();
    let (limit, cancel) = (Duration::from_secs(60), CancellationToken::new());
    for (database, rights, state) in
        [("shop", TestState::Warning, SafetyState::Missing), ("shared", TestState::Ok, SafetyState::Holds)]
    {
        let address = server.address(database);
        let test =
            crate::inspect_connection(WarehouseUri::parse(&address), &options, limit, &|_| {}, cancel.clone()).await;
        let states: Vec<(TestStage, TestState)> = test.steps.iter().map(|step| (step.stage, step.state)).collect();
        let good =
            [TestStage::Name, TestStage::Reach, TestStage::Tls, TestStage::Login, TestStage::Role, TestStage::Readable];
        let mut wanted: Vec<(TestStage, TestState)> = good.into_iter().map(|stage| (stage, TestState::Ok)).collect();
        wanted.push((TestStage::Rights, rights));
        assert_eq!(states, wanted, "{:?}", test.steps);
        let layers = open(&address).await.unwrap().safety_layers().await.unwrap();
        let told = |kind: SafetyKind| layers.iter().find(|layer| layer.kind == kind).map(|layer| layer.state);
        assert_eq!((told(SafetyKind::Engine), told(SafetyKind::Rights)), (Some(SafetyState::Partly), Some(state)));
        // The engine is not in this process and not in a sandbox of this program.
        assert_eq!(told(SafetyKind::Process), None, "{layers:?}");
    }
    let wrong = server.address_of("wrong-one", "shop");
    let test = crate::inspect_connection(WarehouseUri::parse(&wrong), &options, limit, &|_| {}, cancel).await;
    assert!(test.password_wanted && test.steps[3].state == TestState::Failed, "{:?}", test.steps);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_runs_where_a_macro_takes_the_place_of_a_function() {
    let reads = "(SELECT content FROM read_text('/etc/hostname'))";
    for (script, named) in [
        (format!("CREATE TABLE t (a INT); CREATE MACRO lower(x) AS {reads}"), Some("shop.lower")),
        (format!("CREATE TABLE t (a INT); CREATE MACRO \"+\"(a, b) AS {reads}"), Some("shop.+")),
        ("CREATE TABLE t (a INT); CREATE MACRO duckdb_functions() AS TABLE SELECT 1 WHERE false".to_owned(), None),
        ("CREATE TABLE t (a INT); CREATE MACRO lower(x) AS upper(x); CREATE MACRO own(x) AS x".to_owned(), None),
    ] {
        let server = MotherduckServer::start(&script);
        let warehouse = open(&server.address("shop")).await.unwrap();
        let ran = text(&warehouse, "SELECT 1 + 1 AS n, lower('A') AS a", Limits::default()).await;
        match (named, ran) {
            (Some(named), Err(WarehouseError::Refused { message })) => assert!(message.contains(named), "{message}"),
            (None, Ok(page)) => assert_eq!(page.rows.len(), 1, "{script}"),
            (_, other) => panic!("{script}: {other:?}"),
        }
    }
}

/// A macro that is created while the connection is open is found with the next catalog.
#[tokio::test(flavor = "multi_thread")]
async fn a_macro_that_is_made_later_is_found_with_the_next_catalog() {
    let server = MotherduckServer::start("CREATE TABLE t (a INT)");
    let warehouse = open(&server.address("shop")).await.unwrap();
    assert!(text(&warehouse, "SELECT lower('A') AS a", Limits::default()).await.is_ok());
    server.run("CREATE MACRO lower(x) AS (SELECT content FROM read_text(x))").await.unwrap();
    warehouse.read_catalog().await.unwrap();
    let error = text(&warehouse, "SELECT 1 AS a", Limits::default()).await.unwrap_err();
    assert!(matches!(error, WarehouseError::Refused { .. }), "{error:?}");
    assert!(matches!(warehouse.check_text("SELECT 1 AS a").await, Err(WarehouseError::Refused { .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_gone_is_an_error_of_its_own() {
    let mut server = MotherduckServer::start("CREATE TABLE t (a INT)");
    let warehouse = Arc::new(open(&server.address("shop")).await.unwrap());
    let endless = "SELECT sum(a.n % 7 + b.n) AS n FROM range(10000000) AS a(n), range(10000000) AS b(n)";
    let asking = warehouse.clone();
    let asked = tokio::spawn(async move { text(&asking, endless, Limits::default()).await });
    tokio::time::sleep(Duration::from_millis(700)).await;
    server.end();
    let error = asked.await.unwrap().unwrap_err();
    assert!(matches!(error, WarehouseError::Unreachable { .. }), "{error:?}");
}
