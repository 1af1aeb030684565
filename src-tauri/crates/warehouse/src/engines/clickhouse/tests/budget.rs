//! Bytes read by ClickHouse queries: estimated in advance by the engine, counted afterwards, limited.

use super::super::ClickhouseWarehouse;
use super::server::open;
use crate::engine::Engine;
use crate::{
    Limited, Limits, MeteredWarehouse, Metering, ScanMeter, Warehouse, WarehouseError, compute_share, prove_read_only,
    read_page,
};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_test_servers::clickhouse_server::ClickhouseServer;

/// A table of 300,000 rows with columns of known sizes, where a query of one day needs a few thousand rows; 1,000 rows
/// in one part; a table engine without parts.
const TABLES: &[&str] = &[
    "CREATE TABLE a (id Int64, day Date, name String, big String) ENGINE = MergeTree PARTITION BY toYYYYMM(day) ORDER BY (day, id)",
    "INSERT INTO a SELECT number, toDate('2024-01-01') + number % 60, toString(number), repeat('x', 100) FROM numbers(300000)",
    "CREATE TABLE b (id Int64, v Float64) ENGINE = MergeTree ORDER BY id",
    "INSERT INTO b SELECT number, number FROM numbers(1000)",
    "CREATE TABLE l (id Int64) ENGINE = Log",
    "INSERT INTO l SELECT number FROM numbers(1000)",
    "CREATE VIEW va AS SELECT id, name FROM a",
];
/// Total bytes of the column `id`.
const IDS: u64 = 8 * 300_000;

/// A meter with an optional limit in bytes and the spent bytes.
pub(super) struct Cap {
    pub most: Option<u64>,
    pub spent: Mutex<u64>,
}

impl Cap {
    pub fn spent(&self) -> u64 {
        *self.spent.lock().unwrap()
    }
}

impl ScanMeter for Cap {
    fn reserve_bytes(&self, least: u64, most: u64) -> Result<Option<u64>, WarehouseError> {
        let mut spent = self.spent.lock().unwrap();
        let Some(cap) = self.most else {
            *spent += least;
            return Ok(None);
        };
        let Some(granted) = compute_share(least, most, cap.saturating_sub(*spent)) else {
            let (whose, spent) = (Limited::Question, *spent);
            return Err(WarehouseError::OverCap { whose, most: cap, spent, ahead: least, price: None });
        };
        *spent += granted;
        Ok(Some(granted))
    }

    fn record_billed(&self, reserved: u64, billed: u64) {
        let mut spent = self.spent.lock().unwrap();
        *spent = *spent + billed - reserved;
    }
}

struct Metered {
    server: ClickhouseServer,
    warehouse: Arc<ClickhouseWarehouse>,
    catalog: vitrine_domain::Catalog,
}

impl Metered {
    async fn start() -> Self {
        let server = ClickhouseServer::start();
        server.script(TABLES).await;
        let warehouse = Arc::new(open(&server.address()).await.unwrap());
        let catalog = warehouse.read_catalog().await.unwrap();
        Self { server, warehouse, catalog }
    }

    async fn estimate(&self, sql: &str) -> Option<u64> {
        let sql = prove_read_only(sql, &self.catalog).unwrap_or_else(|error| panic!("{sql}: {error}"));
        let checked = self.warehouse.check_query(&sql).await.unwrap();
        assert_eq!(checked.metered, checked.bytes);
        checked.bytes
    }

    /// Runs a query within `most` bytes; returns the number of rows and the reported bytes, and the counted bytes.
    async fn asked(&self, sql: &str, most: Option<u64>, limits: Limits) -> (Result<(usize, u64), WarehouseError>, u64) {
        let cap = Arc::new(Cap { most, spent: Mutex::default() });
        let warehouse = MeteredWarehouse::new(self.warehouse.clone(), cap.clone());
        assert_eq!(warehouse.metering(), Metering::Read);
        let sql = prove_read_only(sql, &self.catalog).unwrap_or_else(|error| panic!("{sql}: {error}"));
        let outcome = async {
            let batches = warehouse.run_query(&sql, limits, CancellationToken::new()).await?;
            let read = batches.billed_bytes();
            Ok((read_page(batches, 1_000_000).await?.rows.len(), read))
        };
        let outcome = outcome.await;
        (outcome, cap.spent())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_query_would_read_is_told_by_its_plan_or_not_at_all() {
    let shop = Metered::start().await;
    assert_eq!(shop.estimate("SELECT sum(id) FROM a").await, Some(IDS));
    assert_eq!(shop.estimate("SELECT count(*) FROM a").await, Some(0), "the server knows it");
    assert_eq!(shop.estimate("SELECT 1 AS one").await, Some(0));
    let day = shop.estimate("SELECT sum(id) FROM a WHERE day = '2024-02-03'").await.unwrap();
    assert!((1..IDS / 10).contains(&day), "its index leaves a few thousand rows: {day}");
    assert_eq!(shop.estimate("SELECT sum(id) FROM a WHERE day = '2034-02-03'").await, Some(0));
    let both = shop.estimate("SELECT count(*) FROM a JOIN b ON a.id = b.id").await.unwrap();
    assert!((IDS + 8_000..IDS + 20_000).contains(&both), "a small table counts with all its columns: {both}");
    assert_eq!(shop.estimate("SELECT sum(id) FROM a WHERE id IN (SELECT id FROM b WHERE v > 3)").await, Some(both));
    let twice = shop.estimate("SELECT x.id FROM a x JOIN a y ON x.id = y.id").await;
    assert_eq!(twice, Some(2 * IDS));
    let seen = shop.estimate("SELECT name FROM va").await.unwrap();
    assert!(seen > 300_000 * 8, "views are looked through: {seen}");
    let few = shop.estimate("SELECT id, day FROM a LIMIT 10 OFFSET 5").await.unwrap();
    assert!((15..IDS / 10).contains(&few), "a limit ends it early: {few}");
    // The size of these rows is unknown in advance; a scalar subquery would run during planning.
    for unknown in [
        "SELECT sum(id) FROM l",
        "SELECT sum(a.id) FROM a JOIN l ON a.id = l.id",
        "SELECT sum(id) FROM a WHERE id > (SELECT max(v) FROM b)",
        "SELECT sum(number) FROM numbers(1000000)",
    ] {
        assert_eq!(shop.estimate(unknown).await, None, "{unknown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_query_read_is_counted_whatever_was_estimated() {
    let shop = Metered::start().await;
    for (sql, rows) in [
        ("SELECT sum(id) FROM a", 1),
        ("SELECT name FROM a ORDER BY name LIMIT 10", 10),
        ("SELECT length(big), count(*) FROM a GROUP BY length(big)", 1),
        ("SELECT count(*) FROM a JOIN b ON a.id = b.id", 1),
        ("SELECT sum(id) FROM a WHERE day = '2024-02-03'", 1),
    ] {
        let (outcome, spent) = shop.asked(sql, None, Limits::default()).await;
        let (found, read) = outcome.unwrap();
        assert_eq!((found, read), (rows, spent), "{sql}");
        let estimated = shop.estimate(sql).await.unwrap();
        assert!((1..=estimated).contains(&read), "{sql}: {estimated} and then {read}");
    }
    let (outcome, spent) = shop.asked("SELECT sum(id) FROM l", None, Limits::default()).await;
    assert_eq!((outcome, spent), (Ok((1, 8_000)), 8_000), "also where nothing was estimated");
    // A result without a row limit is streamed, so the estimate counts.
    let whole = Limits { rows: None, ..Limits::default() };
    let (outcome, spent) = shop.asked("SELECT id FROM a", None, whole).await;
    assert_eq!(outcome.unwrap().0, 300_000);
    assert_eq!(spent, IDS);
    // A query that the server rejects reads nothing.
    let sql = vitrine_sql::ReadOnlySql::parse("SELECT nothing FROM a", vitrine_domain::Dialect::Clickhouse).unwrap();
    let cap = Arc::new(Cap { most: Some(IDS), spent: Mutex::default() });
    let warehouse = MeteredWarehouse::new(shop.warehouse.clone(), cap.clone());
    assert!(warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await.is_err());
    assert_eq!(cap.spent(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_lets_a_query_run_or_refuses_it_or_the_server_ends_it() {
    let shop = Metered::start().await;
    let ids = "SELECT sum(id) FROM a";
    let (outcome, spent) = shop.asked(ids, Some(IDS + 1), Limits::default()).await;
    assert_eq!((outcome, spent), (Ok((1, IDS)), IDS), "within it");
    let (outcome, spent) = shop.asked(ids, Some(IDS - 1), Limits::default()).await;
    let error = outcome.unwrap_err();
    assert!(matches!(error, WarehouseError::OverCap { ahead: IDS, .. }), "{error:?}");
    assert!(error.to_string().ends_with("the next query would read 2.4 MB; it was not run"), "{error}");
    assert_eq!(spent, 0);
    // The bytes of these are unknown in advance; the server itself ends them at a quarter of the limit.
    for unknown in
        ["SELECT sum(a.id) FROM a JOIN l ON a.id = l.id", "SELECT sum(id) FROM a WHERE id > (SELECT max(v) FROM b)"]
    {
        let (outcome, spent) = shop.asked(unknown, Some(2 * IDS), Limits::default()).await;
        let error = outcome.unwrap_err();
        assert_eq!(error, WarehouseError::OverRead { limit: IDS / 2 }, "{unknown}");
        assert!(error.to_string().contains("more than the 1.2 MB"), "{error}");
        assert!(vitrine_domain::AppError::from(error).hint.unwrap().contains("vitrine connections limit"));
        assert!(spent >= IDS / 2, "what it read by then counts: {spent}");
        let (outcome, spent) = shop.asked(unknown, Some(8 * IDS), Limits::default()).await;
        assert!(outcome.is_ok() && spent >= IDS, "{outcome:?}, {spent}");
    }
    let (outcome, _) = shop.asked(ids, Some(0), Limits::default()).await;
    assert!(matches!(outcome, Err(WarehouseError::OverCap { .. })));
    // Bytes of several tables are added.
    let own = Limits { billed_bytes: Some(IDS + 4_000), ..Limits::default() };
    let (outcome, _) = shop.asked("SELECT sum(a.id) FROM a JOIN l ON a.id = l.id", None, own).await;
    assert_eq!(outcome, Err(WarehouseError::OverRead { limit: IDS + 4_000 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_counted_query_can_be_stopped_and_ends_at_the_server() {
    let shop = Metered::start().await;
    let cap = Arc::new(Cap { most: Some(1 << 40), spent: Mutex::default() });
    let warehouse = MeteredWarehouse::new(shop.warehouse.clone(), cap.clone());
    let sql = prove_read_only("SELECT sum(sipHash64(number)) AS n FROM numbers(100000000000)", &shop.catalog).unwrap();
    let cancel = CancellationToken::new();
    let (stop, began) = (cancel.clone(), Instant::now());
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(500)).await;
        stop.cancel();
    });
    let stopped = warehouse.run_query(&sql, Limits::default(), cancel).await.map(drop);
    assert_eq!(stopped, Err(WarehouseError::Cancelled));
    let gone = async || {
        shop.server.run("SELECT count() FROM system.processes WHERE query LIKE '%sipHash64(number)%' AND query NOT LIKE '%processes%'").await
    };
    // The number of read bytes is unknown, so the maximum counts.
    while gone().await.unwrap().trim() != "0" || cap.spent() == 0 {
        assert!(began.elapsed() < Duration::from_secs(20), "the server works on");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
