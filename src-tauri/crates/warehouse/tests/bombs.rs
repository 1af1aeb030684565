//! Queries that only read but need unlimited time or memory: each is ended by its limits, the database is unchanged,
//! and the next query is answered.

use futures::TryStreamExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_warehouse::{Limits, OpenOptions, Warehouse, WarehouseError, WarehouseUri, open_with, prove_read_only};

const TABLES: &str = include_str!("statements/tables.sql");
/// Far more than the limit, for busy machines.
const PATIENCE: Duration = Duration::from_secs(30);

async fn rows(warehouse: &dyn Warehouse, sql: &str, timeout: Duration) -> Result<usize, WarehouseError> {
    let catalog = warehouse.load_catalog().await?;
    let sql = prove_read_only(sql, &catalog).map_err(|rejection| WarehouseError::query(rejection.to_string()))?;
    let limits = Limits { timeout, ..Limits::default() };
    let batches: Vec<_> =
        warehouse.run_query(&sql, limits, CancellationToken::new()).await?.stream.try_collect().await?;
    Ok(batches.iter().map(|batch| batch.num_rows()).sum())
}

fn files(folder: &Path) -> Vec<(PathBuf, blake3::Hash)> {
    let read = |path: PathBuf| (path.clone(), blake3::hash(&std::fs::read(path).expect("a file")));
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").flatten().map(|file| read(file.path())).collect();
    files.sort_by(|a, b| a.0.cmp(&b.0));
    files
}

async fn ends(uri: &str, folder: &Path, bombs: &str) {
    let options = OpenOptions {
        engine: Some(PathBuf::from(env!("CARGO_BIN_EXE_vitrine-engine"))),
        memory_bytes: 256 << 20,
        ..OpenOptions::default()
    };
    let warehouse = open_with(&WarehouseUri::parse(uri).expect("an address"), &options).await.expect("opens");
    let before = files(folder);
    for bomb in bombs.lines().filter(|line| !line.starts_with("##")) {
        let began = Instant::now();
        let ended = rows(warehouse.as_ref(), bomb, Duration::from_millis(500)).await;
        assert!(began.elapsed() < PATIENCE, "{bomb}: {:?}", began.elapsed());
        // The result is small or an error; in both cases the engine must accept the next query.
        assert!(ended.as_ref().map_or(true, |rows| *rows <= 10_000), "{bomb}: {ended:?}");
        let next = rows(warehouse.as_ref(), "SELECT 40 + 2 AS n", PATIENCE).await;
        assert_eq!(next, Ok(1), "after {bomb} ({ended:?})");
        assert_eq!(files(folder), before, "{bomb}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_ends_what_would_take_all_time_or_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shop.db");
    rusqlite::Connection::open(&path).expect("SQLite").execute_batch(TABLES).expect("tables");
    let bombs = include_str!("statements/sqlite/bombs.sql");
    ends(&format!("sqlite:{}", path.display()), folder.path(), bombs).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn duckdb_ends_what_would_take_all_time_or_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shop.duckdb");
    duckdb::Connection::open(&path).expect("DuckDB").execute_batch(TABLES).expect("tables");
    let bombs = include_str!("statements/duckdb/bombs.sql");
    ends(&format!("duckdb:{}", path.display()), folder.path(), bombs).await;
}
