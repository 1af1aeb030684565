use super::*;
use crate::{Warehouse, open_warehouse, read_page};
use std::time::Duration;
use vitrine_domain::{CellType, Page, TableKind};
use vitrine_sql::ReadOnlySql;

pub(crate) fn database(script: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.duckdb");
    Connection::open(&path).unwrap().execute_batch(script).unwrap();
    (folder, path)
}

fn warehouse(path: &Path) -> DuckWarehouse {
    DuckWarehouse::open_database(path, &OpenOptions::default()).unwrap()
}

async fn page(warehouse: &DuckWarehouse, sql: &str, limits: Limits) -> Result<Page, WarehouseError> {
    let batches = warehouse.query_text(sql.to_owned(), limits, CancellationToken::new()).await?;
    read_page(batches, u64::MAX).await
}

async fn rows(warehouse: &DuckWarehouse, sql: &str) -> Vec<Vec<Option<String>>> {
    page(warehouse, sql, Limits::default()).await.unwrap().rows
}

fn some(cells: &[&str]) -> Vec<Option<String>> {
    cells.iter().map(|cell| Some((*cell).to_owned())).collect()
}

const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT (i + 1) % 1000 FROM n) SELECT count(*) FROM n";

#[tokio::test]
async fn the_catalog_has_comments_keys_views_and_row_counts() {
    let (_folder, path) = database(
        "CREATE TABLE customer (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL);
         COMMENT ON TABLE customer IS 'who buys'; COMMENT ON COLUMN customer.name IS 'full name';
         CREATE TABLE purchase (id INTEGER, line INTEGER, customer_id INTEGER REFERENCES customer(id), total DECIMAL(38,10), PRIMARY KEY (id, line));
         CREATE TABLE ship (order_id INTEGER, line INTEGER, FOREIGN KEY (order_id, line) REFERENCES purchase(id, line));
         CREATE SCHEMA hr; CREATE TABLE hr.staff (id INTEGER);
         CREATE VIEW big AS SELECT * FROM customer;
         INSERT INTO customer VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cy'); DELETE FROM customer WHERE id = 3;",
    );
    let catalog = warehouse(&path).load_catalog().await.unwrap();
    assert_eq!((catalog.database.as_str(), catalog.fingerprint.len()), ("shop", 32));
    let names: Vec<String> = catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["customer", "purchase", "ship", "big", "hr.staff"]);
    let customer = catalog.find_table("customer").unwrap();
    assert_eq!((customer.row_count, customer.comment.as_deref()), (Some(2), Some("who buys")));
    assert_eq!(customer.find_column("name").unwrap().comment.as_deref(), Some("full name"));
    assert!(!customer.find_column("name").unwrap().nullable);
    let purchase = catalog.find_table("purchase").unwrap();
    assert_eq!(purchase.primary_key, ["id", "line"]);
    assert_eq!(purchase.find_column("total").unwrap().data_type, "DECIMAL(38,10)");
    assert_eq!(purchase.foreign_keys[0].ref_table.to_string(), "customer");
    assert_eq!(catalog.find_table("ship").unwrap().foreign_keys[0].ref_columns, ["id", "line"]);
    assert_eq!(catalog.find_table("big").unwrap().kind, TableKind::View);
    assert_eq!(catalog.find_table("big").unwrap().definition.as_deref(), Some("SELECT * FROM customer"));
    assert_eq!(catalog.find_table("customer").unwrap().definition, None);
}

#[tokio::test]
async fn an_error_shows_the_line_that_was_written() {
    let (_folder, path) = database("CREATE TABLE stores (id INTEGER)");
    let sql = "SELECT id, nam FROM stores";
    let said = page(&warehouse(&path), sql, Limits::default()).await.unwrap_err().to_string();
    let line = said.lines().find(|line| line.starts_with("LINE 1: ")).unwrap();
    let mark = said.lines().last().unwrap().find('^').unwrap();
    assert_eq!((line, &line[mark..mark + 3]), (format!("LINE 1: {sql}").as_str(), "nam"), "{said}");
}

#[tokio::test]
async fn what_a_unique_index_is_over_is_known_as_a_key() {
    let (_folder, path) = database(
        "CREATE SCHEMA hr;
         CREATE TABLE staff (id INTEGER PRIMARY KEY, badge INTEGER UNIQUE, \"Full Name\" VARCHAR, \"a,\"\"b'\" INTEGER, room INTEGER);
         CREATE TABLE hr.staff (badge INTEGER);
         CREATE UNIQUE INDEX by_name ON staff(\"full name\", ROOM); CREATE UNIQUE INDEX odd ON staff(\"a,\"\"b'\");
         CREATE UNIQUE INDEX by_letters ON staff(room, lower(\"Full Name\")); CREATE UNIQUE INDEX sum ON staff((badge + 1));
         CREATE INDEX plain ON staff(room); CREATE UNIQUE INDEX other ON hr.staff(badge);",
    );
    let catalog = warehouse(&path).load_catalog().await.unwrap();
    let staff = catalog.find_table("staff").unwrap();
    let keys: [&[&str]; 3] = [&["badge"], &["Full Name", "room"], &["a,\"b'"]];
    assert_eq!(staff.unique_keys, keys);
    assert_eq!(catalog.find_table("hr.staff").unwrap().unique_keys, [["badge"]]);
}

#[tokio::test]
async fn every_type_comes_out_exactly() {
    let (_folder, path) = database("CREATE TABLE t (a INTEGER)");
    let warehouse = warehouse(&path);
    for (expression, expected, cell_type) in [
        ("9223372036854775807", "9223372036854775807", CellType::Integer),
        ("18446744073709551615::UBIGINT", "18446744073709551615", CellType::Integer),
        (
            "170141183460469231731687303715884105727::HUGEINT",
            "170141183460469231731687303715884105727",
            CellType::Integer,
        ),
        (
            "(-170141183460469231731687303715884105727)::HUGEINT",
            "-170141183460469231731687303715884105727",
            CellType::Integer,
        ),
        ("sum(9223372036854775807) FROM range(3)", "27670116110564327421", CellType::Integer),
        (
            "'1234567890123456789012345678.0123456789'::DECIMAL(38,10)",
            "1234567890123456789012345678.0123456789",
            CellType::Decimal,
        ),
        ("(-0.05)::DECIMAL(4,2)", "-0.05", CellType::Decimal),
        ("0.1::DOUBLE", "0.1", CellType::Float),
        ("0.1::FLOAT", "0.1", CellType::Float),
        ("1e300", "1e300", CellType::Float),
        ("'nan'::DOUBLE", "NaN", CellType::Float),
        ("true", "true", CellType::Boolean),
        ("DATE '2024-02-29'", "2024-02-29", CellType::Date),
        ("DATE '0044-03-15 (BC)'", "-0043-03-15", CellType::Date),
        ("'infinity'::DATE", "infinity", CellType::Date),
        ("TIME '12:34:56.789'", "12:34:56.789", CellType::Time),
        ("TIMESTAMP '2024-02-29 23:59:59.000001'", "2024-02-29 23:59:59.000001", CellType::Timestamp),
        ("TIMESTAMP_NS '2024-02-29 23:59:59.000000001'", "2024-02-29 23:59:59.000000001", CellType::Timestamp),
        ("TIMESTAMPTZ '2024-02-29 23:59:59+02:00'", "2024-02-29 21:59:59+00:00", CellType::Timestamp),
        ("INTERVAL '1 year 2 months 3 days 04:05:06.5'", "1 year 2 months 3 days 04:05:06.5", CellType::Text),
        ("'\\x00\\xFF'::BLOB", "00ff", CellType::Binary),
        ("'9a3e6e4c-0000-4000-8000-0123456789ab'::UUID", "9a3e6e4c-0000-4000-8000-0123456789ab", CellType::Text),
        ("'b'::ENUM('a', 'b')", "b", CellType::Text),
        ("[1, NULL, 9223372036854775807]", "[1,null,9223372036854775807]", CellType::Nested),
        (
            "{'a': 1.50::DECIMAL(5,2), 'b': 'q\"', 'd': DATE '2024-01-01'}",
            "{\"a\":1.50,\"b\":\"q\\\"\",\"d\":\"2024-01-01\"}",
            CellType::Nested,
        ),
        ("MAP {'k': [1]}", "{\"k\":[1]}", CellType::Nested),
        ("'{\"a\": 1}'::JSON", "{\"a\": 1}", CellType::Nested),
        ("[1, 2]::INTEGER[2]", "[1,2]", CellType::Nested),
        ("union_value(num := 7)", "7", CellType::Nested),
        ("'101'::BIT", "101", CellType::Text),
        ("TIMETZ '12:00:00+02'", "12:00:00+02", CellType::Text),
        (
            "'123456789012345678901234567890123456789012345'::BIGNUM",
            "123456789012345678901234567890123456789012345",
            CellType::Integer,
        ),
        (
            "[340282366920938463463374607431768211455::UHUGEINT]",
            "[340282366920938463463374607431768211455]",
            CellType::Nested,
        ),
        ("'POINT(1 2)'::GEOMETRY", "POINT (1 2)", CellType::Text),
        ("{'a': 1}::VARIANT", "{\"a\":1}", CellType::Nested),
        (
            "340282366920938463463374607431768211455::UHUGEINT",
            "340282366920938463463374607431768211455",
            CellType::Integer,
        ),
    ] {
        match page(&warehouse, &format!("SELECT {expression}"), Limits::default()).await {
            Ok(page) => assert_eq!(
                (page.rows[0][0].as_deref(), page.columns[0].cell_type),
                (Some(expected), cell_type),
                "{expression}"
            ),
            Err(error) => panic!("{expression}: {error}"),
        }
    }
    assert_eq!(rows(&warehouse, "SELECT NULL, NULL::INTEGER").await, [vec![None, None]]);
    assert_eq!(rows(&warehouse, "SELECT [1], 2::HUGEINT -- why").await, [some(&["[1]", "2"])]);
}

#[tokio::test]
async fn a_check_names_columns_and_faults_without_running() {
    let (_folder, path) = database("CREATE TABLE t (id INTEGER, price DECIMAL(9,2), tags VARCHAR[], made TIMESTAMP)");
    let warehouse = warehouse(&path);
    let columns = warehouse
        .check_text("WITH x AS (SELECT * FROM t) SELECT *, sum(id) OVER () AS s FROM x;")
        .await
        .unwrap()
        .columns;
    let types: Vec<CellType> = columns.iter().map(|column| column.cell_type).collect();
    assert_eq!(types, [CellType::Integer, CellType::Decimal, CellType::Nested, CellType::Timestamp, CellType::Integer]);
    assert!(warehouse.check_text(ENDLESS).await.is_ok());
    let error = warehouse.check_text("SELECT pricee FROM t").await.unwrap_err();
    assert!(error.to_string().contains("Candidate bindings"), "{error}");
    let long = format!("SELECT {}", vec!["1"; 100].join(" + "));
    assert_eq!(warehouse.check_text(&long).await.unwrap().columns.len(), 1);
    assert_eq!(rows(&warehouse, &long).await, [some(&["100"])]);
    let error = warehouse.check_text("SELEC 1").await.unwrap_err();
    assert!(matches!(error, WarehouseError::Query { .. }) && error.to_string().contains("syntax error"), "{error}");
}

#[tokio::test]
async fn the_row_limit_stops_an_endless_query_and_says_so() {
    let (_folder, path) = database("CREATE TABLE t (a INTEGER)");
    let warehouse = warehouse(&path);
    let sql = "SELECT range FROM range(1000000000000)";
    let cut = page(&warehouse, sql, Limits { rows: Some(5_000), ..Limits::default() }).await.unwrap();
    assert_eq!((cut.row_count, cut.truncated), (5_000, true));
    let whole = page(&warehouse, "SELECT range FROM range(5000)", Limits { rows: Some(5_000), ..Limits::default() })
        .await
        .unwrap();
    assert_eq!((whole.row_count, whole.truncated), (5_000, false));
    assert_eq!(page(&warehouse, "SELECT * FROM t", Limits::default()).await.unwrap().columns.len(), 1);
}

#[tokio::test]
async fn an_endless_query_ends_at_its_time_limit() {
    let (_folder, path) = database("CREATE TABLE t (a INTEGER)");
    let warehouse = warehouse(&path);
    let limits = Limits { timeout: Duration::from_millis(50), ..Limits::default() };
    for sql in [ENDLESS, "SELECT count(*) FROM range(100000000) a, range(100000000) b WHERE a.range * b.range % 7 = 1"]
    {
        assert_eq!(page(&warehouse, sql, limits.clone()).await.unwrap_err(), WarehouseError::Timeout { seconds: 1 });
    }
    assert_eq!(rows(&warehouse, "SELECT 1").await, [some(&["1"])]);
}

#[tokio::test]
async fn an_endless_query_ends_when_it_is_cancelled_or_closed() {
    let (_folder, path) = database("CREATE TABLE t (a INTEGER)");
    let warehouse = Arc::new(warehouse(&path));
    let cancel = CancellationToken::new();
    let later = cancel.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(30)).await;
        later.cancel();
    });
    assert_eq!(
        warehouse.query_text(ENDLESS.into(), Limits::default(), cancel.clone()).await.unwrap_err(),
        WarehouseError::Cancelled
    );
    // Cancelled before the start.
    assert_eq!(
        warehouse.query_text(ENDLESS.into(), Limits::default(), cancel).await.unwrap_err(),
        WarehouseError::Cancelled
    );

    let running = tokio::spawn({
        let warehouse = warehouse.clone();
        async move { warehouse.query_text(ENDLESS.into(), Limits::default(), CancellationToken::new()).await }
    });
    tokio::time::sleep(Duration::from_millis(30)).await;
    warehouse.close().await;
    assert_eq!(running.await.unwrap().unwrap_err(), WarehouseError::Cancelled);
    assert!(warehouse.check_text("SELECT 1").await.is_err());
}

#[tokio::test]
async fn a_query_that_is_cancelled_while_rows_flow_ends_with_that_error() {
    let (_folder, path) = database("CREATE TABLE t (a INTEGER)");
    let cancel = CancellationToken::new();
    let limits = Limits { rows: None, ..Limits::default() };
    let mut batches =
        warehouse(&path).query_text("SELECT * FROM range(1000000000000)".into(), limits, cancel.clone()).await.unwrap();
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
async fn an_error_half_way_is_an_error_and_not_a_short_result() {
    let (_folder, path) = database("CREATE TABLE t (a INTEGER)");
    let sql = "SELECT CASE WHEN range = 100000 THEN error('boom')::BIGINT ELSE range END FROM range(200000)";
    let error = page(&warehouse(&path), sql, Limits { rows: None, ..Limits::default() }).await.unwrap_err();
    assert!(error.to_string().contains("boom"), "{error}");
}

#[tokio::test]
async fn memory_is_bounded() {
    let (_folder, path) = database("CREATE TABLE t (a INTEGER)");
    let sql =
        "SELECT count(*) FROM (SELECT DISTINCT hash(range)::VARCHAR || repeat('x', 50) AS v FROM range(40000000))";
    let small = OpenOptions { memory_bytes: 64 << 20, ..OpenOptions::default() };
    let engine = DuckWarehouse::open_database(&path, &small).unwrap();
    assert_eq!(page(&engine, sql, Limits::default()).await.unwrap_err(), WarehouseError::Memory { megabytes: 64 });
    let limits = Limits { memory_bytes: Some(96 << 20), ..Limits::default() };
    assert_eq!(page(&warehouse(&path), sql, limits).await.unwrap_err(), WarehouseError::Memory { megabytes: 96 });
}

#[tokio::test]
async fn the_engine_itself_refuses_everything_but_reads() {
    let (folder, path) = database("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1)");
    let secret = folder.path().join("secret.csv");
    std::fs::write(&secret, "a\n1\n").unwrap();
    let warehouse = warehouse(&path);
    let before = std::fs::read(&path).unwrap();
    let (secret, out) = (secret.display().to_string(), folder.path().join("out").display().to_string());
    for sql in [
        "INSERT INTO t VALUES (2)",
        "INSERT INTO t VALUES (2) RETURNING a",
        "UPDATE t SET a = 2",
        "DELETE FROM t",
        "DROP TABLE t",
        "CREATE TABLE u (a INTEGER)",
        "CREATE TEMP TABLE u AS SELECT 1",
        "ALTER TABLE t RENAME TO u",
        "VACUUM",
        "CHECKPOINT",
        "BEGIN",
        "SET threads = 1",
        "SET enable_external_access = true",
        "RESET lock_configuration",
        "PRAGMA database_size",
        "INSTALL httpfs",
        "LOAD icu",
        "SELECT 1; DROP TABLE t",
        "EXPLAIN ANALYZE DELETE FROM t",
        "CALL pragma_version()",
        "PREPARE p AS SELECT 1",
        "EXPORT DATABASE 'x'",
        &format!("ATTACH '{out}'"),
        &format!("COPY t TO '{out}'"),
        &format!("SELECT * FROM read_csv('{secret}')"),
        &format!("SELECT * FROM '{secret}'"),
        &format!("SELECT * FROM read_text('{secret}')"),
        &format!("SELECT * FROM glob('{secret}')"),
        &format!("WITH w AS (COPY t TO '{out}') SELECT 1"),
    ] {
        let error = match page(&warehouse, sql, Limits::default()).await {
            Ok(page) => panic!("{sql} ran and gave {page:?}"),
            Err(error) => error,
        };
        assert!(matches!(error, WarehouseError::Refused { .. } | WarehouseError::Query { .. }), "{sql}: {error:?}");
        assert!(warehouse.check_text(sql).await.is_err(), "{sql}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[tokio::test]
async fn the_locks_hold_below_the_check_for_a_select() {
    let (folder, path) = database("CREATE TABLE t (a INTEGER)");
    let connection = warehouse(&path).root.connect().unwrap();
    let out = folder.path().join("out.csv").display().to_string();
    for sql in [
        "INSERT INTO t VALUES (1)",
        "DROP TABLE t",
        "CREATE TABLE u (a INTEGER)",
        "SET threads = 1",
        "SET memory_limit = '9GB'",
        "SET enable_external_access = true",
        "INSTALL httpfs",
        "LOAD httpfs",
        &format!("COPY t TO '{out}'"),
        &format!("ATTACH '{out}'"),
        &format!("EXPORT DATABASE '{out}'"),
    ] {
        assert!(connection.execute_batch(sql).is_err(), "{sql}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

async fn fault(path: &Path) -> vitrine_domain::AppError {
    let uri = crate::WarehouseUri::new(crate::WarehouseKind::Duckdb, path);
    match open_warehouse(&uri).await {
        Err(error) => error.into(),
        Ok(warehouse) => {
            let catalog = warehouse.load_catalog().await;
            catalog.unwrap_err().into()
        }
    }
}

#[tokio::test]
async fn what_is_no_readable_database_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);

    let missing = fault(&at("missing.duckdb")).await;
    assert!(missing.message.contains("does not exist"), "{missing}");
    assert!(!at("missing.duckdb").exists());
    assert!(fault(folder.path()).await.message.contains("is a folder"));

    std::fs::write(at("notes.duckdb"), "Dear diary, this is no database at all. ".repeat(500)).unwrap();
    let text = fault(&at("notes.duckdb")).await;
    assert!(
        text.message.contains("is not a DuckDB database") && text.detail.clone().unwrap().contains("plain text"),
        "{text}"
    );

    rusqlite::Connection::open(at("other.db")).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
    let other = fault(&at("other.db")).await;
    assert!(
        other.message.contains("is not a DuckDB database") && other.detail.clone().unwrap().contains("use sqlite:PATH"),
        "{other}"
    );

    std::fs::write(at("zero.duckdb"), "").unwrap();
    let zero = fault(&at("zero.duckdb")).await;
    assert!(zero.detail.clone().unwrap_or_default().contains("0 bytes"), "{zero}");
}

#[tokio::test]
async fn a_truncated_database_is_called_damaged() {
    let (_folder, path) = database("CREATE TABLE t AS SELECT range, hash(range)::VARCHAR AS v FROM range(200000)");
    let whole = std::fs::read(&path).unwrap();
    for length in [100, 5_000, 13_000, whole.len() / 2] {
        std::fs::write(&path, &whole[..length]).unwrap();
        let uri = crate::WarehouseUri::new(crate::WarehouseKind::Duckdb, &path);
        let error = match open_warehouse(&uri).await {
            Err(error) => error,
            Ok(warehouse) => match warehouse.load_catalog().await {
                Err(error) => error,
                Ok(_) => {
                    let sql = ReadOnlySql::parse("SELECT max(v) FROM t", Dialect::Duckdb).unwrap();
                    match warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await {
                        Ok(batches) => read_page(batches, 10).await.unwrap_err(),
                        Err(error) => error,
                    }
                }
            },
        };
        assert!(matches!(error, WarehouseError::Corrupt { .. }), "{length}: {error:?}");
    }
}

#[tokio::test]
async fn an_empty_database_opens_and_has_no_tables() {
    let (_folder, path) = database("");
    assert!(warehouse(&path).load_catalog().await.unwrap().tables.is_empty());
}

/// A helper process for [`a_database_that_another_program_writes_is_called_locked`]: holds a database open.
#[test]
#[ignore = "run by another test, as the other program"]
fn hold_open() {
    let Some(path) = std::env::var_os("VITRINE_HOLD_OPEN") else { return };
    let _held = Connection::open(path).unwrap();
    println!("held");
    std::io::Read::read(&mut std::io::stdin(), &mut [0]).unwrap();
}

#[tokio::test]
async fn a_database_that_another_program_writes_is_called_locked() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let (_folder, path) = database("CREATE TABLE t (a INTEGER)");
    let mut other = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "engines::duck::tests::hold_open", "--ignored", "--nocapture"])
        .env("VITRINE_HOLD_OPEN", &path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(other.stdout.take().unwrap()).lines();
    assert!(lines.by_ref().map_while(Result::ok).any(|line| line.contains("held")));
    let error = fault(&path).await;
    drop(other.stdin.take());
    other.wait().unwrap();
    assert!(error.message.contains("locked by another program"), "{error}");
    assert!(error.hint.unwrap().contains("Close the other program"));
    assert!(DuckWarehouse::open_database(&path, &OpenOptions::default()).is_ok());
}

#[tokio::test]
async fn changes_that_wait_in_the_log_are_read() {
    let (_folder, path) = database("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1); CHECKPOINT");
    // Leaves the log behind, like a program that crashed.
    let writer = Connection::open(&path).unwrap();
    writer
        .execute_batch(
            "PRAGMA disable_checkpoint_on_shutdown; PRAGMA wal_autocheckpoint = '1TB'; INSERT INTO t VALUES (2)",
        )
        .unwrap();
    drop(writer);
    assert!(path.with_extension("duckdb.wal").exists());
    assert_eq!(rows(&warehouse(&path), "SELECT sum(a) FROM t").await, [some(&["3"])]);
}

#[tokio::test]
async fn only_the_schemas_of_a_scope_are_seen_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.duckdb");
    duckdb::Connection::open(&path)
        .unwrap()
        .execute_batch(
            "CREATE SCHEMA sales; CREATE SCHEMA hidden; CREATE TABLE plain (x int); CREATE TABLE hidden.pay (x int);
             CREATE TABLE sales.orders (x int);",
        )
        .unwrap();
    let uri = crate::WarehouseUri::new(crate::WarehouseKind::Duckdb, &path);
    let open = async |schemas: &[&str]| {
        let schemas = schemas.iter().map(|name| (*name).to_owned()).collect();
        crate::open_with(&uri, &OpenOptions { schemas, engine: None, ..OpenOptions::default() }).await.unwrap()
    };
    let scoped = open(&["Sales"]).await;
    assert_eq!(scoped.load_catalog().await.unwrap().tables.len(), 1);
    let check = async |sql: &str| scoped.check_query(&ReadOnlySql::parse(sql, Dialect::Duckdb).unwrap()).await;
    check("WITH a AS (SELECT * FROM sales.orders) SELECT * FROM a, SALES.Orders").await.unwrap();
    let plan = async |sql: &str| {
        let sql = ReadOnlySql::parse(sql, Dialect::Duckdb).unwrap();
        scoped.query_plan(&sql, Limits::default(), CancellationToken::new()).await
    };
    plan("SELECT * FROM sales.orders").await.unwrap();
    for outside in ["SELECT * FROM plain", "SELECT * FROM hidden.pay", "SELECT * FROM two.hidden.pay"] {
        assert!(matches!(plan(outside).await, Err(WarehouseError::OutOfScope { .. })), "{outside}");
        let error = check(outside).await.unwrap_err();
        assert!(matches!(error, WarehouseError::OutOfScope { .. }), "{outside}: {error}");
    }
    let main = open(&["main"]).await;
    assert_eq!(main.load_catalog().await.unwrap().tables[0].name.name, "plain");
    main.check_query(&ReadOnlySql::parse("SELECT * FROM plain", Dialect::Duckdb).unwrap()).await.unwrap();
    assert_ne!(
        main.load_catalog().await.unwrap().fingerprint,
        open(&[]).await.load_catalog().await.unwrap().fingerprint
    );
}
