//! Reading and writing statements, split and recombined at random: every accepted statement must be a pure read for the
//! engine, without the engine's own restrictions.

use super::super::{Catalog, prove_read_only};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rusqlite::functions::FunctionFlags;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use tokio_postgres::SimpleQueryMessage;
use tokio_postgres::error::SqlState;
use vitrine_domain::Dialect;
use vitrine_domain::{Column, Table, TableKind, TableName};
use vitrine_test_servers::postgres_server::PostgresServer;

mod bigquery;
mod clickhouse;
mod mysql;

/// The content of a file outside the database, which no result may contain.
const SECRET: &str = "not to be read";

const READS: &[&str] = &[
    "SELECT a, b FROM t WHERE a > 1 ORDER BY b LIMIT 3",
    "WITH c AS (SELECT a FROM t) SELECT count(*), sum(a) FROM c",
    "SELECT a, row_number() OVER (PARTITION BY b ORDER BY a) FROM t AS x JOIN t AS y USING (a)",
    "SELECT 'it''s; -- no' AS x, \"a\" /* a comment */ FROM t -- the end",
    "VALUES (1, 'x'), (2, 'y')",
    "SELECT a FROM t UNION SELECT b FROM t EXCEPT (SELECT 3)",
    "SELECT CASE WHEN a IN (SELECT b FROM t) THEN upper(b) ELSE lower(b) END FROM t GROUP BY 1 HAVING count(*) > 0",
];
const SQLITE_ONLY: &[&str] = &[
    "SELECT a IS 1, b IS NOT 'x' FROM t WHERE a IN (1, 2)",
    "SELECT a FROM t NOT INDEXED WHERE x'1f' = 0x1F",
    "SELECT [a], `b` FROM t, json_each('[1]') WHERE a GLOB '*'",
    "DELETE FROM t WHERE a = 1",
    "INSERT INTO t SELECT * FROM t RETURNING a",
    "UPDATE t SET a = 1 RETURNING *",
    "REPLACE INTO t VALUES (1, 2)",
    "DROP TABLE t",
    "CREATE TABLE u AS SELECT * FROM t",
    "PRAGMA user_version = 7",
    "ATTACH DATABASE ':memory:' AS other",
    "EXPLAIN DELETE FROM t",
    "SELECT load_extension('x'), writefile('a', 'b'), readfile('c'), edit('d')",
    "SELECT * FROM pragma_table_info('t'), pragma_database_list",
    "WITH c AS (SELECT 1 AS x) DELETE FROM t WHERE a IN c",
    "BEGIN; SAVEPOINT x; VACUUM; REINDEX",
];
const DUCKDB_ONLY: &[&str] = &[
    "SELECT a ** 2, [x + 1 FOR x IN [1, 2] IF x > 1], 1 IN [1] FROM t USING SAMPLE 50%",
    "PIVOT t ON a IN (1, 2) USING count(*)",
    "FROM t SELECT a, lag(a IGNORE NULLS) OVER (ORDER BY b)",
    "SELECT E'\\'' || $$text$$, {'a': 1}.a, list_transform([1], x -> x + 1)",
    "SELECT * FROM 'FOLDER/secret.csv'",
    "SELECT * FROM read_csv('FOLDER/secret.csv'), read_text('FOLDER/secret.csv')",
    "SELECT getenv('HOME'), nextval('s'), current_setting('threads')",
    "COPY t TO 'FOLDER/out.csv'",
    "COPY (SELECT a ** 2 FROM t) TO 'FOLDER/out.csv'",
    "ATTACH 'FOLDER/out.db' AS other",
    "EXPORT DATABASE 'FOLDER/out'",
    "DELETE FROM t WHERE a = 1 RETURNING *",
    "INSERT INTO t SELECT a ** 2, b FROM t",
    "CREATE TABLE u AS FROM t",
    "DROP TABLE t",
    "SET threads = 1",
    "SELECT * FROM query('SELECT 1'), query_table('t'), glob('FOLDER/*')",
    "MERGE INTO t USING t AS u ON t.a = u.a WHEN MATCHED THEN DELETE",
];

const POSTGRES_ONLY: &[&str] = &[
    "SELECT a BETWEEN SYMMETRIC 3 AND 1, E'it\\'s', U&'d\\0061t' FROM t TABLESAMPLE BERNOULLI (50)",
    "SELECT * FROM ROWS FROM (generate_series(1, 3), unnest(ARRAY[1, 2])) AS r(x, y)",
    "SELECT DISTINCT ON (a) a, b::text, $$text; $$, $q$ it's $q$ FROM t ORDER BY a, b DESC NULLS LAST",
    "SELECT sum(a) FILTER (WHERE b ~ 'x') OVER (ORDER BY a GROUPS 1 PRECEDING EXCLUDE TIES) FROM t",
    "SELECT a FROM t WHERE a BETWEEN SYMMETRIC 1 AND 2 FOR UPDATE SKIP LOCKED",
    "SELECT a INTO u FROM t",
    "WITH x AS (DELETE FROM t WHERE a = 1 RETURNING *) SELECT * FROM x",
    "WITH x AS (INSERT INTO t VALUES (3, 'z') RETURNING a) SELECT a BETWEEN SYMMETRIC 1 AND 2 FROM x",
    "UPDATE t SET a = 1 RETURNING *",
    "MERGE INTO t USING t AS u ON t.a = u.a WHEN MATCHED THEN DELETE",
    "TRUNCATE t; DROP TABLE t; CREATE TABLE u AS SELECT * FROM t",
    "COPY t TO 'FOLDER/out.csv'; COPY (SELECT a FROM t) TO PROGRAM 'touch FOLDER/out'",
    "SELECT pg_read_file('FOLDER/secret.csv'), pg_ls_dir('FOLDER'), lo_import('FOLDER/secret.csv')",
    "SELECT nextval('s'), setval('s', 9), set_config('work_mem', '1MB', false), pg_advisory_lock(1)",
    "SELECT query_to_xml('DELETE FROM t', true, true, ''), writes(a) FROM t, writes(1) AS w",
    "SELECT a OPERATOR(evil.+) 1, a OPERATOR(pg_catalog.+) 1 FROM t",
    "SET work_mem = '1MB'; COMMIT; BEGIN; LOCK TABLE t; NOTIFY x; LISTEN x",
    "DO $$ BEGIN DELETE FROM t; END $$",
    "EXPLAIN ANALYZE DELETE FROM t",
    "PREPARE x AS DELETE FROM t; EXECUTE x; CALL empty()",
    "TABLE t; SHOW work_mem; VACUUM t",
];

/// Splits a text into words and signs, whose concatenation is the text except for white space.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut in_word = false;
    for c in text.chars() {
        let of_word = c.is_alphanumeric() || c == '_' || c == '.' || c == '/';
        match words.last_mut() {
            Some(last) if of_word && in_word => last.push(c),
            _ => words.push(c.to_string()),
        }
        in_word = of_word;
    }
    words
}

#[derive(Debug, Clone)]
enum Change {
    Delete(prop::sample::Index),
    Repeat(prop::sample::Index),
    Swap(prop::sample::Index, prop::sample::Index),
    /// Inserts a part of another statement.
    Splice(prop::sample::Index, String, prop::sample::Index, usize),
    /// Inserts an opening or closing sign.
    Sign(prop::sample::Index, &'static str),
}

fn statement(own: &'static [&'static str]) -> impl Strategy<Value = String> + Clone {
    let all: Vec<String> = READS.iter().chain(own).map(|text| (*text).to_owned()).collect();
    prop::sample::select(all)
}

fn mutant(own: &'static [&'static str]) -> impl Strategy<Value = String> {
    let at = any::<prop::sample::Index>;
    let signs =
        vec!["'", "\"", "--", "/*", "*/", ";", "\n", "$$", "\\", "(", ")", "E'", "x'", "\r", ",", "`", "[", "]"];
    let change = prop_oneof![
        3 => at().prop_map(Change::Delete),
        2 => at().prop_map(Change::Repeat),
        3 => (at(), at()).prop_map(|(a, b)| Change::Swap(a, b)),
        4 => (at(), statement(own), at(), 1usize..12).prop_map(|(a, s, b, n)| Change::Splice(a, s, b, n)),
        2 => (at(), prop::sample::select(signs)).prop_map(|(a, s)| Change::Sign(a, s)),
    ];
    (statement(own), prop::collection::vec(change, 0..5)).prop_map(|(text, changes)| {
        let mut list = words(&text);
        for change in changes {
            if list.is_empty() {
                break;
            }
            match change {
                Change::Delete(at) => _ = list.remove(at.index(list.len())),
                Change::Repeat(at) => {
                    let at = at.index(list.len());
                    list.insert(at, list[at].clone());
                }
                Change::Swap(a, b) => {
                    let (a, b) = (a.index(list.len()), b.index(list.len()));
                    list.swap(a, b);
                }
                Change::Splice(at, other, from, length) => {
                    let other = words(&other);
                    let from = from.index(other.len());
                    let part: Vec<String> = other.into_iter().skip(from).take(length * 2).collect();
                    let at = at.index(list.len());
                    list.splice(at..at, part);
                }
                Change::Sign(at, sign) => list.insert(at.index(list.len()), sign.to_owned()),
            }
        }
        list.concat()
    })
}

fn catalog(dialect: Dialect) -> Catalog {
    let columns = ["a", "b"].map(|name| Column {
        name: name.to_owned(),
        data_type: "INTEGER".to_owned(),
        nullable: true,
        comment: None,
    });
    let t = Table {
        name: TableName::from_unqualified("t"),
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: columns.into(),
        primary_key: Vec::new(),
        definition: None,
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
    };
    Catalog {
        database: String::new(),
        dialect,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables: vec![t],
    }
}

/// Generates statements and asserts that running the accepted ones has no effects; returns the number of accepted ones.
fn hold(
    (dialect, own, drawn): (Dialect, &'static [&'static str], u32),
    folder: &Path,
    noticed: impl Fn(&str) -> Option<&'static str>,
) -> u32 {
    let catalog = catalog(dialect);
    let accepted = AtomicU32::new(0);
    let outcome = cases(drawn).run(&mutant(own), |text| {
        let text = text.replace("FOLDER", &folder.display().to_string());
        let Ok(sql) = prove_read_only(&text, &catalog) else { return Ok(()) };
        accepted.fetch_add(1, Ordering::AcqRel);
        prop_assert_eq!(noticed(sql.as_str()), None, "{}", sql.as_str());
        Ok(())
    });
    outcome.unwrap();
    accepted.into_inner()
}

fn cases(cases: u32) -> TestRunner {
    // The same cases on each run, so that failures are reproducible.
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    )
}

#[test]
fn what_is_accepted_only_reads_to_sqlite() {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    connection.execute_batch("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2, 'y'), (2, NULL);").unwrap();
    let reached = Arc::new(AtomicBool::new(false));
    for (name, arguments) in [("load_extension", 1), ("writefile", 2), ("readfile", 1), ("edit", 1)] {
        let reached = Arc::clone(&reached);
        let note = move |_: &rusqlite::functions::Context<'_>| {
            reached.store(true, Ordering::Release);
            Ok(1)
        };
        connection.create_scalar_function(name, arguments, FunctionFlags::SQLITE_UTF8, note).unwrap();
    }
    let wrote = Arc::new(AtomicBool::new(false));
    let notes = Arc::clone(&wrote);
    connection
        .authorizer(Some(move |context: AuthContext<'_>| {
            let reads = matches!(
                context.action,
                AuthAction::Select | AuthAction::Read { .. } | AuthAction::Function { .. } | AuthAction::Recursive
            );
            notes.fetch_or(!reads, Ordering::AcqRel);
            Authorization::Allow
        }))
        .unwrap();
    let accepted = AtomicU32::new(0);
    let catalog = catalog(Dialect::Sqlite);
    let outcome = cases(1_500).run(&mutant(SQLITE_ONLY), |text| {
        let Ok(sql) = prove_read_only(&text, &catalog) else { return Ok(()) };
        accepted.fetch_add(1, Ordering::AcqRel);
        let before = connection.total_changes();
        // A statement that the engine rejects has no effect.
        if let Ok(mut statement) = connection.prepare(sql.as_str()) {
            prop_assert!(statement.readonly() && statement.is_explain() == 0, "{}", sql.as_str());
            let mut rows = statement.query([]).unwrap();
            while let Ok(Some(_)) = rows.next() {}
        }
        prop_assert!(!wrote.load(Ordering::Acquire), "more than a read: {}", sql.as_str());
        prop_assert!(!reached.load(Ordering::Acquire), "reached out: {}", sql.as_str());
        prop_assert_eq!(connection.total_changes(), before);
        Ok(())
    });
    outcome.unwrap();
    // The test is meaningful only if many statements are accepted.
    assert!(accepted.load(Ordering::Acquire) > 100, "{accepted:?} accepted");
}

#[test]
fn what_is_accepted_only_reads_to_duckdb() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret.csv"), format!("a,b\n1,{SECRET}\n")).unwrap();
    let connection = duckdb::Connection::open_in_memory().unwrap();
    connection
        .execute_batch(
            "CREATE TABLE t (a INTEGER, b VARCHAR); INSERT INTO t VALUES (1, 'x'), (2, 'y'), (2, NULL);
             CREATE SEQUENCE s; SET threads = 2;",
        )
        .unwrap();
    let before = state(&connection, folder.path());
    let catalog = catalog(Dialect::Duckdb);
    let accepted = AtomicU32::new(0);
    let outcome = cases(1_500).run(&mutant(DUCKDB_ONLY), |text| {
        let text = text.replace("FOLDER", &folder.path().display().to_string());
        let Ok(sql) = prove_read_only(&text, &catalog) else { return Ok(()) };
        accepted.fetch_add(1, Ordering::AcqRel);
        let shown = shown(&connection, sql.as_str()).unwrap_or_default();
        prop_assert!(!shown.contains(SECRET), "a file was read: {}", sql.as_str());
        prop_assert_eq!(&state(&connection, folder.path()), &before, "{}", sql.as_str());
        Ok(())
    });
    outcome.unwrap();
    assert!(accepted.load(Ordering::Acquire) > 100, "{accepted:?} accepted");
}

/// The server's error code for a statement that would write.
const READ_ONLY: &str = "25006";

const POSTGRES_TABLES: &str = "
    CREATE TABLE t (a int, b text); INSERT INTO t VALUES (1, 'x'), (2, 'y'), (2, NULL); CREATE SEQUENCE s;
    CREATE FUNCTION writes(int) RETURNS int LANGUAGE sql AS 'INSERT INTO t VALUES ($1, NULL) RETURNING a';
    CREATE PROCEDURE empty() LANGUAGE sql AS 'DELETE FROM t';
    CREATE SCHEMA evil;
    CREATE FUNCTION evil.plus(int, int) RETURNS int LANGUAGE sql AS 'INSERT INTO t VALUES ($1, NULL) RETURNING $2';
    CREATE OPERATOR evil.+ (leftarg = int, rightarg = int, function = evil.plus);";

/// Everything that a statement could have changed: rows, objects, settings, locks and the sequence.
const POSTGRES_STATE: &str = "
    SELECT concat_ws('|',
        (SELECT string_agg(concat(a, ':', b), ',' ORDER BY a, b) FROM t),
        (SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class WHERE oid >= 16384),
        (SELECT md5(string_agg(name || setting, ',' ORDER BY name)) FROM pg_settings WHERE name NOT LIKE 'transaction%'),
        (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'), (SELECT count(*) FROM pg_prepared_statements),
        (SELECT count(*) FROM pg_listening_channels()), (SELECT count(*) FROM pg_largeobject_metadata),
        (SELECT last_value || '/' || is_called FROM s))";

#[test]
fn what_is_accepted_only_reads_to_postgresql() {
    let server = PostgresServer::start();
    server.psql("shop", POSTGRES_TABLES);
    let folder = server.socket().to_owned();
    std::fs::write(folder.join("secret.csv"), format!("a,b\n1,{SECRET}\n")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let client = runtime.block_on(async {
        let (client, connection) =
            tokio_postgres::connect(&server.address("shop"), tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute("SET statement_timeout = '2s'").await.unwrap();
        client
    });
    // All statements of a text run in one request, as some clients send them.
    let run = |text: &str| runtime.block_on(client.simple_query(text));
    let state = || {
        let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut files: Vec<_> = files.collect();
        files.sort();
        (files, cells(&run(POSTGRES_STATE).unwrap()))
    };
    let before = state();
    let ran = AtomicU32::new(0);
    // Effects of a text other than reading.
    let noticed = |text: &str| {
        run("BEGIN READ ONLY").unwrap();
        let within = match run(text) {
            Ok(answers) => {
                ran.fetch_add(1, Ordering::AcqRel);
                if cells(&answers).contains(SECRET) {
                    Some("a file was read")
                } else {
                    (state() != before).then_some("it changes something")
                }
            }
            Err(error) => match error.code().map(SqlState::code) {
                Some(READ_ONLY) => Some("it would write"),
                Some(_) => None,
                None => Some("the connection is gone"),
            },
        };
        run("ROLLBACK").unwrap();
        within.or_else(|| (state() != before).then_some("it changed something"))
    };
    for text in [
        "SELECT writes(1)",
        "SELECT 1 OPERATOR(evil.+) 1",
        "SELECT nextval('s')",
        "SELECT 1; DELETE FROM t",
        "SELECT set_config('work_mem', '1MB', false)",
        "SELECT pg_read_file('FOLDER/secret.csv')",
    ] {
        assert!(noticed(&text.replace("FOLDER", &folder.display().to_string())).is_some(), "{text}");
    }
    ran.store(0, Ordering::Release);
    let accepted = hold((Dialect::Postgres, POSTGRES_ONLY, 1_500), &folder, noticed);
    // A statement that the server rejects has no effect.
    let ran = ran.load(Ordering::Acquire);
    assert!(accepted > 100 && ran > 50, "{accepted} accepted, {ran} ran");
}

/// Returns all cells of all results as one text.
fn cells(answers: &[SimpleQueryMessage]) -> String {
    let rows = answers.iter().filter_map(|answer| match answer {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    rows.flat_map(|row| (0..row.len()).map(|at| row.get(at).unwrap_or_default())).collect::<Vec<_>>().join("\n")
}

/// Returns all cells of a result as one text.
fn shown(connection: &duckdb::Connection, sql: &str) -> duckdb::Result<String> {
    let mut statement = connection.prepare(sql)?;
    let mut text = String::new();
    let _ = statement.stream_arrow([])?;
    while let Some(rows) = statement.step()? {
        text.push_str(&format!("{rows:?}"));
    }
    Ok(text)
}

/// Returns everything that a statement could have changed.
fn state(connection: &duckdb::Connection, folder: &Path) -> Vec<String> {
    let mut state: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().display().to_string()).collect();
    for sql in [
        "SELECT string_agg(concat(a, ':', b), ',' ORDER BY a, b) FROM t",
        "SELECT string_agg(table_name, ',' ORDER BY table_name) FROM duckdb_tables()",
        "SELECT string_agg(database_name, ',' ORDER BY database_name) FROM duckdb_databases()",
        "SELECT concat(max(last_value), '/', count(*)) FROM duckdb_sequences()",
        "SELECT current_setting('threads')::VARCHAR",
    ] {
        state.push(connection.query_row(sql, [], |row| row.get::<_, Option<String>>(0)).unwrap().unwrap_or_default());
    }
    state
}
