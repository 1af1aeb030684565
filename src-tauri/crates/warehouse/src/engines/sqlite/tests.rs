use super::*;
use crate::{Warehouse, open_warehouse, read_page};
use std::time::Duration;
use vitrine_domain::{CellType, Page, TableKind};

fn database(script: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.db");
    Connection::open(&path).unwrap().execute_batch(script).unwrap();
    (folder, path)
}

fn warehouse(path: &Path) -> SqliteWarehouse {
    SqliteWarehouse::open(path, &OpenOptions::default()).unwrap()
}

async fn page(warehouse: &SqliteWarehouse, sql: &str, limits: Limits) -> Result<Page, WarehouseError> {
    let batches = warehouse.query_text(sql.to_owned(), limits, CancellationToken::new()).await?;
    read_page(batches, u64::MAX).await
}

async fn rows(warehouse: &SqliteWarehouse, sql: &str) -> Vec<Vec<Option<String>>> {
    page(warehouse, sql, Limits::default()).await.unwrap().rows
}

fn some(cells: &[&str]) -> Vec<Option<String>> {
    cells.iter().map(|cell| Some((*cell).to_owned())).collect()
}

const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

#[tokio::test]
async fn the_catalog_has_keys_views_and_row_counts() {
    let (_folder, path) = database(
        "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
         CREATE TABLE \"order\" (id INTEGER, line INTEGER, customer_id INT REFERENCES Customer, total DECIMAL(10,2),
                                 double_total AS (total * 2), PRIMARY KEY (id, line));
         CREATE TABLE ship (order_id, line, FOREIGN KEY (order_id, line) REFERENCES \"order\"(ID, line));
         CREATE TABLE orphan (a REFERENCES gone(b));
         CREATE VIEW big AS SELECT * FROM customer; CREATE VIEW broken AS SELECT * FROM gone;
         CREATE VIRTUAL TABLE note USING fts5(body);
         INSERT INTO customer VALUES (1, 'Ann'), (2, 'Bob'); DELETE FROM customer WHERE id = 1;",
    );
    let catalog = warehouse(&path).load_catalog().await.unwrap();
    assert_eq!(catalog.database, "shop");
    let names: Vec<String> = catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["customer", "order", "ship", "orphan", "big", "note"]);
    let customer = catalog.find_table("customer").unwrap();
    assert_eq!((customer.row_count, customer.primary_key.clone()), (Some(1), vec!["id".to_owned()]));
    assert!(!customer.find_column("name").unwrap().nullable);
    let order = catalog.find_table("order").unwrap();
    assert_eq!(order.primary_key, ["id", "line"]);
    assert_eq!(order.find_column("total").unwrap().data_type, "DECIMAL(10,2)");
    assert!(order.find_column("double_total").is_some());
    let implicit = &order.foreign_keys[0];
    assert_eq!(
        (implicit.ref_table.to_string(), implicit.ref_columns.clone()),
        ("customer".to_owned(), vec!["id".to_owned()])
    );
    assert_eq!(catalog.find_table("ship").unwrap().foreign_keys[0].ref_columns, ["id", "line"]);
    assert!(catalog.find_table("orphan").unwrap().foreign_keys.is_empty());
    assert_eq!(catalog.find_table("big").unwrap().kind, TableKind::View);
    assert_eq!(catalog.find_table("big").unwrap().definition.as_deref(), Some("SELECT * FROM customer"));
    assert_eq!(catalog.find_table("customer").unwrap().definition, None);
}

#[tokio::test]
async fn the_fingerprint_follows_schema_and_data() {
    let (_folder, path) = database("CREATE TABLE t (a);");
    let before = warehouse(&path).load_catalog().await.unwrap().fingerprint;
    assert_eq!(before.len(), 32);
    assert_eq!(before, warehouse(&path).load_catalog().await.unwrap().fingerprint);
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE u (b)").unwrap();
    assert_ne!(before, warehouse(&path).load_catalog().await.unwrap().fingerprint);
}

#[tokio::test]
async fn values_come_out_as_they_were_stored() {
    let (_folder, path) = database(
        "CREATE TABLE t (big INTEGER, real REAL, text TEXT, blob BLOB, mixed, none INTEGER, near NUMERIC, far NUMERIC);
         INSERT INTO t VALUES (9223372036854775807, 0.1, 'x', x'00ff', 1, NULL, 1, 9007199254740993),
                              (-9223372036854775808, 10, '', x'', 'one', NULL, 1.5, 1.5), (NULL, 1e300, 'ü', NULL, 2.5, NULL, NULL, NULL);",
    );
    let page = page(&warehouse(&path), "SELECT * FROM t", Limits::default()).await.unwrap();
    let types: Vec<CellType> = page.columns.iter().map(|column| column.cell_type).collect();
    use CellType::*;
    assert_eq!(types, [Integer, Float, Text, Binary, Text, Integer, Float, Text]);
    assert_eq!(page.rows[0], {
        let mut row = some(&["9223372036854775807", "0.1", "x", "00ff", "1", "", "1.0", "9007199254740993"]);
        row[5] = None;
        row
    });
    assert_eq!(page.rows[1][..5], some(&["-9223372036854775808", "10.0", "", "", "one"]));
    assert_eq!(page.rows[2][1..3], some(&["1e300", "ü"]));
    assert_eq!((page.row_count, page.truncated), (3, false));
}

#[tokio::test]
async fn a_type_that_changes_far_down_changes_no_value() {
    let (_folder, path) = database("CREATE TABLE t (a)");
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
               SELECT i, CASE WHEN i = 49999 THEN 'odd' ELSE 9223372036854775807 END AS v FROM n";
    let limits = Limits { rows: None, ..Limits::default() };
    let page = page(&warehouse(&path), sql, limits).await.unwrap();
    assert_eq!(page.row_count, 50_000);
    assert_eq!(page.columns[1].cell_type, CellType::Text);
    assert_eq!(page.rows[0], some(&["1", "9223372036854775807"]));
    assert_eq!(page.rows[49_998], some(&["49999", "odd"]));
}

#[tokio::test]
async fn broken_utf8_is_shown_and_does_not_fail() {
    let (_folder, path) = database("CREATE TABLE t (a TEXT); INSERT INTO t VALUES (CAST(x'61ff62' AS TEXT))");
    assert_eq!(rows(&warehouse(&path), "SELECT a FROM t").await[0][0].as_deref(), Some("a\u{fffd}b"));
}

#[tokio::test]
async fn the_row_limit_stops_an_endless_query_and_says_so() {
    let (_folder, path) = database("CREATE TABLE t (a)");
    let warehouse = warehouse(&path);
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    let cut = page(&warehouse, sql, Limits { rows: Some(5), ..Limits::default() }).await.unwrap();
    assert_eq!((cut.row_count, cut.truncated), (5, true));
    let cut = page(&warehouse, sql, Limits { rows: Some(30_000), ..Limits::default() }).await.unwrap();
    assert_eq!((cut.row_count, cut.truncated), (30_000, true));
    let whole =
        page(&warehouse, "SELECT 1 UNION SELECT 2", Limits { rows: Some(2), ..Limits::default() }).await.unwrap();
    assert_eq!((whole.row_count, whole.truncated), (2, false));
    let batches = warehouse
        .query_text("SELECT 1 UNION SELECT 2".into(), Limits::default(), CancellationToken::new())
        .await
        .unwrap();
    let read = read_page(batches, 1).await.unwrap();
    assert_eq!((read.row_count, read.truncated), (1, true));
}

#[tokio::test]
async fn an_endless_query_ends_at_its_time_limit() {
    let (_folder, path) = database("CREATE TABLE t (a)");
    let limits = Limits { timeout: Duration::from_millis(50), ..Limits::default() };
    let warehouse = warehouse(&path);
    assert_eq!(page(&warehouse, ENDLESS, limits).await.unwrap_err(), WarehouseError::Timeout { seconds: 1 });
    assert_eq!(rows(&warehouse, "SELECT 1").await, [some(&["1"])]);
}

#[tokio::test]
async fn an_endless_query_ends_when_it_is_cancelled_or_dropped_or_closed() {
    let (_folder, path) = database("CREATE TABLE t (a)");
    let warehouse = Arc::new(warehouse(&path));
    let cancel = CancellationToken::new();
    let later = cancel.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(30)).await;
        later.cancel();
    });
    let stopped = warehouse.query_text(ENDLESS.into(), Limits::default(), cancel).await.unwrap_err();
    assert_eq!(stopped, WarehouseError::Cancelled);

    // A query whose reader was dropped.
    let dropped = tokio::time::timeout(
        Duration::from_millis(30),
        warehouse.query_text(ENDLESS.into(), Limits::default(), CancellationToken::new()),
    );
    assert!(dropped.await.is_err());
    assert_eq!(rows(&warehouse, "SELECT 1").await, [some(&["1"])]);

    let running = tokio::spawn({
        let warehouse = warehouse.clone();
        async move { warehouse.query_text(ENDLESS.into(), Limits::default(), CancellationToken::new()).await }
    });
    tokio::time::sleep(Duration::from_millis(30)).await;
    warehouse.close().await;
    assert_eq!(running.await.unwrap().unwrap_err(), WarehouseError::Cancelled);
}

#[tokio::test]
async fn a_query_that_is_cancelled_while_rows_flow_ends_with_that_error() {
    let (_folder, path) = database("CREATE TABLE t (a)");
    let warehouse = warehouse(&path);
    let cancel = CancellationToken::new();
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT i FROM n";
    let mut batches =
        warehouse.query_text(sql.into(), Limits { rows: None, ..Limits::default() }, cancel.clone()).await.unwrap();
    use futures::StreamExt;
    assert!(batches.stream.next().await.unwrap().is_ok());
    cancel.cancel();
    let mut last = None;
    while let Some(item) = batches.stream.next().await {
        last = Some(item);
    }
    assert_eq!(last.unwrap().unwrap_err(), WarehouseError::Cancelled);
}

#[tokio::test]
async fn memory_is_bounded() {
    let (_folder, path) = database("CREATE TABLE t (a)");
    let limits = Limits { memory_bytes: Some(16 << 20), ..Limits::default() };
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
               SELECT length(group_concat(hex(zeroblob(1000)))) FROM n";
    let error = page(&warehouse(&path), sql, limits).await.unwrap_err();
    assert_eq!(error, WarehouseError::Memory { megabytes: 16 });
}

#[tokio::test]
async fn the_engine_itself_refuses_everything_but_reads() {
    let (folder, path) = database("CREATE TABLE t (a); INSERT INTO t VALUES (1)");
    let warehouse = warehouse(&path);
    let before = std::fs::read(&path).unwrap();
    let other = folder.path().join("other.db").display().to_string();
    for sql in [
        "INSERT INTO t VALUES (2)",
        "INSERT INTO t VALUES (2) RETURNING a",
        "UPDATE t SET a = 2",
        "DELETE FROM t",
        "DROP TABLE t",
        "CREATE TABLE u (a)",
        "CREATE TEMP TABLE u AS SELECT 1",
        "ALTER TABLE t RENAME TO u",
        "VACUUM",
        "REINDEX",
        "ANALYZE",
        "BEGIN",
        "PRAGMA query_only = 0",
        "PRAGMA journal_mode = WAL",
        "PRAGMA writable_schema = 1",
        "SELECT load_extension('x')",
        "SELECT * FROM pragma_journal_mode",
        "SELECT 1; DROP TABLE t",
        &format!("ATTACH '{other}' AS o"),
        &format!("VACUUM INTO '{other}'"),
    ] {
        let error = match page(&warehouse, sql, Limits::default()).await {
            Ok(page) => panic!("{sql} ran and gave {page:?}"),
            Err(error) => error,
        };
        assert!(matches!(error, WarehouseError::Refused { .. } | WarehouseError::Query { .. }), "{sql}: {error:?}");
        // A statement inside a table function is prepared, and refused, only when it runs.
        assert!(warehouse.check_text(sql).await.is_err() || sql.contains("FROM pragma_"), "{sql}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn the_locks_hold_even_on_a_connection_that_could_write() {
    let (_folder, path) = database("CREATE TABLE t (a)");
    let connection = Connection::open(&path).unwrap();
    open::harden_connection(&connection).unwrap();
    for sql in ["INSERT INTO t VALUES (1)", "DROP TABLE t", "CREATE TABLE u (a)", "PRAGMA query_only = 0"] {
        assert!(connection.execute_batch(sql).is_err(), "{sql}");
    }
}

#[tokio::test]
async fn double_quotes_are_names_and_never_text() {
    let (_folder, path) = database("CREATE TABLE t (a); INSERT INTO t VALUES ('x')");
    let warehouse = warehouse(&path);
    let error = page(&warehouse, "SELECT * FROM t WHERE a = \"y\"", Limits::default()).await.unwrap_err();
    assert!(error.to_string().contains("no such column"), "{error}");
    assert_eq!(rows(&warehouse, "SELECT \"a\" FROM \"t\"").await, [some(&["x"])]);
}

#[tokio::test]
async fn a_check_names_columns_and_faults_without_running() {
    let (_folder, path) = database("CREATE TABLE t (id INTEGER, name VARCHAR(9), price DECIMAL(9,2))");
    let warehouse = warehouse(&path);
    let columns = warehouse.check_text("SELECT id, name, price AS p, 1 + 1 AS two FROM t").await.unwrap().columns;
    let types: Vec<(&str, CellType)> = columns.iter().map(|column| (column.name.as_str(), column.cell_type)).collect();
    assert_eq!(
        types,
        [("id", CellType::Integer), ("name", CellType::Text), ("p", CellType::Float), ("two", CellType::Null)]
    );
    assert!(warehouse.check_text(ENDLESS).await.is_ok());
    let error = warehouse.check_text("SELECT nope FROM t").await.unwrap_err();
    assert!(error.to_string().contains("no such column: nope"), "{error}");
}

#[tokio::test]
async fn several_queries_run_side_by_side() {
    let (_folder, path) = database("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)");
    let warehouse = warehouse(&path);
    let all = futures::future::join_all((0..12).map(|_| rows(&warehouse, "SELECT sum(a) FROM t"))).await;
    assert!(all.iter().all(|rows| rows == &[some(&["6"])]));
}

async fn fault(path: &Path) -> vitrine_domain::AppError {
    let uri = crate::WarehouseUri::new(crate::WarehouseKind::Sqlite, path);
    match open_warehouse(&uri).await {
        Err(error) => error.into(),
        Ok(warehouse) => warehouse.load_catalog().await.unwrap_err().into(),
    }
}

#[tokio::test]
async fn what_is_no_readable_database_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);

    let missing = fault(&at("missing.db")).await;
    assert!(missing.message.ends_with("missing.db does not exist") && missing.hint.is_some(), "{missing}");
    assert!(!at("missing.db").exists());

    let directory = fault(folder.path()).await;
    assert!(directory.message.contains("is a folder"), "{directory}");

    std::fs::write(at("notes.db"), "Dear diary, this is no database at all. ".repeat(50)).unwrap();
    let text = fault(&at("notes.db")).await;
    assert!(text.message.contains("is not an SQLite database") && text.detail.unwrap().contains("plain text"));

    drop(::duckdb::Connection::open(at("other.duckdb")).unwrap());
    let other = fault(&at("other.duckdb")).await;
    assert!(other.detail.unwrap().contains("use duckdb:PATH"));
}

#[tokio::test]
async fn a_truncated_database_is_called_damaged() {
    let (_folder, path) = database(
        "CREATE TABLE t (a TEXT);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO t SELECT hex(zeroblob(50)) FROM n",
    );
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let error = fault(&path).await;
    assert!(
        error.message.contains("damaged or cut short") && error.hint.unwrap().contains("backup"),
        "{}",
        error.message
    );
    std::fs::write(&path, &whole[..50]).unwrap();
    let error = fault(&path).await;
    assert!(error.message.contains("not an SQLite database") || error.message.contains("damaged"), "{error}");
}

#[tokio::test]
async fn a_locked_database_is_called_locked() {
    let (_folder, path) = database("CREATE TABLE t (a)");
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let error = fault(&path).await;
    assert!(error.message.contains("locked by another program") && error.hint.unwrap().contains("Close"));
}

#[tokio::test]
async fn an_empty_database_opens_and_has_no_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.db");
    std::fs::write(&path, "").unwrap();
    assert!(warehouse(&path).load_catalog().await.unwrap().tables.is_empty());
}

#[tokio::test]
async fn a_database_in_write_ahead_mode_is_read_with_what_is_pending() {
    let (_folder, path) = database("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)");
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("INSERT INTO t VALUES (2)").unwrap();
    assert_eq!(rows(&warehouse(&path), "SELECT sum(a) FROM t").await, [some(&["3"])]);
    assert_eq!(warehouse(&path).load_catalog().await.unwrap().tables.len(), 1);
}
