//! Limits, cancelling, and what the local engine may read.

use crate::support::{Desk, run};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_federation::FetchLimits;
use vitrine_warehouse::{Limits, Warehouse, WarehouseError, prove_read_only};

const MANY: &str = "CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO t SELECT i, 'word ' || i FROM n;";

#[tokio::test]
async fn too_many_rows_are_refused_with_their_number_and_a_way_out() {
    let desk = Desk::new();
    let (many, few) = (desk.sqlite("many.db", MANY), desk.file("few.csv", "id\n1\n"));
    let bounds = FetchLimits { rows: 1_000, ..FetchLimits::default() };
    let warehouse = desk.join_within(&[("many", &many), ("few", &few)], bounds).await;
    let sql = "SELECT word FROM many.t JOIN few.few f ON f.id = t.id";
    match run(&warehouse, sql).await {
        Err(WarehouseError::Join { message, hint }) => {
            assert!(message.contains("many.t") && message.contains("5,000") && message.contains("1,000"), "{message}");
            assert!(hint.contains("condition") && hint.contains("--fetch-rows"), "{hint}");
        }
        other => panic!("{other:?}"),
    }
    assert!(run(&warehouse, "SELECT word FROM many.t JOIN few.few f ON f.id = t.id WHERE t.id <= 900").await.is_ok());
    let bounds = FetchLimits { bytes: 10_000, ..FetchLimits::default() };
    let warehouse = desk.join_within(&[("many", &many), ("few", &few)], bounds).await;
    assert!(matches!(run(&warehouse, sql).await, Err(WarehouseError::Join { .. })));
}

#[tokio::test]
async fn the_error_of_a_source_names_it() {
    let desk = Desk::new();
    let (many, few) = (desk.sqlite("many.db", MANY), desk.file("few.csv", "id\n1\n"));
    let warehouse = desk.join(&[("many", &many), ("few", &few)]).await;
    std::fs::write(desk.path("many.db"), "no longer a database").unwrap();
    let failed = run(&warehouse, "SELECT count(*) FROM many.t, few.few").await.unwrap_err();
    assert!(matches!(&failed, WarehouseError::OfSource { source, .. } if source == "many"), "{failed:?}");
    assert!(failed.to_string().starts_with("many: "), "{failed}");
}

#[tokio::test]
async fn the_local_engine_reads_nothing_else() {
    let desk = Desk::new();
    let (many, few) = (desk.sqlite("many.db", MANY), desk.file("few.csv", "id\n1\n"));
    let warehouse = desk.join(&[("many", &many), ("few", &few)]).await;
    let catalog = warehouse.load_catalog().await.unwrap();
    let path = desk.path("few.csv").display().to_string();
    for sql in [
        format!("SELECT * FROM '{path}'"),
        format!("SELECT * FROM read_csv('{path}')"),
        format!("SELECT * FROM read_text('{path}')"),
        "ATTACH 'x.db'".to_owned(),
        "SELECT * FROM many.t; DROP TABLE many.t".to_owned(),
        "CREATE TABLE many.x AS SELECT 1".to_owned(),
    ] {
        assert!(prove_read_only(&sql, &catalog).is_err(), "{sql}");
    }
}

#[tokio::test]
async fn a_stopped_query_ends_at_the_source() {
    let desk = Desk::new();
    let (many, few) = (desk.sqlite("many.db", MANY), desk.file("few.csv", "id\n1\n"));
    let warehouse = desk.join(&[("many", &many), ("few", &few)]).await;
    let catalog = warehouse.load_catalog().await.unwrap();
    let sql = prove_read_only("SELECT count(*) FROM many.t a, many.t b, few.few", &catalog).unwrap();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let limits = Limits { timeout: Duration::from_secs(20), ..Limits::default() };
    let stopped = warehouse.run_query(&sql, limits, cancel).await;
    assert_eq!(stopped.err(), Some(WarehouseError::Cancelled));
}
