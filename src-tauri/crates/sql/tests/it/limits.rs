//! Texts that exceed a limit: each ends in an error, never in a crash.

use vitrine_domain::Dialect;
use vitrine_sql::{ReadOnlySql, SqlRejection};

const SQLITE: Dialect = Dialect::Sqlite;
const DUCKDB: Dialect = Dialect::Duckdb;

#[test]
fn deep_and_long_texts_end_in_an_error_not_a_crash() {
    let n = 20_000;
    for sql in [
        format!("SELECT {}1{}", "(".repeat(n), ")".repeat(n)),
        format!("SELECT {}1", "-".repeat(n).replace('-', "- ")),
        format!("SELECT {}1", "NOT ".repeat(n)),
        format!("SELECT 1{}", " + 1".repeat(n)),
        format!("SELECT 1{}", " UNION SELECT 1".repeat(n / 2)),
        format!("SELECT * FROM a{}", " JOIN a".repeat(n / 2)),
        format!("SELECT {}1{}", "(SELECT ".repeat(n / 2), ")".repeat(n / 2)),
        format!("SELECT * FROM {}t{}", "(".repeat(n), ")".repeat(n)),
        format!("SELECT {}", "CASE WHEN 1 THEN ".repeat(n)),
        format!("SELECT {}", "[".repeat(n)),
        format!("SELECT a{}", "[1]".repeat(n)),
        format!("SELECT a{}", "::int".repeat(n)),
        format!("SELECT x{}", ".y".repeat(n)),
        format!("SELECT {}", "f(".repeat(n)),
        format!("{} SELECT 1", "WITH a AS (".repeat(n / 2)),
        "EXPLAIN ".repeat(n),
    ] {
        for dialect in [SQLITE, DUCKDB] {
            assert!(ReadOnlySql::parse(&sql, dialect).is_err(), "{}", &sql[..60]);
        }
    }
    let million = format!("SELECT '{}'", "x".repeat(1 << 20));
    assert!(matches!(ReadOnlySql::parse(&million, SQLITE), Err(SqlRejection::TooLong { .. })));
}

#[test]
fn large_but_flat_queries_pass_on_a_small_stack() {
    let ids: Vec<String> = (0..5_000).map(|i| i.to_string()).collect();
    let wide = format!("SELECT a FROM t WHERE id IN ({}) AND {}", ids.join(", "), vec!["b = 'x'"; 600].join(" OR "));
    let nested = format!("SELECT {}1{}", "(".repeat(40), ")".repeat(40));
    let subqueries = format!("{}SELECT 1 AS x{}", "SELECT x FROM (".repeat(15), ") t".repeat(15));
    let work = move || {
        for sql in [&wide, &nested, &subqueries] {
            let parsed = ReadOnlySql::parse(sql, DUCKDB).expect("accepted");
            let catalog = crate::fixtures::shop();
            let _ = (vitrine_sql::bind_names(&parsed, &catalog), vitrine_sql::collect_literals(&parsed));
            let _ = vitrine_sql::repair_names(&parsed, &catalog);
        }
    };
    std::thread::Builder::new().stack_size(256 * 1024).spawn(work).expect("thread").join().expect("no overflow");
}

#[test]
fn views_that_double_without_end_are_refused_before_an_engine_reads_them() {
    let views = |n: usize| -> String {
        let list: Vec<String> = (1..n).map(|i| format!("v{i}(x) AS (SELECT a.x FROM v{0} a, v{0} b)", i - 1)).collect();
        format!("WITH v0 AS (SELECT 1 AS x), {} SELECT x FROM v{}", list.join(", "), n - 1)
    };
    assert!(ReadOnlySql::parse(&views(8), SQLITE).is_ok());
    assert_eq!(ReadOnlySql::parse(&views(60), SQLITE), Err(SqlRejection::TooDeep));
    let recursive = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n";
    assert!(ReadOnlySql::parse(recursive, SQLITE).is_ok());
}
