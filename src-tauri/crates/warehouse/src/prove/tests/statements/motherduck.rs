//! DuckDB's corpus on a DuckDB server that may read files: a statement that passes the proof would take effect, because
//! no sandbox contains the server.

use super::{DUCKDB, changes, entries, failing, files, none, proven, shows_secret, tempting, unproven};
use crate::engine::Engine;
use crate::engines::motherduck::MotherduckWarehouse;
use crate::{Limits, OpenOptions, WarehouseError, WarehouseUri, read_page};
use tokio_util::sync::CancellationToken;
use vitrine_test_servers::motherduck_server::MotherduckServer;

/// Everything that a statement could have changed.
const STATE: &str = "SELECT (SELECT string_agg(sql, ';' ORDER BY sql) FROM duckdb_tables()) || (SELECT string_agg(sql, ';' ORDER BY sql) FROM duckdb_views()
    WHERE NOT internal) || (SELECT count(*) FROM duckdb_functions()) || (SELECT count(*) FROM duckdb_databases()) || (SELECT count(*) FROM duckdb_types())
    || (SELECT coalesce(string_agg(last_value::VARCHAR, ';'), '') FROM duckdb_sequences()) || (SELECT md5(string_agg(t::VARCHAR, ';' ORDER BY t::VARCHAR)) FROM
    (SELECT c AS t FROM customers c UNION ALL SELECT i FROM items i UNION ALL SELECT p FROM products p UNION ALL SELECT o FROM orders o)) AS state";

/// Returns the current [`STATE`]; an error if one of its tables is gone.
async fn told(warehouse: &MotherduckWarehouse) -> Result<String, WarehouseError> {
    let asked = warehouse.query_text(STATE.to_owned(), Limits::default(), CancellationToken::new()).await?;
    Ok(format!("{:?}", read_page(asked, 1).await?.rows))
}

#[tokio::test(flavor = "multi_thread")]
async fn motherduck_runs_no_hostile_statement_and_every_real_one() {
    let folder = tempting();
    let server = MotherduckServer::start(&DUCKDB.script(folder.path()));
    let uri = WarehouseUri::parse(&server.address("shop")).unwrap();
    let warehouse =
        MotherduckWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await.unwrap();
    let catalog = warehouse.read_catalog().await.unwrap();
    let state = async || (files(folder.path()), told(&warehouse).await.ok());
    let before = state().await;
    assert!(before.1.as_deref().is_some_and(|told| told.contains("customers")), "{before:?}");
    let (pivots, real): (Vec<_>, Vec<_>) =
        entries(DUCKDB.real, folder.path()).into_iter().partition(|entry| entry.kind == "of a person: pivot");
    none("real statements that fail", &failing(&warehouse, &real, &catalog).await);
    // The server itself would create an enum type of their values.
    let refused = failing(&warehouse, &pivots, &catalog).await;
    assert!(!pivots.is_empty() && refused.len() == pivots.len(), "{refused:?}");
    assert!(refused.iter().all(|reason| reason.contains("without its values")), "{refused:?}");
    let hostile = entries(DUCKDB.hostile, folder.path());
    none("hostile statements that are proven", &proven(&hostile, &catalog));
    // Without the proof, on the remaining protection: the statement is nested inside a query, in a read-only
    // transaction.
    let mut reads = 0;
    for entry in hostile.iter().filter(|entry| changes(entry) || entry.kind == "files read") {
        let shown = unproven(&warehouse, &entry.sql).await;
        reads += u32::from(shown.is_ok_and(|page| shows_secret(&page)));
    }
    assert_eq!(state().await, before, "something changed");
    // The assertions about the proof can fail, because it alone blocks reading files here.
    assert!(reads >= 10, "{reads}");
}
