//! The dialect pages on dates, as models read them: their expressions for today and for a period before it pass the
//! read-only guard and run on every engine that can be started here.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio_util::sync::CancellationToken;
use vitrine_domain::Dialect;
use vitrine_sql::{DialectExt, ReadOnlySql};
use vitrine_test_servers::bigquery_emulator::BigqueryEmulator;
use vitrine_test_servers::clickhouse_server::ClickhouseServer as Clickhouse;
use vitrine_test_servers::databricks_server::DatabricksServer as Databricks;
use vitrine_test_servers::mysql_server::MysqlServer;
use vitrine_test_servers::postgres_server::PostgresServer;
use vitrine_test_servers::snowflake_emulator::{self, SnowflakeEmulator as Snowflake};
use vitrine_test_servers::sqlglot_server::{self, SqlglotServer};
use vitrine_warehouse::{Limits, OpenOptions, WarehouseUri, open_with, read_page};

/// Returns a page's expression of today, and its condition of last month on a column `d`.
fn said(dialect: Dialect) -> (String, String) {
    let line =
        dialect.sql().date_page().lines().find(|line| line.contains("counts from today")).expect("a line on the clock");
    let behind = |text: &str, words: &str| text.split_once(words).expect(words).1.to_owned();
    let today = behind(line, "today is ");
    let today = today.split([',', ';']).next().expect("an expression").to_owned();
    (today, behind(line, "last month is ").trim_end_matches('.').to_owned())
}

/// Converts days since 1970 to year, month and day (calendar arithmetic in eras of 400 years).
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// Returns the days from 100 before to 40 after today, each as `2024-03-05`.
fn days() -> Vec<String> {
    let today = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs() as i64 / 86_400;
    let text = |(year, month, day): (i64, i64, i64)| format!("{year:04}-{month:02}-{day:02}");
    (today - 100..=today + 40).map(|day| text(civil(day))).collect()
}

/// Returns the script for a table of these days and one of their last seconds.
fn script(dialect: Dialect) -> String {
    let time = if dialect == Dialect::Mysql { "DATETIME" } else { "TIMESTAMP" };
    let rows = |tail: &str| days().iter().map(|day| format!("('{day}{tail}')")).collect::<Vec<_>>().join(", ");
    format!(
        "CREATE TABLE seen (d DATE); INSERT INTO seen VALUES {}; CREATE TABLE late (d {time}); INSERT INTO late VALUES {};",
        rows(""),
        rows(" 23:59:59")
    )
}

/// The same as separate statements, with typed constants.
fn statements(dialect: Dialect) -> Vec<String> {
    let (engine, day, time) = match dialect {
        Dialect::Clickhouse => (" ENGINE = MergeTree ORDER BY d", "Date", "DateTime"),
        Dialect::Snowflake => ("", "DATE", "TIMESTAMP_NTZ"),
        Dialect::Bigquery => ("", "DATE", "DATETIME"),
        _ => ("", "DATE", "TIMESTAMP"),
    };
    let place = if dialect == Dialect::Bigquery { "shop." } else { "" };
    let rows = |kind: &str, tail: &str| {
        days().iter().map(|day| format!("SELECT CAST('{day}{tail}' AS {kind})")).collect::<Vec<_>>().join(" UNION ALL ")
    };
    [("seen", day, ""), ("late", time, " 23:59:59")]
        .into_iter()
        .flat_map(|(table, kind, tail)| {
            [
                format!("CREATE TABLE {place}{table} (d {kind}){engine}"),
                format!("INSERT INTO {place}{table} {}", rows(kind, tail)),
            ]
        })
        .collect()
}

/// Checks that a page's condition selects the days of last month.
async fn holds(dialect: Dialect, address: &str) {
    holds_of(dialect, address, OpenOptions::default(), &["seen", "late"]).await;
}

async fn holds_of(dialect: Dialect, address: &str, options: OpenOptions, tables: &[&str]) {
    let warehouse = open_with(&WarehouseUri::parse(address).expect("an address"), &options).await.expect("a database");
    assert_eq!(warehouse.dialect(), dialect);
    let cells = async |sql: &str| -> Vec<String> {
        let sql = ReadOnlySql::parse(sql, dialect).unwrap_or_else(|error| panic!("{dialect:?}: {error}: {sql}"));
        let batches = warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await;
        let page =
            read_page(batches.unwrap_or_else(|error| panic!("{dialect:?}: {error}")), 1_000).await.expect("rows");
        page.rows.into_iter().map(|row| row[0].clone().expect("a day").chars().take(10).collect()).collect()
    };
    let (today, last_month) = said(dialect);
    let now = cells(&format!("SELECT {today}")).await.remove(0);
    assert!(days()[99..=101].contains(&now), "{dialect:?}: {now} is not today, wherever the engine is");
    let (year, month) = (now[..4].parse::<i32>().expect("a year"), now[5..7].parse::<i32>().expect("a month"));
    let before = if month == 1 { format!("{}-12-", year - 1) } else { format!("{year}-{:02}-", month - 1) };
    let wanted: Vec<String> = days().into_iter().filter(|day| day.starts_with(&before)).collect();
    assert!((28..=31).contains(&wanted.len()));
    for table in tables {
        let found = cells(&format!("SELECT d FROM {table} WHERE {last_month} ORDER BY d")).await;
        assert_eq!(found, wanted, "{dialect:?}, {table}");
    }
    warehouse.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn last_month_is_what_the_page_says_in_sqlite_and_duckdb() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("days.sqlite");
    let database = rusqlite::Connection::open(&path).expect("SQLite");
    database.execute_batch(&script(Dialect::Sqlite)).expect("days");
    holds(Dialect::Sqlite, &format!("sqlite:{}", path.display())).await;
    let path = folder.path().join("days.duckdb");
    let database = duckdb::Connection::open(&path).expect("DuckDB");
    database.execute_batch(&script(Dialect::Duckdb)).expect("days");
    drop(database);
    holds(Dialect::Duckdb, &format!("duckdb:{}", path.display())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn last_month_is_what_the_page_says_in_postgresql() {
    let server = PostgresServer::start();
    server.psql("shop", &script(Dialect::Postgres));
    holds(Dialect::Postgres, &server.address("shop")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn last_month_is_what_the_page_says_in_mariadb() {
    let server = MysqlServer::start();
    server.script("shop", &script(Dialect::Mysql));
    holds(Dialect::Mysql, &server.address("shop")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn last_month_is_what_the_page_says_in_clickhouse() {
    let server = Clickhouse::start();
    server.script(&statements(Dialect::Clickhouse)).await;
    holds(Dialect::Clickhouse, &server.address()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn last_month_is_what_the_page_says_in_spark() {
    let server = Databricks::start();
    server.script(&statements(Dialect::Databricks)).await;
    holds(Dialect::Databricks, &server.address()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn last_month_is_what_the_page_says_in_snowflakes_emulator() {
    let emulator = Snowflake::start().await;
    let script = statements(Dialect::Snowflake);
    emulator.script(&script.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let engine = Some(PathBuf::from(env!("CARGO_BIN_EXE_vitrine-engine")));
    let options =
        OpenOptions { engine, driver: Some(snowflake_emulator::driver("snowflake")), ..OpenOptions::default() };
    holds_of(Dialect::Snowflake, &emulator.address(), options, &["seen", "late"]).await;
}

/// The pages of dialects that sqlglot translates for DuckDB.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn last_month_is_what_the_page_says_where_sqlglot_reads_it() {
    for (name, dialect) in [("trino", Dialect::Trino), ("mssql", Dialect::Mssql)] {
        let server = SqlglotServer::start(name, &script(Dialect::Duckdb));
        let engine = Some(PathBuf::from(env!("CARGO_BIN_EXE_vitrine-engine")));
        let options = OpenOptions { engine, driver: Some(sqlglot_server::driver()), ..OpenOptions::default() };
        holds_of(dialect, &server.address(), options, &["seen", "late"]).await;
    }
}

/// BigQuery compares a DATE only with a DATE.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn last_month_is_what_the_page_says_in_bigquerys_emulator() {
    let Some(emulator) = BigqueryEmulator::start() else { return };
    let script = statements(Dialect::Bigquery);
    emulator.script(&script.iter().map(String::as_str).collect::<Vec<_>>()).await;
    holds_of(Dialect::Bigquery, &emulator.address("shop"), OpenOptions::default(), &["seen"]).await;
}
