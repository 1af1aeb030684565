//! The corpus of Databricks on Spark, as the owner of all tables: a statement that passes the proof would take effect,
//! because nothing else protects the tables.

use super::{DATABRICKS, changes, entries, failing, files, none, proven, shows_secret, tempting, unproven};
use crate::engine::Engine;
use crate::engines::databricks::DatabricksWarehouse;

/// Everything that a statement could have changed.
const STATE: &[&str] = &[
    "SHOW TABLES IN shop",
    "SHOW SCHEMAS",
    "SHOW USER FUNCTIONS",
    "SELECT count(*), sum(xxhash64(*)) FROM customers",
    "SELECT count(*), sum(xxhash64(*)) FROM products",
    "SELECT count(*), sum(xxhash64(*)) FROM orders",
    "SELECT count(*), sum(xxhash64(*)) FROM items",
    "SELECT count(*), sum(xxhash64(*)) FROM staff",
    "DESCRIBE TABLE customers",
    "SHOW TBLPROPERTIES customers",
];

/// Runs the corpus; `run` executes a statement without a proof.
pub(crate) async fn corpus_holds(warehouse: &DatabricksWarehouse, run: impl AsyncFn(&str) -> Result<String, String>) {
    let folder = tempting();
    for sql in DATABRICKS.tables.lines() {
        run(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    let catalog = warehouse.read_catalog().await.unwrap();
    let state = async || {
        let mut state = String::new();
        for sql in STATE {
            state += &run(sql).await.unwrap_or_else(|error| error.split(':').next().unwrap_or_default().to_owned());
        }
        (files(folder.path()), state)
    };
    let before = state().await;
    assert!(before.1.contains("customers"), "{before:?}");
    none("real statements that fail", &failing(warehouse, &entries(DATABRICKS.real, folder.path()), &catalog).await);
    let hostile = entries(DATABRICKS.hostile, folder.path());
    none("hostile statements that are proven", &proven(&hostile, &catalog));
    assert_eq!(state().await, before, "something changed");
    // The same statements without protection, to show that the assertions above can fail.
    let mut reads = 0;
    for entry in hostile.iter().filter(|entry| entry.kind == "files read") {
        reads += u32::from(unproven(warehouse, &entry.sql).await.is_ok_and(|page| shows_secret(&page)));
    }
    assert!(reads >= 3, "{reads}");
    let (mut harmful, mut last) = (0, before);
    for entry in hostile.iter().filter(changes) {
        let _ = run(&entry.sql).await;
        let now = state().await;
        harmful += u32::from(now != last);
        last = now;
    }
    assert!(harmful >= 10, "{harmful}");
}
