//! The fuzz test for BigQuery's dialect, on its emulator, which has no read-only transactions and no logins.

use super::*;
use serde_json::Value;
use vitrine_test_servers::bigquery_emulator::BigqueryEmulator;

const BIGQUERY_ONLY: &[&str] = &[
    "SELECT * EXCEPT (b), a AS `x y` FROM `shop.t` WHERE a IN UNNEST([1, 2]) QUALIFY ROW_NUMBER() OVER (ORDER BY a) = 1",
    "SELECT x.d, SAFE_CAST(b AS INT64), r'raw\\', \"a text\", b'x' FROM t, UNNEST(GENERATE_ARRAY(1, 3)) AS x # a comment",
    "SELECT STRUCT(a AS one, b) AS s, ARRAY_AGG(DISTINCT a IGNORE NULLS ORDER BY a LIMIT 2) FROM shop.t GROUP BY a, b",
    "WITH c AS (SELECT a FROM t) SELECT AS STRUCT a, DATE_TRUNC(DATE '2024-01-31', MONTH) FROM c -- the end",
    "SELECT a FROM t TABLESAMPLE SYSTEM (50 PERCENT) UNION DISTINCT SELECT 1 EXCEPT DISTINCT SELECT 2",
    "INSERT INTO t VALUES (3, 'z'); INSERT t (a) SELECT a FROM t",
    "DELETE FROM t WHERE a = 1; DELETE t WHERE TRUE",
    "UPDATE t SET a = 5 WHERE TRUE; TRUNCATE TABLE t",
    "MERGE t USING t AS u ON t.a = u.a WHEN MATCHED THEN DELETE",
    "CREATE TABLE shop.u AS SELECT * FROM t; CREATE OR REPLACE TABLE t AS SELECT 1 AS a; DROP TABLE t",
    "CREATE VIEW shop.v AS SELECT a FROM t; CREATE TEMP FUNCTION f(x INT64) AS (x + 1); DROP SCHEMA shop CASCADE",
    "EXPORT DATA OPTIONS (uri = 'FOLDER/*.csv', format = 'CSV') AS SELECT a FROM t",
    "DECLARE x INT64 DEFAULT 1; SET x = 2; BEGIN TRANSACTION; COMMIT TRANSACTION; EXECUTE IMMEDIATE 'DELETE FROM t WHERE TRUE'",
    "CALL shop.f(1); ASSERT (SELECT COUNT(*) FROM t) > 0; ALTER TABLE t ADD COLUMN c INT64",
    "SELECT * FROM EXTERNAL_QUERY('x', 'DELETE FROM t'), ML.PREDICT(MODEL shop.m, TABLE t), AI.GENERATE('x')",
    "SELECT * FROM read_csv('FOLDER/secret.csv'), read_text('FOLDER/secret.csv'); COPY t TO 'FOLDER/out.csv'",
    "|> FROM t |> WHERE a = 1; FROM t |> AGGREGATE COUNT(*)",
];

const TABLES: [&str; 2] = [
    "CREATE OR REPLACE TABLE shop.t AS SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, 'y'",
    "DROP TABLE IF EXISTS shop.u",
];
/// Queries for the rows and the objects of the database.
const STATE: [&str; 2] = [
    "SELECT a, b FROM shop.t ORDER BY a, b",
    "SELECT table_name, column_name FROM shop.INFORMATION_SCHEMA.COLUMNS ORDER BY 1, 2",
];

#[test]
fn what_is_accepted_only_reads_to_bigquerys_emulator() {
    let Some(emulator) = BigqueryEmulator::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret.csv"), format!("a,b\n1,{SECRET}\n")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let run = |text: &str| runtime.block_on(emulator.run(text));
    let rows = |sql: &&str| {
        let answer = run(sql).unwrap_or_else(|answer| answer);
        serde_json::from_str::<Value>(&answer).map_or(Value::Null, |answer| answer["rows"].clone())
    };
    let state = || {
        let files = std::fs::read_dir(folder.path()).unwrap().count();
        (files, STATE.iter().map(rows).collect::<Vec<Value>>())
    };
    runtime.block_on(emulator.script(&TABLES));
    let before = state();
    assert_eq!(before.1[0].as_array().map(Vec::len), Some(2), "{before:?}");
    let ran = AtomicU32::new(0);
    let noticed = |text: &str| {
        let answer = run(text);
        ran.fetch_add(u32::from(answer.is_ok()), Ordering::AcqRel);
        let read = answer.is_ok_and(|answer| answer.contains(SECRET)).then_some("a file was read");
        read.or_else(|| (state() != before).then_some("it changed something"))
    };
    for text in [
        "DELETE FROM shop.t WHERE a = 1",
        "INSERT INTO shop.t VALUES (3, 'z')",
        "UPDATE shop.t SET b = 'z' WHERE TRUE",
        "CREATE TABLE shop.u AS SELECT a FROM shop.t",
        "DROP TABLE shop.t",
    ] {
        assert!(noticed(text).is_some(), "{text}");
        runtime.block_on(emulator.script(&TABLES));
        assert_eq!(state(), before, "{text}");
    }
    ran.store(0, Ordering::Release);
    let accepted = hold((Dialect::Bigquery, BIGQUERY_ONLY, 800), folder.path(), noticed);
    // A statement that the emulator rejects has no effect.
    let ran = ran.load(Ordering::Acquire);
    assert!(accepted > 60 && ran > 30, "{accepted} accepted, {ran} ran");
}
