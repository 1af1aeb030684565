//! Snowflake through its driver, on its emulator, and another driver that the user added: always in separate processes.

use futures::TryStreamExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{CellType, SafetyKind, SafetyState};
use vitrine_sql::ReadOnlySql;
use vitrine_test_servers::snowflake_emulator::{SnowflakeEmulator, driver};
use vitrine_warehouse::{
    Limits, OpenOptions, Warehouse, WarehouseError, WarehouseUri, open_with, proof_layer, prove_read_only, read_page,
};

fn options(name: &str) -> OpenOptions {
    let engine = Some(PathBuf::from(env!("CARGO_BIN_EXE_vitrine-engine")));
    OpenOptions { engine, driver: Some(driver(name)), ..OpenOptions::default() }
}

async fn opened(address: &str, name: &str) -> Result<Arc<dyn Warehouse>, WarehouseError> {
    open_with(&WarehouseUri::parse(address)?, &options(name)).await
}

async fn page(warehouse: &dyn Warehouse, sql: &str) -> Result<vitrine_domain::Page, WarehouseError> {
    let sql = ReadOnlySql::parse(sql, warehouse.dialect()).expect("a read");
    read_page(warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await?, 1_000).await
}

#[tokio::test(flavor = "multi_thread")]
async fn snowflake_opens_tells_its_tables_and_answers() {
    let emulator = SnowflakeEmulator::start().await;
    emulator
        .script(&[
            "CREATE TABLE ITEM (ID INT PRIMARY KEY, NAME VARCHAR, PRICE NUMBER(10,2), SOLD TIMESTAMP_NTZ, DOC VARIANT) COMMENT = 'what is sold'",
            "INSERT INTO ITEM SELECT 1, 'Tür', 12.34, '2024-02-29 12:00:00', PARSE_JSON('{\"k\": [1, 2]}')",
            "INSERT INTO ITEM SELECT 2, NULL, 99999999.99, NULL, NULL",
        ])
        .await;
    let warehouse = opened(&emulator.address(), "snowflake").await.expect("opens");
    let catalog = warehouse.load_catalog().await.expect("a catalog");
    let item = catalog.find_table("ITEM").expect("a table");
    assert_eq!((item.comment.as_deref(), item.primary_key.join(",")), (Some("what is sold"), "ID".to_owned()));
    let types: Vec<String> =
        item.columns.iter().map(|column| format!("{} {}", column.name, column.data_type)).collect();
    assert_eq!(types[..3], ["ID NUMBER(38,0)", "NAME TEXT", "PRICE NUMBER(10,2)"]);
    let sql = "SELECT id, name, price, sold, doc FROM item ORDER BY id";
    let checked = warehouse.check_query(&prove_read_only(sql, &catalog).expect("a read")).await.expect("columns");
    // As EXPLAIN is documented; the cost is unknown, so none is reported.
    assert_eq!((checked.bytes, checked.metered), (Some(49_152), None));
    let columns = checked.columns;
    let kinds: Vec<CellType> = columns.iter().map(|column| column.cell_type).collect();
    use CellType as C;
    assert_eq!(kinds, [C::Integer, C::Text, C::Decimal, C::Timestamp, C::Nested]);
    let rows = page(warehouse.as_ref(), sql).await.expect("rows");
    let kinds: Vec<CellType> = rows.columns.iter().map(|column| column.cell_type).collect();
    assert_eq!(kinds, [C::Integer, C::Text, C::Decimal, C::Timestamp, C::Nested]);
    let cells = |row: usize| rows.rows[row].iter().map(|cell| cell.clone().unwrap_or_default()).collect::<Vec<_>>();
    assert_eq!(cells(0)[..4], ["1", "Tür", "12.34", "2024-02-29 12:00:00"]);
    assert_eq!(cells(0)[4].replace(char::is_whitespace, ""), "{\"k\":[1,2]}");
    assert_eq!(cells(1), ["2", "", "99999999.99", "", ""]);
    // A value out of range is an error, not another date.
    let error = page(warehouse.as_ref(), "SELECT '9999-01-01'::TIMESTAMP_NTZ AS a").await.expect_err("it does not fit");
    assert!(error.to_string().contains("overflow"), "{error}");
    let error = page(warehouse.as_ref(), "SELECT nothing FROM item").await.expect_err("no such column");
    assert!(matches!(&error, WarehouseError::Query { message } if message.contains("NOTHING")), "{error:?}");
    let layers = warehouse.safety_layers().await.expect("layers");
    let state = |kind: SafetyKind| layers.iter().find(|layer| layer.kind == kind).map(|layer| layer.state);
    assert_eq!(state(SafetyKind::Engine), Some(SafetyState::Partly));
    assert_eq!(state(SafetyKind::Rights), Some(SafetyState::Unknown), "the emulator knows no grants");
    warehouse.close().await;
    // The first statements of the session.
    let log = emulator.log();
    let login = log.lines().rfind(|line| line.contains("\"ann\"")).expect("a login");
    for told in
        ["STATEMENT_TIMEOUT_IN_SECONDS", "ABORT_DETACHED_QUERY", "QUERY_TAG", "MULTI_STATEMENT_COUNT", "vitrine"]
    {
        assert!(login.contains(told), "{told}: {login}");
    }
    assert!(log.contains("USE SECONDARY ROLES NONE"), "{log}");
}

/// Snowflake's response to a wrong password is written from its documentation.
#[tokio::test(flavor = "multi_thread")]
async fn documented_a_wrong_password_is_refused_as_one() {
    let emulator = SnowflakeEmulator::start().await;
    let address = emulator.address();
    let wrong = address.replace("pass-word", "wrong");
    let error = opened(&wrong, "snowflake").await.map(drop).expect_err("a wrong password");
    assert!(matches!(&error, WarehouseError::Password { refused: true, .. }), "{error:?}");
    assert!(!format!("{error:?} {error}").contains("wrong:1"), "{error:?}");
    let none = address.replace(":pass-word%3A1", "");
    let error = opened(&none, "snowflake").await.map(drop).expect_err("no password");
    assert!(matches!(error, WarehouseError::Password { refused: false, .. }), "{error:?}");
    // A token is sent as a token.
    let token = address.replace("?", "?authenticator=programmatic_access_token&");
    opened(&token, "snowflake").await.expect("a token");
    assert!(emulator.log().contains("PROGRAMMATIC_ACCESS_TOKEN"), "{}", emulator.log());
}

fn logins(emulator: &SnowflakeEmulator) -> usize {
    emulator.log().lines().filter(|line| line.contains("\"login\": \"ann\"")).count()
}

/// Snowflake's response to an expired session is written from its documentation.
#[tokio::test(flavor = "multi_thread")]
async fn documented_an_expired_session_is_no_fault_of_the_query() {
    let emulator = SnowflakeEmulator::start().await;
    let warehouse = opened(&emulator.address(), "snowflake").await.expect("opens");
    let seven = async || page(warehouse.as_ref(), "SELECT 7 AS n").await;
    seven().await.expect("works");
    let before = logins(&emulator);
    emulator.expire("").await;
    seven().await.expect("the login still holds");
    assert_eq!(logins(&emulator) - before, 1, "signed in again by itself");
    emulator.expire("another").await;
    for time in 2..=3 {
        let error = seven().await.expect_err("the password has changed");
        assert!(matches!(error, WarehouseError::SignInAgain { .. }), "{error:?}");
        assert_eq!(logins(&emulator) - before, time, "one login for each question");
    }
    let error = warehouse.load_catalog().await.expect_err("the password has changed");
    assert!(matches!(error, WarehouseError::SignInAgain { .. }), "{error:?}");
}

/// Snowflake's sign-in through the browser is written from its driver.
#[tokio::test(flavor = "multi_thread")]
async fn documented_signing_in_by_the_browser_opens_one_tab() {
    use std::os::unix::fs::PermissionsExt;
    let emulator = SnowflakeEmulator::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    // The page opener records each page and signs the user in at once.
    let script = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("may run");
        path
    };
    let tabs = folder.path().join("tabs");
    script(
        "xdg-open",
        format!("#!/bin/sh\necho \"$1\" >> {}\ncurl -s --noproxy '*' \"$1\" >/dev/null 2>&1 &\n", tabs.display()),
    );
    let path = std::env::var("PATH").unwrap_or_default();
    let engine = format!(
        "#!/bin/sh\nPATH={}:{path} exec {} \"$@\"\n",
        folder.path().display(),
        env!("CARGO_BIN_EXE_vitrine-engine")
    );
    let engine = script("engine", engine);
    let address = emulator.address().replace(":pass-word%3A1", "").replace("?", "?authenticator=externalbrowser&");
    let options = OpenOptions { engine: Some(engine), ..options("snowflake") };
    let uri = WarehouseUri::parse(&address).expect("an address");
    let warehouse = open_with(&uri, &options).await.expect("opens");
    warehouse.load_catalog().await.expect("a catalog");
    // Truncated results, invalid queries, and concurrent ones.
    let many = "SELECT seq4() AS n FROM TABLE(GENERATOR(ROWCOUNT => 20000))";
    let rows = |sql: &'static str, limits: Limits| {
        let warehouse = warehouse.clone();
        async move {
            let sql = ReadOnlySql::parse(sql, warehouse.dialect()).expect("a read");
            read_page(warehouse.run_query(&sql, limits, CancellationToken::new()).await?, 100_000).await
        }
    };
    let few = || Limits { rows: Some(3), ..Limits::default() };
    for _ in 0..3 {
        assert_eq!(rows(many, few()).await.expect("cut off").rows.len(), 3);
        rows("SELECT nothing FROM nowhere", few()).await.expect_err("no such table");
        assert_eq!(rows("SELECT 7 AS n", few()).await.expect("works").rows, [[Some("7".to_owned())]]);
    }
    let (a, b, c) = tokio::join!(rows(many, few()), rows("SELECT 8 AS n", few()), rows("SELECT 9 AS n", few()));
    let all = [a.expect("cut off"), b.expect("works"), c.expect("works")];
    assert_eq!(all.map(|page| page.rows.len()), [3, 1, 1]);
    let opened = std::fs::read_to_string(&tabs).unwrap_or_default();
    assert_eq!(opened.lines().count(), 1, "{opened}");
    // An expired session requires the user again: once, and only for a question.
    emulator.expire("").await;
    let error = rows("SELECT 7 AS n", few()).await.expect_err("expired");
    assert!(matches!(error, WarehouseError::SignInAgain { .. }), "{error:?}");
    rows("SELECT 7 AS n", few()).await.expect("signed in again");
    let opened = std::fs::read_to_string(&tabs).unwrap_or_default();
    assert_eq!(opened.lines().count(), 2, "{opened}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_is_cancelled_is_seen_cancelled() {
    let emulator = SnowflakeEmulator::start().await;
    let warehouse = opened(&emulator.address(), "snowflake").await.expect("opens");
    let digits = (1..10).map(|digit| format!(" UNION ALL SELECT {digit}")).collect::<String>();
    let from = (0..12).map(|at| format!("x AS a{at}")).collect::<Vec<_>>().join(" CROSS JOIN ");
    let endless = format!("WITH x AS (SELECT 0 AS d{digits}) SELECT sum((a0.d + a11.d) % 7) AS n FROM {from}");
    let sql = ReadOnlySql::parse(&endless, warehouse.dialect()).expect("a read");
    let cancel = CancellationToken::new();
    let stop = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert!(!emulator.log().contains("abort"), "nothing has stopped it yet");
        cancel.cancel();
        Instant::now()
    };
    let query = async {
        let rows = warehouse.run_query(&sql, Limits::default(), cancel.clone()).await?;
        rows.stream.try_collect::<Vec<_>>().await
    };
    let (ended, stopped) = tokio::join!(query, stop);
    assert_eq!(ended.map(|rows| rows.len()), Err(WarehouseError::Cancelled));
    assert!(stopped.elapsed() < Duration::from_secs(5), "{:?}", stopped.elapsed());
    while !emulator.log().contains("abort") {
        assert!(stopped.elapsed() < Duration::from_secs(5), "the server was told to stop: {}", emulator.log());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(
        page(warehouse.as_ref(), "SELECT 7 AS n").await.expect("the next one runs").rows[0][0].as_deref(),
        Some("7")
    );
}

#[tokio::test]
async fn without_a_driver_it_is_said_how_to_get_one() {
    let uri = WarehouseUri::parse("snowflake://ann@acme/SHOP").expect("an address");
    let error =
        open_with(&uri, &OpenOptions { driver: None, ..options("snowflake") }).await.map(drop).expect_err("no driver");
    assert_eq!(error, WarehouseError::NoDriver { name: "snowflake".to_owned() });
    assert!(error.hint().is_some_and(|hint| hint.contains("vitrine drivers add snowflake")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_library_that_is_no_driver_ends_nothing_but_its_own_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = folder.path().join("libnone.so");
    std::fs::write(&library, "no library").expect("a file");
    let uri = WarehouseUri::parse("adbc:sqlite?uri=x").expect("an address");
    let error = open_with(&uri, &OpenOptions { driver: Some(library), ..options("sqlite") }).await.map(drop);
    assert!(matches!(error, Err(WarehouseError::NotAdmitted { .. })), "{error:?}");
}

/// The driver of SQLite as one that the user added; this crate has no code for it.
#[tokio::test(flavor = "multi_thread")]
async fn any_other_driver_is_read_from_and_called_a_preview() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shop.db");
    let database = rusqlite::Connection::open(&path).expect("SQLite");
    database
        .execute_batch(
            "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
             CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers (id), total REAL);
             CREATE VIEW dear AS SELECT * FROM orders WHERE total > 5;
             INSERT INTO customers VALUES (1, 'Tür'), (2, 'Bob'); INSERT INTO orders VALUES (1, 1, 9.5), (2, 2, 1.5);",
        )
        .expect("tables");
    drop(database);
    let address = format!("adbc:sqlite?uri={}", path.display());
    let warehouse = opened(&address, "sqlite").await.expect("opens");
    let catalog = warehouse.load_catalog().await.expect("a catalog");
    let names: Vec<String> = catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["customers", "dear", "orders"]);
    let orders = catalog.find_table("orders").expect("a table");
    assert_eq!((orders.primary_key.join(","), orders.foreign_keys.len()), ("id".to_owned(), 1), "{orders:?}");
    assert_eq!(orders.foreign_keys[0].ref_table.to_string(), "customers");
    let sql = "SELECT c.name, sum(o.total) AS total FROM customers c JOIN orders o ON o.customer = c.id GROUP BY c.name ORDER BY 1 DESC";
    let proven = prove_read_only(sql, &catalog).expect("a read");
    let names: Vec<String> =
        warehouse.check_query(&proven).await.expect("columns").columns.into_iter().map(|column| column.name).collect();
    assert_eq!(names, ["name", "total"]);
    let rows = page(warehouse.as_ref(), sql).await.expect("rows");
    assert_eq!(rows.rows[0], [Some("Tür".to_owned()), Some("9.5".to_owned())]);
    assert!(
        prove_read_only("DELETE FROM orders", &catalog).is_err()
            && prove_read_only("SELECT load_extension('x')", &catalog).is_err()
    );
    let error = page(warehouse.as_ref(), "SELECT 'a\\b' AS a").await.expect_err("a backslash");
    assert!(matches!(error, WarehouseError::Refused { .. }), "{error:?}");
    let layers = warehouse.safety_layers().await.expect("layers");
    let engine = layers.iter().find(|layer| layer.kind == SafetyKind::Engine).expect("a layer");
    assert!(
        engine.state == SafetyState::Missing && engine.says.contains("no engine-level proof of read-only"),
        "{engine:?}"
    );
    let process = layers.iter().find(|layer| layer.kind == SafetyKind::Process).expect("a layer");
    assert_eq!(process.state, SafetyState::Partly, "{process:?}");
    assert!(proof_layer(vitrine_warehouse::WarehouseKind::Adbc).says.contains("Preview"));
}

/// Parses the statements of a corpus with their kinds: `## KIND` starts a kind, `
/// ` represents a line break.
fn entries(text: &'static str) -> Vec<(&'static str, String)> {
    let mut kind = "";
    let mut entries = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("## ") {
            Some(named) => kind = named,
            None => entries.push((kind, line.replace('⏎', "\n"))),
        }
    }
    entries
}

/// Like Snowflake, the emulator has no read-only mode: only the proof and the role protect it.
#[tokio::test(flavor = "multi_thread")]
async fn every_real_statement_runs_and_no_hostile_one_is_proven() {
    let emulator = SnowflakeEmulator::start().await;
    emulator.script(&include_str!("statements/snowflake/tables.sql").lines().collect::<Vec<_>>()).await;
    let warehouse = opened(&emulator.address(), "snowflake").await.expect("opens");
    let catalog = warehouse.load_catalog().await.expect("a catalog");
    assert_eq!(catalog.tables.len(), 5, "{catalog:?}");
    let mut failing = Vec::new();
    for (_, sql) in entries(include_str!("statements/snowflake/real.sql")) {
        let ran = match prove_read_only(&sql, &catalog) {
            Ok(proven) => match warehouse.run_query(&proven, Limits::default(), CancellationToken::new()).await {
                Ok(rows) => read_page(rows, 1_000).await.map(drop).map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            },
            Err(rejection) => Err(rejection.to_string()),
        };
        failing.extend(ran.err().map(|reason| format!("{sql}\n      {reason}")));
    }
    let hostile = entries(include_str!("statements/snowflake/hostile.sql"));
    let proven: Vec<&str> =
        hostile.iter().filter(|(_, sql)| prove_read_only(sql, &catalog).is_ok()).map(|(_, sql)| sql.as_str()).collect();
    assert!(
        proven.is_empty() && failing.is_empty(),
        "hostile statements that are proven:\n  {}\nreal ones that fail:\n  {}",
        proven.join("\n  "),
        failing.join("\n  ")
    );
    let state = async || {
        let counts = "SELECT (SELECT count(*) FROM customers) AS a, (SELECT count(*) FROM items) AS b";
        let tables = warehouse.load_catalog().await.map(|catalog| catalog.tables.len()).unwrap_or_default();
        (tables, page(warehouse.as_ref(), counts).await.map(|page| page.rows).unwrap_or_default())
    };
    // The same statements without the proof, to show that the assertions above can fail.
    let (mut harmful, mut last) = (0, state().await);
    for (_, sql) in hostile.iter().filter(|(kind, _)| ["writes", "definitions"].contains(kind)) {
        if emulator.run(sql).await.is_ok() {
            let now = state().await;
            harmful += u32::from(now != last);
            last = now;
        }
    }
    assert!(harmful >= 5, "{harmful}");
}
