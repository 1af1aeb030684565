//! The corpus of ClickHouse on its own engine, as a user with all rights: except for `readonly`, a statement that
//! passes the proof would take effect.

use super::{CLICKHOUSE, TABLES, changes, entries, failing, files, none, proven, shows_secret, tempting, unproven};
use crate::engine::Engine;
use crate::engines::clickhouse::ClickhouseWarehouse;
use crate::{OpenOptions, WarehouseUri};
use std::time::Duration;
use vitrine_test_servers::clickhouse_server::ClickhouseServer;

/// Everything that a statement could have changed.
const STATE: &[&str] = &[
    "SELECT database, name, engine, total_rows, create_table_query FROM system.tables WHERE database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA') ORDER BY 1, 2",
    "SELECT sum(cityHash64(*)) FROM customers",
    "SELECT sum(cityHash64(*)) FROM orders",
    "SELECT sum(cityHash64(*)) FROM items",
    "SELECT sum(cityHash64(*)) FROM latest",
    "SELECT name FROM system.functions WHERE origin <> 'System' ORDER BY 1",
    "SELECT name FROM system.databases ORDER BY 1",
];

async fn state(server: &ClickhouseServer) -> String {
    let mut state = String::new();
    for sql in STATE {
        state += &server.run(sql).await.unwrap_or_else(|error| error);
    }
    state
}

async fn make(server: &ClickhouseServer) {
    let rows = TABLES.lines().filter(|line| line.starts_with("INSERT INTO"));
    let statements: Vec<&str> = CLICKHOUSE.tables.lines().chain(rows).collect();
    server.script(&statements).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clickhouse_runs_no_hostile_statement_and_every_real_one() {
    let (server, folder) = (ClickhouseServer::start(), tempting());
    make(&server).await;
    let uri = WarehouseUri::parse(&server.address()).unwrap();
    let warehouse =
        ClickhouseWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await.unwrap();
    let catalog = warehouse.read_catalog().await.unwrap();
    let before = (files(folder.path()), state(&server).await);
    assert!(before.1.contains("own_margin") && before.1.contains("customers"), "{before:?}");
    none("real statements that fail", &failing(&warehouse, &entries(CLICKHOUSE.real, folder.path()), &catalog).await);
    let hostile = entries(CLICKHOUSE.hostile, folder.path());
    none("hostile statements that are proven", &proven(&hostile, &catalog));
    // The server's own restrictions still allow functions that read files, which the list of functions blocks.
    let mut reads = Vec::new();
    // Reading a missing SQLite file creates it, independent of `readonly`.
    for entry in hostile.iter().filter(|entry| !entry.sql.contains("sqlite(")) {
        if unproven(&warehouse, &entry.sql).await.is_ok_and(|page| shows_secret(&page)) {
            reads.push(entry.sql.as_str());
        }
    }
    assert!(reads.iter().all(|sql| sql.contains("file") || sql.contains("secret.csv")), "{reads:?}");
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!((files(folder.path()), state(&server).await), before, "something changed");
    // The same statements without protection, to show that the assertions above can fail.
    let (mut harmful, mut last) = (0, before.1);
    for entry in hostile.iter().filter(changes) {
        let _ = server.run(&entry.sql).await;
        let now = state(&server).await;
        harmful += u32::from(now != last);
        last = now;
    }
    assert!(harmful >= 15, "{harmful}");
}
