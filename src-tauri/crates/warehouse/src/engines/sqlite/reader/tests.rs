use super::*;
use crate::OpenOptions;
use crate::engines::sqlite::SqliteWarehouse;
use crate::{Limits, engine::Engine, read_page};
use std::collections::BTreeMap;
use tokio_util::sync::CancellationToken;

/// Returns all files of a folder with their content.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    files.map(|f| (f.file_name().to_string_lossy().into_owned(), std::fs::read(f.path()).unwrap())).collect()
}

async fn cell(warehouse: &SqliteWarehouse, sql: &str) -> Option<String> {
    let batches = warehouse.query_text(sql.to_owned(), Limits::default(), CancellationToken::new()).await.unwrap();
    read_page(batches, 10).await.unwrap().rows.remove(0).remove(0)
}

/// Copies a database below a program that has it open: the file and these files beside it.
fn copied(writer: &Path, logs: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    // A typical file name with characters that are special in addresses.
    let path = folder.path().join("Größe 100%? #1.db");
    for ending in logs.iter().chain(&[""]) {
        std::fs::copy(sibling_path(writer, ending), sibling_path(&path, ending)).unwrap();
    }
    (folder, path)
}

/// Returns the first value; checks that nothing is changed or left beside the file, nor in the scratch folder.
async fn reads(folder: &Path, path: &Path, sql: &str) -> Option<String> {
    let (before, scratch) = (content(folder), tempfile::tempdir().unwrap());
    let options = OpenOptions { temp_folder: Some(scratch.path().to_path_buf()), ..OpenOptions::default() };
    let warehouse = SqliteWarehouse::open(path, &options).unwrap();
    let read = cell(&warehouse, sql).await;
    assert_eq!(cell(&warehouse, sql).await, read, "the second time");
    let says = warehouse.query_safety_layers().await.unwrap().remove(0).says;
    let copies = std::fs::read_dir(scratch.path()).unwrap().count();
    assert_eq!(says.contains("a copy with them is read"), copies == 1, "{says}");
    assert!(copies < 2, "one copy does for all");
    assert_eq!(content(folder), before);
    drop(warehouse);
    assert_eq!(content(folder), before, "after it was closed");
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
    read
}

#[tokio::test]
async fn what_waits_in_a_log_is_read_and_nothing_is_left_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.db");
    let writer = Connection::open(&path).unwrap();
    writer
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a); INSERT INTO t VALUES (1);",
        )
        .unwrap();
    let sum = "SELECT sum(a) FROM t";
    let (alone, database) = copied(&path, &["-wal"]);
    assert_eq!(reads(alone.path(), &database, sum).await.as_deref(), Some("1"));
    let (whole, database) = copied(&path, &["-wal", "-shm"]);
    assert_eq!(reads(whole.path(), &database, sum).await.as_deref(), Some("1"));
    // Changes of a program that has the file open are visible in the next query.
    let warehouse = SqliteWarehouse::open(&path, &OpenOptions::default()).unwrap();
    for (value, now) in [(2, "3"), (3, "6")] {
        writer.execute_batch(&format!("INSERT INTO t VALUES ({value})")).unwrap();
        assert_eq!(cell(&warehouse, sum).await.as_deref(), Some(now));
    }
    writer.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    assert_eq!(cell(&warehouse, sum).await.as_deref(), Some("6"));
    drop(writer);
    assert_eq!(content(folder.path()).len(), 1, "its files went with it");
    assert_eq!(cell(&warehouse, sum).await.as_deref(), Some("6"));
    let (none, database) = copied(&path, &[]);
    assert_eq!(reads(none.path(), &database, sum).await.as_deref(), Some("6"));
    // Later changes are visible in the next query.
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("INSERT INTO t VALUES (4)").unwrap();
    assert_eq!(cell(&warehouse, sum).await.as_deref(), Some("10"));
}

#[tokio::test]
async fn a_change_that_was_cut_off_is_taken_back_in_a_copy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.db");
    let writer = Connection::open(&path).unwrap();
    writer
        .execute_batch(
            "PRAGMA cache_size = 2; CREATE TABLE t (a INTEGER, filler TEXT);
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
             INSERT INTO t SELECT 1, hex(zeroblob(200)) FROM n;
             BEGIN; UPDATE t SET a = 7;",
        )
        .unwrap();
    let (cut, database) = copied(&path, &["-journal"]);
    let (_without, half) = copied(&path, &[]);
    let half = Connection::open(&half).unwrap();
    let half = half.query_row("SELECT sum(a) FROM t", [], |row| row.get::<_, i64>(0));
    assert_ne!(half, Ok(500), "the file alone is half changed");
    assert_eq!(reads(cut.path(), &database, "SELECT sum(a) FROM t").await.as_deref(), Some("500"));
    // A running program is not mistaken for one that was interrupted.
    let error = SqliteWarehouse::open(&path, &OpenOptions::default()).map(drop).unwrap_err();
    assert!(matches!(error, WarehouseError::Locked { .. }), "{error:?}");
}

#[test]
fn a_copy_is_bounded_and_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.db");
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t (a)").unwrap();
    let error = Copied::new(&path, Some(folder.path()), 1 << 10).map(drop).unwrap_err();
    let WarehouseError::Unreadable { detail, .. } = error else { panic!("{error:?}") };
    assert!(detail.contains("Open it once with the program"), "{detail}");
    assert_eq!(content(folder.path()).len(), 3, "nothing was begun");
    assert!(Copied::new(&path, Some(folder.path()), 1 << 30).is_ok());
}

#[test]
fn a_file_that_changes_under_a_reader_without_locks_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.db");
    let write = |sql: &str| Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    write("PRAGMA journal_mode = WAL; CREATE TABLE t (a)");
    let reader = Source::new(&path, None).connect().unwrap();
    assert!(reader.is_current() && reader.check_unchanged(Ok(())).is_ok());
    write("INSERT INTO t VALUES (1)");
    assert!(!reader.is_current());
    let error = reader.check_unchanged(Ok(())).unwrap_err();
    assert!(matches!(error, WarehouseError::Locked { .. }), "{error:?}");
    assert_eq!(reader.check_unchanged(Err(WarehouseError::Cancelled)), Err(WarehouseError::Cancelled));
}
