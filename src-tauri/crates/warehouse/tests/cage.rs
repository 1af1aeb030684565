//! Engines in separate processes: equal rows as in this process, and an end to uninterruptible calls.

use futures::TryStreamExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::Dialect;
use vitrine_sql::ReadOnlySql;
use vitrine_warehouse::{Limits, OpenOptions, Warehouse, WarehouseError, WarehouseUri, open_with};

fn caged() -> OpenOptions {
    OpenOptions { engine: Some(PathBuf::from(env!("CARGO_BIN_EXE_vitrine-engine"))), ..OpenOptions::default() }
}

/// Creates a folder with a database of each kind.
fn databases() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let sqlite = rusqlite::Connection::open(folder.path().join("shop.db")).expect("SQLite");
    sqlite
        .execute_batch(
            "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price NUMERIC, photo BLOB);
             INSERT INTO item VALUES (1, 'Tür', 2.5, x'00ff'), (2, NULL, 9007199254740993, NULL), (3, '', -0.1, x'');",
        )
        .expect("a table");
    let duck = duckdb::Connection::open(folder.path().join("shop.duckdb")).expect("DuckDB");
    duck.execute_batch(
        "CREATE TABLE item AS SELECT 1::BIGINT AS id, 'Tür' AS name, 12.34::DECIMAL(38, 2) AS price, DATE '2024-02-29' AS day,
             TIMESTAMPTZ '2024-02-29 12:00:00+00' AS at, [1, NULL, 3] AS list, {'a': 1, 'b': 'x'} AS record,
             'big'::ENUM('small', 'big') AS size, '{\"k\": 1}'::JSON AS extra, '\\x00\\xFF'::BLOB AS photo,
             170141183460469231731687303715884105727::HUGEINT AS huge, INTERVAL 3 DAY AS span, uuid() IS NOT NULL AS has_id
         UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL;",
    )
    .expect("a table");
    std::fs::write(folder.path().join("stores.csv"), "store,city\n1,Kraków\n2,\n").expect("a file");
    folder
}

async fn opened(uri: &str, options: &OpenOptions) -> Arc<dyn Warehouse> {
    open_with(&WarehouseUri::parse(uri).expect("an address"), options).await.expect("opens")
}

fn read(sql: &str, dialect: Dialect) -> ReadOnlySql {
    ReadOnlySql::parse(sql, dialect).expect("a read")
}

async fn rows(warehouse: &dyn Warehouse, sql: &str, limits: Limits) -> Result<(String, bool), WarehouseError> {
    let sql = read(sql, warehouse.dialect());
    let mut result = warehouse.run_query(&sql, limits, CancellationToken::new()).await?;
    let schema = result.schema.clone();
    let batches: Vec<_> =
        std::mem::replace(&mut result.stream, Box::pin(futures::stream::empty())).try_collect().await?;
    let all = arrow::compute::concat_batches(&schema, &batches).expect("batches of one schema");
    // Includes the types and their names.
    Ok((format!("{all:?}"), result.is_truncated()))
}

fn uris(folder: &Path) -> [String; 3] {
    let at = |name: &str| folder.join(name).display().to_string();
    [format!("sqlite:{}", at("shop.db")), format!("duckdb:{}", at("shop.duckdb")), format!("file:{}", at("stores.csv"))]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_the_same_out_of_another_process() {
    let folder = databases();
    for (uri, table) in uris(folder.path()).into_iter().zip(["item", "item", "stores"]) {
        let plan = async |options: &OpenOptions| {
            let warehouse = opened(&uri, options).await;
            let sql = read(&format!("SELECT count(*) FROM {table}"), warehouse.dialect());
            let told = warehouse.query_plan(&sql, Limits::default(), CancellationToken::new()).await;
            warehouse.close().await;
            told
        };
        let caged = plan(&caged()).await.expect("a plan");
        assert_eq!(Ok(&caged), plan(&OpenOptions { engine: None, ..OpenOptions::default() }).await.as_ref(), "{uri}");
        assert!(!caged.steps.is_empty(), "{uri}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caged_engine_gives_what_the_engine_gives() {
    let folder = databases();
    for (uri, table) in uris(folder.path()).iter().zip(["item", "item", "stores"]) {
        let (inside, caged) = (opened(uri, &OpenOptions::default()).await, opened(uri, &caged()).await);
        assert_eq!(inside.dialect(), caged.dialect());
        assert_eq!(
            inside.load_catalog().await.expect("a catalog"),
            caged.load_catalog().await.expect("a catalog"),
            "{uri}"
        );
        let sql = format!("SELECT * FROM {table}");
        let columns = read(&sql, caged.dialect());
        assert_eq!(
            inside.check_query(&columns).await.expect("columns"),
            caged.check_query(&columns).await.expect("columns")
        );
        for (sql, limit) in [(sql.clone(), None), (sql.clone(), Some(1)), (format!("{sql} WHERE 1 = 0"), Some(5))] {
            let limits = Limits { rows: limit, ..Limits::default() };
            let expected = rows(inside.as_ref(), &sql, limits.clone()).await.expect("rows");
            assert_eq!(rows(caged.as_ref(), &sql, limits).await.expect("rows"), expected, "{uri}: {sql}");
        }
        let wrong = "SELECT nothing FROM item";
        let expected = rows(inside.as_ref(), wrong, Limits::default()).await.expect_err("no such column");
        assert_eq!(rows(caged.as_ref(), wrong, Limits::default()).await.expect_err("no such column"), expected);
        caged.close().await;
        assert!(rows(caged.as_ref(), &sql, Limits::default()).await.is_err(), "closed");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn an_engine_tells_which_walls_hold_it_in() {
    let folder = databases();
    for uri in uris(folder.path()) {
        assert_eq!(
            opened(&uri, &OpenOptions::default()).await.sandbox_state().await,
            Ok(None),
            "{uri}: in this process"
        );
        let caged = opened(&uri, &caged()).await;
        let walls = caged.sandbox_state().await.expect("an answer").expect("a process of its own");
        assert_eq!(walls.describe_gaps(), None, "{uri}");
        caged.close().await;
        assert!(caged.sandbox_state().await.is_err(), "closed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_does_not_open_says_what_the_engine_says() {
    let folder = databases();
    std::fs::write(folder.path().join("cut.db"), b"SQLite format 3\0cut").expect("a file");
    for name in ["sqlite:none.db", "sqlite:cut.db", "duckdb:cut.db", "file:none.csv"] {
        let (kind, name) = name.split_once(':').expect("an address");
        let uri = WarehouseUri::parse(&format!("{kind}:{}", folder.path().join(name).display())).expect("an address");
        let inside = open_with(&uri, &OpenOptions::default()).await.map(drop).expect_err("does not open");
        assert_eq!(open_with(&uri, &caged()).await.map(drop).expect_err("does not open"), inside);
    }
}

/// Calls inside an engine that cannot be interrupted.
const DEAF: [(usize, &str); 3] = [
    (0, "SELECT instr(printf('%.*c', 200000000, 'a'), printf('%.*c', 100000000, 'a') || 'b')"),
    (1, "SELECT levenshtein(repeat('a', 400000), repeat('b', 400000))"),
    (2, "SELECT levenshtein(repeat(city, 400000), repeat('b', 400000)) FROM stores"),
];

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_interrupted_is_ended_and_the_engine_starts_anew() {
    let folder = databases();
    let uris = uris(folder.path());
    for (kind, deaf) in DEAF {
        let warehouse = opened(&uris[kind], &caged()).await;
        let sql = read(deaf, warehouse.dialect());
        let begun = Instant::now();
        let limits = Limits { timeout: Duration::from_millis(300), ..Limits::default() };
        let stopped = rows(warehouse.as_ref(), deaf, limits).await.expect_err("takes for ever");
        assert!(matches!(stopped, WarehouseError::Timeout { .. }), "{deaf}: {stopped:?}");
        // Cancelled by the user.
        let cancel = CancellationToken::new();
        let asked = warehouse.run_query(&sql, Limits::default(), cancel.clone());
        let (asked, ()) = tokio::join!(asked, async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            cancel.cancel();
        });
        let error = match asked {
            Ok(result) => result.stream.try_collect::<Vec<_>>().await.map(drop).expect_err("takes for ever"),
            Err(error) => error,
        };
        assert_eq!(error, WarehouseError::Cancelled, "{deaf}");
        // The other pending request is not lost.
        let (answered, _) = rows(warehouse.as_ref(), "SELECT 40 + 2 AS n", Limits::default()).await.expect("an answer");
        assert!(answered.contains("42"), "{answered}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_cannot_be_stopped_ends_no_result_beside_it() {
    let folder = databases();
    let warehouse = opened(&uris(folder.path())[1], &caged()).await;
    let all = Limits { rows: None, ..Limits::default() };
    let many = read("SELECT range AS n, repeat('x', 100) AS text FROM range(3000000)", Dialect::Duckdb);
    let mut result = warehouse.run_query(&many, all, CancellationToken::new()).await.expect("begins");
    let mut count = result.stream.try_next().await.expect("rows").expect("rows").num_rows();
    let limits = Limits { timeout: Duration::from_millis(300), ..Limits::default() };
    let stopped = rows(warehouse.as_ref(), DEAF[1].1, limits).await.expect_err("takes for ever");
    assert!(matches!(stopped, WarehouseError::Timeout { .. }), "{stopped:?}");
    // Other requests are answered meanwhile by another process.
    let begun = Instant::now();
    let (answered, _) = rows(warehouse.as_ref(), "SELECT 40 + 2 AS n", Limits::default()).await.expect("an answer");
    assert!(answered.contains("42") && begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    while let Some(batch) = result.stream.try_next().await.expect("its rows go on") {
        count += batch.num_rows();
    }
    assert_eq!(count, 3_000_000);
    // No request refers to the unresponsive process any more.
    #[cfg(target_os = "linux")]
    {
        let begun = Instant::now();
        while engines().len() > 1 {
            assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", engines());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_stop_is_heard_while_the_engine_starts_anew() {
    use std::os::unix::fs::PermissionsExt;
    let folder = databases();
    // A slow engine, as with a folder of large files.
    let (program, slow) = (folder.path().join("vitrine-engine-slow"), folder.path().join("slow"));
    let engine = env!("CARGO_BIN_EXE_vitrine-engine");
    let script = format!("#!/bin/sh\n[ -e '{}' ] && sleep 3\nexec '{engine}' \"$@\"\n", slow.display());
    std::fs::write(&program, script).expect("a program");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let options = OpenOptions { engine: Some(program), ..caged() };
    let warehouse = opened(&uris(folder.path())[0], &options).await;
    std::fs::write(&slow, "").expect("a file");
    let engine = rustix::process::Pid::from_raw(engines()[0]).expect("a process");
    rustix::process::kill_process(engine, rustix::process::Signal::KILL).expect("it is ours");
    tokio::time::sleep(Duration::from_millis(300)).await;
    let (begun, cancel) = (Instant::now(), CancellationToken::new());
    let sql = read("SELECT 1 AS n", Dialect::Sqlite);
    let (asked, ()) = tokio::join!(warehouse.run_query(&sql, Limits::default(), cancel.clone()), async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        cancel.cancel();
    });
    assert_eq!(asked.map(drop), Err(WarehouseError::Cancelled));
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    // The start has continued, and the next caller uses it.
    std::fs::remove_file(&slow).expect("a file");
    rows(warehouse.as_ref(), "SELECT 1 AS n", Limits::default()).await.expect("an answer");
    assert!(begun.elapsed() >= Duration::from_secs(3), "it was not started twice");
    std::fs::write(&slow, "").expect("a file");
    let engine = rustix::process::Pid::from_raw(engines()[0]).expect("a process");
    rustix::process::kill_process(engine, rustix::process::Signal::KILL).expect("it is ours");
    tokio::time::sleep(Duration::from_millis(300)).await;
    let begun = Instant::now();
    tokio::join!(
        async { assert!(rows(warehouse.as_ref(), "SELECT 1 AS n", Limits::default()).await.is_err(), "closed") },
        async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            warehouse.close().await;
        }
    );
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
}

/// Returns the IDs of the engine processes that this test started.
#[cfg(target_os = "linux")]
fn engines() -> Vec<i32> {
    let own = std::process::id().to_string();
    let numbers = std::fs::read_dir("/proc").expect("processes").flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers
        .filter(|number: &i32| {
            // The fields after the name in brackets: the state, then the parent.
            let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
            let parent = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1));
            let program = std::fs::read_to_string(format!("/proc/{number}/cmdline")).unwrap_or_default();
            parent == Some(&own) && program.contains("vitrine-engine")
        })
        .collect()
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_crash_ends_the_query_that_was_alone_and_no_other_beside_it() {
    let crash = async |count: usize| {
        while engines().len() < count {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        // As the kernel kills a process that takes too much memory.
        tokio::time::sleep(Duration::from_millis(200)).await;
        let engine = rustix::process::Pid::from_raw(engines()[0]).expect("a process");
        rustix::process::kill_process(engine, rustix::process::Signal::KILL).expect("it is ours");
    };
    let folder = databases();
    let slow = |to: u32| {
        format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {to}) SELECT max(i) FROM n")
    };
    let warehouse = opened(&uris(folder.path())[0], &caged()).await;
    let (first, second) = (slow(3_000_001), slow(3_000_002));
    let one = rows(warehouse.as_ref(), &first, Limits::default());
    let other = rows(warehouse.as_ref(), &second, Limits::default());
    let (one, other, ()) = tokio::join!(one, other, crash(1));
    assert!(one.expect("sent again").0.contains("3000001") && other.expect("sent again").0.contains("3000002"));

    let (alone, ()) = tokio::join!(rows(warehouse.as_ref(), &first, Limits::default()), crash(1));
    let error = alone.expect_err("it may be its own doing");
    assert!(matches!(error, WarehouseError::Interrupted { .. }), "{error:?}");
    let (answered, _) = rows(warehouse.as_ref(), "SELECT 40 + 2 AS n", Limits::default()).await.expect("an answer");
    assert!(answered.contains("42"), "{answered}");
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_is_bounded_and_its_end_is_told() {
    let folder = databases();
    let options = OpenOptions { memory_bytes: 256 << 20, ..caged() };
    let warehouse = opened(&uris(folder.path())[1], &options).await;
    // 7.9 GB with a limit of 1 GiB, in a process without restrictions.
    let error = rows(warehouse.as_ref(), "SELECT len(range(900000000))", Limits::default()).await.expect_err("no room");
    assert!(matches!(error, WarehouseError::Memory { .. } | WarehouseError::Interrupted { .. }), "{error:?}");
    let (answered, _) = rows(warehouse.as_ref(), "SELECT 40 + 2 AS n", Limits::default()).await.expect("an answer");
    assert!(answered.contains("42"), "{answered}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sort_that_memory_does_not_hold_spills_into_the_engines_own_folder() {
    let folder = databases();
    let options = OpenOptions { memory_bytes: 96 << 20, ..caged() };
    let sorted = "SELECT sum(place) AS n FROM (SELECT row_number() OVER (ORDER BY md5(range::VARCHAR)) AS place FROM range(4000000)) AS s";
    for (uri, table) in uris(folder.path()).iter().skip(1).zip(["item", "stores"]) {
        let warehouse = opened(uri, &options).await;
        let answer = rows(warehouse.as_ref(), sorted, Limits::default()).await.expect("it spills");
        assert!(answer.0.contains("8000002000000"), "{answer:?}");
        rows(warehouse.as_ref(), &format!("SELECT * FROM {table}"), Limits::default()).await.expect("rows");
        // Without a folder the query fails, which shows that it has spilled.
        let inside = opened(uri, &OpenOptions { engine: None, ..options.clone() }).await;
        let error = rows(inside.as_ref(), sorted, Limits::default()).await.expect_err("no room");
        assert!(matches!(error, WarehouseError::Memory { .. }), "{error:?}");
    }
    assert_eq!(names(folder.path()), ["shop.db", "shop.duckdb", "stores.csv"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_holds_up_neither_others_nor_memory() {
    let folder = databases();
    let warehouse = opened(&uris(folder.path())[1], &caged()).await;
    let all = Limits { rows: None, ..Limits::default() };
    let many = read("SELECT range AS n, repeat('x', 100) AS text FROM range(3000000)", Dialect::Duckdb);
    let mut slow = warehouse.run_query(&many, all.clone(), CancellationToken::new()).await.expect("begins");
    let first = slow.stream.try_next().await.expect("rows").expect("rows");
    for _ in 0..3 {
        rows(warehouse.as_ref(), "SELECT 1", Limits::default()).await.expect("is not held up");
    }
    let mut count = first.num_rows();
    while let Some(batch) = slow.stream.try_next().await.expect("rows") {
        count += batch.num_rows();
    }
    assert_eq!(count, 3_000_000);
    // Dropping the reader stops the query, and the engine stays.
    drop(warehouse.run_query(&many, all, CancellationToken::new()).await.expect("begins"));
    rows(warehouse.as_ref(), "SELECT 1", Limits::default()).await.expect("an answer");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_ahead_database_is_read_and_nothing_is_left_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wal.db");
    let writer = rusqlite::Connection::open(&path).expect("SQLite");
    writer.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t (n); INSERT INTO t VALUES (7);").expect("a table");
    drop(writer);
    let before = names(folder.path());
    let warehouse = opened(&format!("sqlite:{}", path.display()), &caged()).await;
    assert!(rows(warehouse.as_ref(), "SELECT n FROM t", Limits::default()).await.expect("rows").0.contains('7'));
    assert_eq!(names(folder.path()), before);
    // Changes of a concurrent writer are read, too.
    let writer = rusqlite::Connection::open(&path).expect("SQLite");
    writer.execute_batch("INSERT INTO t VALUES (8)").expect("a row");
    warehouse.close().await;
    let sum = "SELECT sum(n) FROM t";
    let warehouse = opened(&format!("sqlite:{}", path.display()), &caged()).await;
    assert!(rows(warehouse.as_ref(), sum, Limits::default()).await.expect("rows").0.contains("15"));
    // Copied below that writer, as from a phone: the log is pending, without other files.
    let other = tempfile::tempdir().expect("a folder");
    for name in ["wal.db", "wal.db-wal"] {
        std::fs::copy(folder.path().join(name), other.path().join(name)).expect("a copy");
    }
    let warehouse = opened(&format!("sqlite:{}", other.path().join("wal.db").display()), &caged()).await;
    assert!(rows(warehouse.as_ref(), sum, Limits::default()).await.expect("rows").0.contains("15"));
    let says = warehouse.safety_layers().await.expect("layers").remove(0).says;
    assert!(says.contains("a copy with them is read"), "{says}");
    assert_eq!(names(other.path()), ["wal.db", "wal.db-wal"]);
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|f| f.expect("a file").file_name().display().to_string())
        .collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn a_duckdb_file_can_be_written_by_others_between_questions() {
    let folder = databases();
    let path = folder.path().join("shop.duckdb");
    let warehouse = opened(&format!("duckdb:{}", path.display()), &caged()).await;
    let count = "SELECT count(*)::INTEGER AS n FROM item";
    assert!(rows(warehouse.as_ref(), count, Limits::default()).await.expect("rows").0.contains("2,"));
    assert!(duckdb::Connection::open(&path).is_err(), "it is being read");
    let begun = Instant::now();
    let writer = loop {
        match duckdb::Connection::open(&path) {
            Ok(writer) => break writer,
            Err(_) if begun.elapsed() < Duration::from_secs(30) => tokio::time::sleep(Duration::from_millis(200)).await,
            Err(error) => panic!("still locked: {error}"),
        }
    };
    writer.execute_batch("INSERT INTO item (id) VALUES (7)").expect("a row");
    let busy = rows(warehouse.as_ref(), count, Limits::default()).await.expect_err("it is being written");
    assert!(matches!(busy, WarehouseError::Locked { .. }), "{busy:?}");
    drop(writer);
    assert!(rows(warehouse.as_ref(), count, Limits::default()).await.expect("rows").0.contains("3,"));
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_followed_where_it_is_named_and_not_out_of_a_folder() {
    let (folder, links) = (databases(), tempfile::tempdir().expect("a folder"));
    // The log lies beside the target of the link.
    let writer = rusqlite::Connection::open(folder.path().join("shop.db")).expect("SQLite");
    writer.execute_batch("PRAGMA journal_mode = WAL; INSERT INTO item VALUES (4, 'x', 1, NULL)").expect("a row");
    for (name, uri, sql) in [
        ("shop.db", "sqlite:", "SELECT 30 + count(*) AS n FROM item"),
        ("stores.csv", "file:", "SELECT 32 + count(*) AS n FROM stores"),
    ] {
        let link = links.path().join(name);
        std::os::unix::fs::symlink(folder.path().join(name), &link).expect("a link");
        let warehouse = opened(&format!("{uri}{}", link.display()), &caged()).await;
        assert!(rows(warehouse.as_ref(), sql, Limits::default()).await.expect("rows").0.contains("34"), "{name}");
    }
    let whole = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(folder.path().join("stores.csv"), whole.path().join("stores.csv")).expect("a link");
    std::fs::write(whole.path().join("own.csv"), "id\n1\n").expect("a file");
    let warehouse = opened(&format!("file:{}", whole.path().display()), &caged()).await;
    rows(warehouse.as_ref(), "SELECT * FROM own", Limits::default()).await.expect("a file of the folder");
    rows(warehouse.as_ref(), "SELECT * FROM stores", Limits::default()).await.expect_err("a file of another folder");
    let readings = warehouse.file_readings().await.expect("readings");
    let left_out = readings.iter().find(|reading| reading.left_out.is_some()).expect("it is told");
    assert_eq!(left_out.file, "stores.csv");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn the_layers_that_hold_are_told_by_the_engine_itself() {
    use vitrine_domain::{SafetyKind, SafetyState};
    let folder = databases();
    for uri in uris(folder.path()) {
        let caged = opened(&uri, &caged()).await.safety_layers().await.expect("layers");
        let state = |kind: SafetyKind| {
            let layer = caged.iter().find(|layer| layer.kind == kind).unwrap_or_else(|| panic!("{uri}: {caged:?}"));
            (layer.state, layer.says.as_str())
        };
        assert_eq!(state(SafetyKind::Engine).0, SafetyState::Holds, "{uri}: {}", state(SafetyKind::Engine).1);
        assert_eq!(state(SafetyKind::Process).0, SafetyState::Holds, "{uri}: {}", state(SafetyKind::Process).1);
        // The test's own process has no sandbox, and this is reported.
        let inside = opened(&uri, &OpenOptions::default()).await.safety_layers().await.expect("layers");
        let process = inside.iter().find(|layer| layer.kind == SafetyKind::Process).expect("a layer");
        assert_eq!(process.state, SafetyState::Missing, "{uri}");
    }
    assert_eq!(names(folder.path()), ["shop.db", "shop.duckdb", "stores.csv"], "nothing was written to find out");
}
