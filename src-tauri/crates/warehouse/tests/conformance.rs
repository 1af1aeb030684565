//! The conformance suite over every engine that can be started here.

use std::path::PathBuf;
use tokio_util::sync::CancellationToken;
use vitrine_test_servers::bigquery_emulator::BigqueryEmulator;
use vitrine_test_servers::clickhouse_server::ClickhouseServer;
use vitrine_test_servers::databricks_server::DatabricksServer;
use vitrine_test_servers::motherduck_server::MotherduckServer;
use vitrine_test_servers::mysql_server::{self, MysqlServer};
use vitrine_test_servers::postgres_server::PostgresServer;
use vitrine_test_servers::snowflake_emulator::{self, SnowflakeEmulator};
use vitrine_test_servers::sqlglot_server::{self, SqlglotServer};
use vitrine_warehouse::conformance::{CHECKS, ConformanceCheck, Outcome, run_conformance_suite};
use vitrine_warehouse::{OpenOptions, WarehouseUri};

fn caged() -> OpenOptions {
    OpenOptions { engine: Some(PathBuf::from(env!("CARGO_BIN_EXE_vitrine-engine"))), ..OpenOptions::default() }
}

/// Runs the suite and asserts that every check passes, except for the `untried` ones.
async fn conforms(address: &str, options: &OpenOptions, untried: &[&str]) -> Vec<ConformanceCheck> {
    conforms_over(6, address, options, untried).await
}

/// The same with a large result of 10^`digits` rows.
async fn conforms_over(digits: u32, address: &str, options: &OpenOptions, untried: &[&str]) -> Vec<ConformanceCheck> {
    let uri = WarehouseUri::parse(address).expect("an address");
    let checks = run_conformance_suite(&uri, options, digits, &mut |_| {}, &CancellationToken::new()).await;
    let told: Vec<String> =
        checks.iter().map(|c| format!("{} {:?}: {} ({:.1} s)", c.name, c.outcome, c.detail, c.seconds)).collect();
    assert_eq!(checks.len(), CHECKS.len());
    let of = |outcome: Outcome| -> Vec<&str> {
        checks.iter().filter(|check| check.outcome == outcome).map(|check| check.name.as_str()).collect()
    };
    assert_eq!(of(Outcome::Failed), Vec::<&str>::new(), "{}", told.join("\n"));
    assert_eq!(of(Outcome::Skipped), untried, "{}", told.join("\n"));
    checks
}

const NO_SERVER: [&str; 5] = ["cancel-seen", "password", "certificate", "missing", "permission"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_conforms() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shop.db");
    let database = rusqlite::Connection::open(&path).expect("SQLite");
    database.execute_batch("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)").expect("a table");
    drop(database);
    conforms(&format!("sqlite:{}", path.display()), &caged(), &NO_SERVER).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn duckdb_and_files_conform() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shop.duckdb");
    let database = duckdb::Connection::open(&path).expect("DuckDB");
    database.execute_batch("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)").expect("a table");
    drop(database);
    conforms(&format!("duckdb:{}", path.display()), &caged(), &NO_SERVER).await;
    let csv = folder.path().join("stores.csv");
    std::fs::write(&csv, "store,city\n1,Rome\n").expect("a file");
    conforms(&format!("file:{}", csv.display()), &caged(), &NO_SERVER).await;
}

/// With a read-only login, over a connection encrypted with an untrusted certificate.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_conforms() {
    let server = PostgresServer::start();
    server.encrypt();
    server.psql(
        "shop",
        "CREATE TABLE item (id int PRIMARY KEY, name text);
         CREATE ROLE reader LOGIN PASSWORD 'only-reads'; GRANT SELECT ON item TO reader;",
    );
    let address = server.address("shop").replace("owner:pass-word:1@", "reader:only-reads@");
    assert!(address.contains("reader"), "{address}");
    conforms(&address, &OpenOptions::default(), &[]).await;
    // With all rights, a warning is reported, and the suite is otherwise the same.
    conforms(&server.address("shop"), &OpenOptions::default(), &["permission"]).await;
}

/// The same suite for a MariaDB server.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mysql_conforms() {
    let folder = tempfile::tempdir().expect("a folder");
    let [certificate, key] = MysqlServer::certificate(folder.path());
    let server = MysqlServer::start_with(&[&certificate, &key]);
    server.script(
        "shop",
        &format!(
            "CREATE TABLE item (id int PRIMARY KEY, name text); CREATE USER reader IDENTIFIED BY '{}'; GRANT SELECT ON shop.* TO reader",
            mysql_server::PASSWORD
        ),
    );
    conforms(&server.address_of("reader", "shop"), &OpenOptions::default(), &[]).await;
    conforms(&server.address("shop"), &OpenOptions::default(), &["permission"]).await;
}

/// On the emulator, which supports neither logins nor rights.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bigquery_conforms_on_its_emulator() {
    let Some(emulator) = BigqueryEmulator::start() else { return };
    emulator.script(&["CREATE TABLE shop.item (id INT64 NOT NULL, name STRING)"]).await;
    let untried = ["cancel-seen", "lost", "password", "certificate", "permission"];
    conforms(&emulator.address("shop"), &OpenOptions::default(), &untried).await;
}

/// On the emulator, which supports neither rights nor certificates. Its driver always runs in a separate process.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn snowflake_conforms_on_its_emulator() {
    let emulator = SnowflakeEmulator::start().await;
    emulator.script(&["CREATE TABLE ITEM (ID INT PRIMARY KEY, NAME VARCHAR)"]).await;
    let options = OpenOptions { driver: Some(snowflake_emulator::driver("snowflake")), ..caged() };
    conforms(&emulator.address(), &options, &["cancel-seen", "certificate", "permission"]).await;
}

/// On its own engine behind a small HTTP server, whose only user has all rights.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clickhouse_conforms_on_its_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |option: String| PathBuf::from(option.split_once('=').expect("an option").1);
    let [certificate, key] = MysqlServer::certificate(folder.path()).map(file);
    let server = ClickhouseServer::start_with(&[&certificate, &key]);
    server.script(&["CREATE TABLE item (id Int32, name String) ENGINE = MergeTree ORDER BY id"]).await;
    // Ten million rows, streamed.
    conforms_over(7, &server.address(), &OpenOptions::default(), &[]).await;
}

/// On Spark behind a server that implements Databricks' API and does not list other statements.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn databricks_conforms_on_spark() {
    let server = DatabricksServer::start();
    server.script(&["CREATE TABLE item (id INT, name STRING)"]).await;
    let untried = ["cancel-seen", "lost", "certificate", "permission"];
    // The server of the tests writes rows at the speed of Python.
    conforms_over(4, &server.address(), &OpenOptions::default(), &untried).await;
}

/// On DuckDB's own engine behind a small server that speaks PostgreSQL's protocol and does not list other statements.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn motherduck_conforms_on_duckdb() {
    let server = MotherduckServer::start("CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR)");
    let untried = ["cancel-seen", "lost", "certificate", "permission"];
    // The server of the tests writes rows at the speed of Python.
    conforms_over(5, &server.address("shop"), &OpenOptions::default(), &untried).await;
}

/// Dialects of unavailable engines, translated by sqlglot and run by DuckDB, without logins and rights.
async fn conforms_where_sqlglot_reads(dialect: &'static str) {
    let server = SqlglotServer::start(dialect, "CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR)");
    let options = OpenOptions { driver: Some(sqlglot_server::driver()), ..caged() };
    let untried = ["cancel-seen", "password", "unreachable", "certificate", "missing", "permission"];
    // Ten million rows, streamed.
    conforms_over(7, &server.address(), &options, &untried).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trino_conforms_where_sqlglot_reads_it() {
    conforms_where_sqlglot_reads("trino").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sql_server_conforms_where_sqlglot_reads_it() {
    conforms_where_sqlglot_reads("mssql").await;
}

/// The suite must be able to fail: it reports a missing database.
#[tokio::test]
async fn what_does_not_open_fails() {
    let uri = WarehouseUri::parse("postgresql://nobody@127.0.0.1:1/nothing").expect("an address");
    let mut told = 0;
    let checks =
        run_conformance_suite(&uri, &OpenOptions::default(), 3, &mut |_| told += 1, &CancellationToken::new()).await;
    assert_eq!((checks[0].outcome, told), (Outcome::Failed, CHECKS.len()), "{:?}", checks[0]);
    assert!(checks[0].detail.starts_with("Unreachable"), "{:?}", checks[0]);
    assert!(checks[1..].iter().all(|check| check.outcome == Outcome::Skipped));
}
