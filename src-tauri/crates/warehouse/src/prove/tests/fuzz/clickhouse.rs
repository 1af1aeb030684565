//! The fuzz test for ClickHouse's dialect, on its own engine as a user with all rights, so that only the proof protects
//! it.

use super::*;
use vitrine_test_servers::clickhouse_server::ClickhouseServer;

const CLICKHOUSE_ONLY: &[&str] = &[
    "SELECT a, count() FROM t ARRAY JOIN [1, 2] AS x GROUP BY a WITH TOTALS ORDER BY a LIMIT 1 BY a",
    "SELECT toString(a), `b`, map('k', 1)['k'], b ILIKE '%x%' FROM shop.t FINAL PREWHERE a > 1",
    "WITH 1 AS x SELECT a + x, arrayMap(y -> y + 1, [1, 2]), (a, b).1, a ? 1 : 2 FROM t",
    "SELECT countIf(a > 1), uniqExact(b), argMax(a, b), quantile(0.5)(a) FROM t -- the end",
    "SELECT a FROM t SETTINGS readonly = 0, max_threads = 1 FORMAT CSV",
    "SELECT a FROM t INTO OUTFILE 'FOLDER/out.csv'",
    "SELECT * FROM file('FOLDER/secret.csv'), url('http://127.0.0.1:1/x', CSV, 'a Int64'), remote('127.0.0.1', shop.t)",
    "SELECT file('FOLDER/secret.csv'), dictGet('d', 'x', 1), getSetting('readonly'), sleep(1), hostName()",
    "INSERT INTO t VALUES (3, 'z'); INSERT INTO FUNCTION file('FOLDER/out.csv') SELECT a FROM t",
    "INSERT INTO t SELECT a + 1, b FROM t",
    "ALTER TABLE t DELETE WHERE a = 1; ALTER TABLE t UPDATE b = 'z' WHERE 1; DELETE FROM t WHERE a = 1",
    "CREATE TABLE u ENGINE = Memory AS SELECT * FROM t; DROP TABLE t SYNC; TRUNCATE TABLE t; RENAME TABLE t TO u",
    "OPTIMIZE TABLE t FINAL; SYSTEM FLUSH LOGS; KILL QUERY WHERE 1; SET readonly = 0; USE system",
    "CREATE FUNCTION f AS (x) -> x + 1; CREATE VIEW v AS SELECT a FROM t; EXPLAIN SELECT 1; DESCRIBE TABLE t",
    "SELECT a FROM t WHERE a IN t; SELECT * FROM system.users; SELECT * FROM merge('shop', '.*')",
];

const TABLES: [&str; 4] = [
    "DROP TABLE IF EXISTS shop.u SYNC",
    "DROP TABLE IF EXISTS shop.t SYNC",
    "CREATE TABLE shop.t (a Int64, b Nullable(String)) ENGINE = MergeTree ORDER BY a",
    "INSERT INTO shop.t VALUES (1, 'x'), (2, 'y'), (2, NULL)",
];
/// Queries for rows, objects, and functions.
const STATE: [&str; 3] = [
    "SELECT groupArray((a, b)) FROM (SELECT a, b FROM shop.t ORDER BY a, b)",
    "SELECT groupArray(name) FROM (SELECT name FROM system.tables WHERE database = 'shop' ORDER BY name)",
    "SELECT groupArray(name) FROM system.functions WHERE origin = 'SQLUserDefined'",
];

#[test]
fn what_is_accepted_only_reads_to_clickhouse() {
    let server = ClickhouseServer::start();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret.csv"), format!("a,b\n1,{SECRET}\n")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let run = |text: &str| runtime.block_on(server.run(text));
    let state = || {
        let files = std::fs::read_dir(folder.path()).unwrap().count();
        (files, STATE.map(|sql| run(sql).unwrap_or_else(|answer| answer)))
    };
    runtime.block_on(server.script(&TABLES));
    let before = state();
    assert!(before.1[0].contains("(2,NULL)"), "{before:?}");
    let ran = AtomicU32::new(0);
    let noticed = |text: &str| {
        let answer = run(text);
        ran.fetch_add(u32::from(answer.is_ok()), Ordering::AcqRel);
        let read = answer.is_ok_and(|answer| answer.contains(SECRET)).then_some("a file was read");
        read.or_else(|| (state() != before).then_some("it changed something"))
    };
    for text in [
        "INSERT INTO t VALUES (3, 'z')",
        "TRUNCATE TABLE t",
        "CREATE TABLE u ENGINE = Memory AS SELECT a FROM t",
        "DELETE FROM t WHERE a = 1",
    ] {
        assert!(noticed(text).is_some(), "{text}");
        runtime.block_on(server.script(&TABLES));
        assert_eq!(state(), before, "{text}");
    }
    ran.store(0, Ordering::Release);
    let accepted = hold((Dialect::Clickhouse, CLICKHOUSE_ONLY, 800), folder.path(), noticed);
    // A statement that the engine rejects has no effect.
    let ran = ran.load(Ordering::Acquire);
    assert!(accepted > 60 && ran > 20, "{accepted} accepted, {ran} ran");
}
