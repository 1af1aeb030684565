//! Statements that read and statements that do not, taken apart and put together at random: whatever is accepted must be
//! nothing but a read to the engine, with none of the engine's own locks set.

use super::{Catalog, Dialect, prove};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rusqlite::functions::FunctionFlags;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use vitrine_domain::{Column, Table, TableKind, TableName};

/// What a file outside the database holds; no result may show it.
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

/// A text as words and signs, so that putting them together gives it again, but for its white space.
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
    /// A part of another statement is put in.
    Splice(prop::sample::Index, String, prop::sample::Index, usize),
    /// A sign is put in that opens or closes something.
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
        name: TableName::bare("t"),
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: columns.into(),
        primary_key: Vec::new(),
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
    };
    Catalog { database: String::new(), dialect, search_path: Vec::new(), fingerprint: String::new(), tables: vec![t] }
}

fn cases(cases: u32) -> TestRunner {
    // The same cases each time, so that what fails once fails again.
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
        let Ok(sql) = prove(&text, &catalog) else { return Ok(()) };
        accepted.fetch_add(1, Ordering::AcqRel);
        let before = connection.total_changes();
        // What the engine does not run does nothing.
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
    // Unless much is accepted, this says nothing.
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
        let Ok(sql) = prove(&text, &catalog) else { return Ok(()) };
        accepted.fetch_add(1, Ordering::AcqRel);
        let shown = shown(&connection, sql.as_str()).unwrap_or_default();
        prop_assert!(!shown.contains(SECRET), "a file was read: {}", sql.as_str());
        prop_assert_eq!(&state(&connection, folder.path()), &before, "{}", sql.as_str());
        Ok(())
    });
    outcome.unwrap();
    assert!(accepted.load(Ordering::Acquire) > 100, "{accepted:?} accepted");
}

/// All cells of a result as one text.
fn shown(connection: &duckdb::Connection, sql: &str) -> duckdb::Result<String> {
    let mut statement = connection.prepare(sql)?;
    let mut text = String::new();
    let _ = statement.stream_arrow([])?;
    while let Some(rows) = statement.step()? {
        text.push_str(&format!("{rows:?}"));
    }
    Ok(text)
}

/// Everything that a statement could have changed.
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
