use vitrine_domain::{AppError, Dialect, ErrorCode};
use vitrine_sql::{ReadOnlySql, SqlRejection};

const SQLITE: Dialect = Dialect::Sqlite;
const DUCKDB: Dialect = Dialect::Duckdb;
const POSTGRES: Dialect = Dialect::Postgres;

fn refusal(sql: &str, dialect: Dialect) -> String {
    match ReadOnlySql::parse(sql, dialect) {
        Ok(_) => panic!("accepted: {sql}"),
        Err(rejection) => rejection.to_string(),
    }
}

#[test]
fn ordinary_questions_pass() {
    for (dialect, sql) in [
        (SQLITE, "SELECT count(*) FROM singer"),
        (SQLITE, "  -- a comment\nWITH a AS (SELECT 1 AS x) SELECT x FROM a /* end */ ; -- done"),
        (SQLITE, "select name from singer where age > (select avg(age) from singer) order by 1 limit 3 offset 2"),
        (
            SQLITE,
            "SELECT strftime('%Y', d), group_concat(DISTINCT x), total(y), iif(a, b, c) FROM t GROUP BY 1 HAVING count(*) > 1",
        ),
        (SQLITE, "SELECT a FROM t UNION ALL SELECT b FROM u EXCEPT SELECT c FROM v"),
        (SQLITE, "SELECT key, value FROM t, json_each(t.data) WHERE json_extract(value, '$.a') GLOB 'x*'"),
        (SQLITE, "SELECT `a b`, [c d], \"e f\" FROM 'my table'"),
        (
            SQLITE,
            "SELECT row_number() OVER (PARTITION BY a ORDER BY b DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM t",
        ),
        (SQLITE, "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n"),
        (
            SQLITE,
            "SELECT CAST(x AS REAL) / y, x || 'a', -x, NOT x, x IS NULL, x BETWEEN 1 AND 2, current_date, date('now', '-1 day') FROM t",
        ),
        (DUCKDB, "SELECT * EXCLUDE (a), b AS c FROM t QUALIFY row_number() OVER (PARTITION BY b ORDER BY c) = 1"),
        (DUCKDB, "SELECT region, sum(x) FROM t GROUP BY ALL ORDER BY ALL"),
        (
            DUCKDB,
            "SELECT list_transform(tags, x -> upper(x)), list_filter([1, 2, 3], x -> x > 1), tags[1], tags[1:2], {'a': 1}.a FROM t",
        ),
        (DUCKDB, "SELECT * FROM t PIVOT (sum(amount) FOR year IN (2019, 2020))"),
        (DUCKDB, "SELECT data->>'$.name', json_extract_string(data, '$.a'), data->'$.x' FROM t"),
        (DUCKDB, "SELECT unnest(tags) AS tag, year(d), date_trunc('month', d), strptime(s, '%d/%m/%Y')::DATE FROM t"),
        (DUCKDB, "SELECT * FROM range(10) r(i), generate_series(1, 3) g, unnest([1, 2]) u(x)"),
        (DUCKDB, "FROM t SELECT a, count(*) FILTER (WHERE b > 1) GROUP BY a"),
        (DUCKDB, "SELECT max_by(a, b), quantile_cont(x, 0.5), mode(y), string_agg(z, ', ' ORDER BY z) FROM t"),
        (
            DUCKDB,
            "SELECT name.upper(), try_cast(a AS INT), a // 2, INTERVAL 3 DAY, DATE '2020-01-01', a IS DISTINCT FROM b FROM t TABLESAMPLE (10 PERCENT)",
        ),
        (DUCKDB, "SELECT a FROM t UNION BY NAME SELECT a, b FROM u"),
        (DUCKDB, "SELECT COLUMNS('a.*') FROM t"),
        (
            DUCKDB,
            "SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END, extract(year FROM d), substring(s, 1, 2), position('a' IN s), trim(s) FROM t",
        ),
        (DUCKDB, "SELECT * FROM a SEMI JOIN b USING (id) ANTI JOIN c ON a.id = c.id"),
        (
            POSTGRES,
            "SELECT to_char(d, 'YYYY'), x ILIKE '%a%', (now() - interval '1 day')::date FROM t WHERE a = ANY(ARRAY['x'])",
        ),
        (
            Dialect::Snowflake,
            "SELECT f.value:name::string FROM t, LATERAL FLATTEN(input => t.data) f QUALIFY rank() OVER (ORDER BY 1) = 1",
        ),
        (
            Dialect::Bigquery,
            "SELECT x, SAFE_DIVIDE(a, b) FROM `p.d.t`, UNNEST(items) AS x WHERE DATE_DIFF(d, e, DAY) > 1",
        ),
    ] {
        if let Err(e) = ReadOnlySql::parse(sql, dialect) {
            panic!("{dialect:?} {sql}\n{e}");
        }
    }
}

#[test]
fn whatever_writes_is_refused() {
    for (dialect, sql) in [
        (SQLITE, "INSERT INTO t VALUES (1)"),
        (SQLITE, "REPLACE INTO t VALUES (1)"),
        (SQLITE, "UPDATE t SET a = 1"),
        (SQLITE, "DELETE FROM t"),
        (SQLITE, "DROP TABLE t"),
        (SQLITE, "CREATE TABLE t (a INT)"),
        (SQLITE, "CREATE TABLE t AS SELECT 1"),
        (SQLITE, "ALTER TABLE t ADD COLUMN a"),
        (SQLITE, "ATTACH DATABASE 'x.db' AS x"),
        (SQLITE, "DETACH x"),
        (SQLITE, "VACUUM INTO 'x.db'"),
        (SQLITE, "REINDEX"),
        (SQLITE, "ANALYZE"),
        (POSTGRES, "WITH a AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM a"),
        (POSTGRES, "WITH a AS (UPDATE t SET x = 1 RETURNING *) SELECT * FROM a"),
        (POSTGRES, "WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a"),
        (POSTGRES, "WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a"),
        (POSTGRES, "WITH a AS (SELECT 1) DELETE FROM t USING a"),
        (
            POSTGRES,
            "WITH a AS (MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE RETURNING *) SELECT * FROM a",
        ),
        (POSTGRES, "SELECT * INTO new_table FROM t"),
        (POSTGRES, "WITH a AS (SELECT 1 AS x) SELECT x INTO b FROM a"),
        (POSTGRES, "SELECT * FROM t FOR UPDATE"),
        (POSTGRES, "SELECT * FROM t FOR SHARE SKIP LOCKED"),
        (POSTGRES, "SELECT * FROM (SELECT * FROM t FOR UPDATE) x"),
        (POSTGRES, "COPY t TO '/tmp/x'"),
        (POSTGRES, "COPY (SELECT 1) TO PROGRAM 'rm -rf /'"),
        (DUCKDB, "COPY t TO 'x.csv'"),
        (DUCKDB, "INSTALL httpfs"),
        (DUCKDB, "LOAD httpfs"),
        (DUCKDB, "ATTACH 'x.db'"),
        (DUCKDB, "EXPORT DATABASE 'x'"),
        (DUCKDB, "IMPORT DATABASE 'x'"),
        (DUCKDB, "CREATE SECRET s (TYPE s3)"),
        (DUCKDB, "CHECKPOINT"),
        (DUCKDB, "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE"),
        (Dialect::Snowflake, "COPY INTO t FROM @stage"),
        (Dialect::Snowflake, "PUT file:///x @stage"),
    ] {
        let said = refusal(sql, dialect);
        assert!(
            said.contains("may only read") || said.contains("syntax error") || said.contains("is not a query"),
            "{sql}: {said}"
        );
    }
}

#[test]
fn what_is_not_a_query_is_refused() {
    for (dialect, sql) in [
        (SQLITE, "PRAGMA table_info(t)"),
        (SQLITE, "PRAGMA writable_schema = 1"),
        (SQLITE, "EXPLAIN SELECT 1"),
        (SQLITE, "EXPLAIN QUERY PLAN SELECT 1"),
        (POSTGRES, "EXPLAIN ANALYZE DELETE FROM t"),
        (DUCKDB, "EXPLAIN ANALYZE SELECT 1"),
        (DUCKDB, "SET threads = 1"),
        (DUCKDB, "RESET ALL"),
        (DUCKDB, "CALL pragma_version()"),
        (DUCKDB, "DESCRIBE t"),
        (DUCKDB, "SHOW TABLES"),
        (DUCKDB, "SUMMARIZE t"),
        (DUCKDB, "USE x"),
        (DUCKDB, "TABLE t"),
        (DUCKDB, "SELECT 1 UNION TABLE t"),
        (SQLITE, "BEGIN"),
        (SQLITE, "COMMIT"),
        (SQLITE, "SAVEPOINT a"),
        (POSTGRES, "DO $$ BEGIN DELETE FROM t; END $$"),
        (POSTGRES, "PREPARE p AS SELECT 1"),
        (POSTGRES, "LISTEN x"),
    ] {
        let said = refusal(sql, dialect);
        assert!(said.contains("is not a query"), "{sql}: {said}");
    }
}

#[test]
fn one_statement_only() {
    for sql in [
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE t",
        "SELECT 1;;DELETE FROM t",
        "SELECT 1; nonsense (",
        "; SELECT 1; SELECT 2",
    ] {
        assert_eq!(ReadOnlySql::parse(sql, SQLITE), Err(SqlRejection::NotOneStatement), "{sql}");
    }
    for sql in ["", "  \n ", ";", "-- only a comment", "/* nothing */ ;"] {
        assert_eq!(ReadOnlySql::parse(sql, SQLITE), Err(SqlRejection::Empty), "{sql}");
    }
}

#[test]
fn functions_that_reach_out_are_refused() {
    for (dialect, sql) in [
        (SQLITE, "SELECT load_extension('x')"),
        (SQLITE, "SELECT \"load_extension\"('x')"),
        (SQLITE, "SELECT LOAD_EXTENSION('x') FROM t WHERE 1 = 0"),
        (SQLITE, "SELECT writefile('a', 'b')"),
        (SQLITE, "SELECT readfile('/etc/passwd')"),
        (SQLITE, "SELECT edit('a')"),
        (SQLITE, "SELECT fts3_tokenizer('a')"),
        (SQLITE, "SELECT * FROM pragma_table_info('t')"),
        (SQLITE, "SELECT * FROM pragma_database_list"),
        (SQLITE, "SELECT * FROM t ORDER BY readfile('x')"),
        (SQLITE, "SELECT count(*) FILTER (WHERE readfile('x') = '') FROM t"),
        (SQLITE, "SELECT sum(a) OVER (PARTITION BY readfile('x')) FROM t"),
        (SQLITE, "SELECT * FROM t LIMIT (SELECT readfile('x'))"),
        (SQLITE, "SELECT * FROM a JOIN b ON readfile('x') = a.id"),
        (SQLITE, "VALUES (readfile('x'))"),
        (SQLITE, "WITH a AS (SELECT readfile('x')) SELECT 1"),
        (DUCKDB, "SELECT * FROM read_csv('x.csv')"),
        (DUCKDB, "SELECT * FROM read_csv_auto('x.csv')"),
        (DUCKDB, "SELECT * FROM read_text('/etc/passwd')"),
        (DUCKDB, "SELECT * FROM read_blob('x')"),
        (DUCKDB, "SELECT * FROM read_parquet('x')"),
        (DUCKDB, "SELECT * FROM parquet_scan('x')"),
        (DUCKDB, "SELECT * FROM glob('/*')"),
        (DUCKDB, "SELECT * FROM sniff_csv('x')"),
        (DUCKDB, "SELECT getenv('HOME')"),
        (DUCKDB, "SELECT current_setting('home_directory')"),
        (DUCKDB, "SELECT * FROM query('SELECT 1')"),
        (DUCKDB, "FROM query_table('t')"),
        (DUCKDB, "SELECT * FROM pragma_version()"),
        (DUCKDB, "SELECT * FROM duckdb_secrets()"),
        (DUCKDB, "SELECT * FROM sqlite_scan('x', 't')"),
        (DUCKDB, "SELECT nextval('s')"),
        (DUCKDB, "SELECT json_execute_serialized_sql('x')"),
        (DUCKDB, "SELECT list_transform([1], x -> getenv('HOME'))"),
        (DUCKDB, "SELECT 'HOME'.getenv()"),
        (DUCKDB, "SELECT main.getenv('HOME')"),
        (DUCKDB, "SELECT * FROM t, LATERAL (SELECT * FROM read_text(t.path))"),
        (DUCKDB, "SELECT * FROM t PIVOT (sum(getenv('x')) FOR a IN (1))"),
        (DUCKDB, "SELECT * REPLACE (getenv('x') AS a) FROM t"),
        (POSTGRES, "SELECT pg_read_file('/etc/passwd')"),
        (POSTGRES, "SELECT * FROM dblink('x', 'DELETE FROM t') AS t(a int)"),
        (POSTGRES, "SELECT pg_sleep(1000)"),
        (POSTGRES, "SELECT pg_catalog.pg_read_file('x')"),
        (POSTGRES, "SELECT lo_import('x')"),
        (POSTGRES, "SELECT lo_export(1, 'x')"),
        (POSTGRES, "SELECT pg_terminate_backend(1)"),
        (POSTGRES, "SELECT pg_cancel_backend(pid) FROM pg_stat_activity"),
        (POSTGRES, "SELECT nextval('s')"),
        (POSTGRES, "SELECT pg_advisory_lock(1)"),
        (POSTGRES, "SELECT pg_reload_conf()"),
        (POSTGRES, "SELECT dblink_exec('x', 'DELETE FROM t')"),
        (POSTGRES, "SELECT query_to_xml('DELETE FROM t', true, true, '')"),
        (POSTGRES, "SELECT * FROM pg_ls_dir('/')"),
        (POSTGRES, "SELECT set_config('a', 'b', false)"),
        (Dialect::Snowflake, "SELECT SYSTEM$CANCEL_QUERY('x')"),
        (Dialect::Bigquery, "SELECT * FROM EXTERNAL_QUERY('c', 'SELECT 1')"),
    ] {
        let said = refusal(sql, dialect);
        assert!(said.contains("is not available"), "{sql}: {said}");
    }
}

#[test]
fn files_in_place_of_tables_are_refused() {
    for sql in [
        "SELECT * FROM 'x.csv'",
        "SELECT * FROM 'data'",
        "SELECT * FROM \"x.parquet\"",
        "SELECT * FROM x.csv",
        "SELECT * FROM \"/tmp/x\".\"y\"",
        "SELECT * FROM \"/etc/passwd\"",
        "SELECT * FROM 'https://example.org/x'",
        "SELECT * FROM \"s3://bucket/x\"",
        "FROM 'x.json'",
        "SELECT (SELECT count(*) FROM 'x.csv')",
        "WITH a AS (FROM 'x.csv') SELECT * FROM a",
        "SELECT * FROM t JOIN 'x.csv' ON true",
    ] {
        let said = refusal(sql, DUCKDB);
        assert!(said.contains("names a file"), "{sql}: {said}");
    }
    assert!(ReadOnlySql::parse("SELECT * FROM \"2019 csv\"", DUCKDB).is_ok());
    assert!(refusal("SELECT * FROM @stage/x", Dialect::Snowflake).contains("names a file"));
}

#[test]
fn parameters_have_no_value() {
    for (dialect, sql) in [
        (SQLITE, "SELECT ?"),
        (SQLITE, "SELECT :a"),
        (SQLITE, "SELECT $a"),
        (DUCKDB, "SELECT $1"),
        (POSTGRES, "SELECT $1"),
    ] {
        assert!(
            matches!(
                ReadOnlySql::parse(sql, dialect),
                Err(SqlRejection::Parameter { .. } | SqlRejection::Syntax { .. })
            ),
            "{sql}"
        );
    }
}

/// Texts that hide a second reading: what this parser takes for a comment or string, the engine may run.
#[test]
fn double_readings_are_refused() {
    for sql in [
        "/* /* */ SELECT 1 -- */ SELECT read_text('x')",
        "SELECT 1 --\rUNION SELECT 2",
        "SELECT E'\\' AS a --'",
        "SELECT 1\0; DROP TABLE t",
    ] {
        assert!(ReadOnlySql::parse(sql, DUCKDB).is_err(), "{sql}");
    }
    assert!(ReadOnlySql::parse("SELECT 1 -- a\r\n, 2", DUCKDB).is_ok());
}

#[test]
fn the_text_ends_where_the_query_ends() {
    let sql = ReadOnlySql::parse("\n -- why\nSELECT 1 ; -- because\n", SQLITE).expect("query");
    assert_eq!(sql.as_str(), "-- why\nSELECT 1");
    let sql = ReadOnlySql::parse("SELECT 'ä;ö' AS x -- end", SQLITE).expect("query");
    assert_eq!(sql.as_str(), "SELECT 'ä;ö' AS x -- end");
    assert_eq!(sql.dialect(), SQLITE);
    let sql = ReadOnlySql::parse("SELECT 1 /* a */ -- b; c\n-- d\r\n ; -- e", DUCKDB).expect("query");
    assert_eq!(sql.as_str(), "SELECT 1 /* a */ -- b; c\n-- d");
}

#[test]
fn order_and_limit_are_those_of_the_outermost_query() {
    for (sql, ordered, limit) in [
        ("SELECT a FROM t", false, None),
        ("SELECT a FROM t ORDER BY a", true, None),
        ("SELECT a FROM t ORDER BY a LIMIT 5", true, Some(5)),
        ("SELECT a FROM t LIMIT 2, 7", false, Some(7)),
        ("SELECT a FROM t LIMIT 7 OFFSET 2", false, Some(7)),
        ("SELECT a FROM t LIMIT 1 + 1", false, None),
        ("SELECT * FROM (SELECT a FROM t ORDER BY a LIMIT 5)", false, None),
        ("WITH x AS (SELECT a FROM t ORDER BY a LIMIT 5) SELECT * FROM x", false, None),
        ("SELECT a FROM t UNION SELECT b FROM u ORDER BY 1 LIMIT 4", true, Some(4)),
        ("SELECT row_number() OVER (ORDER BY a) FROM t", false, None),
    ] {
        let parsed = ReadOnlySql::parse(sql, SQLITE).expect(sql);
        assert_eq!((parsed.is_ordered(), parsed.limit()), (ordered, limit), "{sql}");
    }
}

#[test]
fn a_refusal_tells_a_person_what_to_do() {
    let error: AppError = ReadOnlySql::parse("SELECT 1; DROP TABLE t", SQLITE).unwrap_err().into();
    assert_eq!(error.code, ErrorCode::NotReadOnly);
    assert!(error.hint.is_some());
    let error: AppError = ReadOnlySql::parse("SELEC 1", SQLITE).unwrap_err().into();
    assert_eq!(error.code, ErrorCode::Usage);
    insta::assert_snapshot!(
        [
            "SELECT a FRM t WHERE",
            "SELECT a,\n  b c d FROM t",
            "SELECT 'x",
            "DELETE FROM t",
            "SELECT getenv('x')",
            "SELECT julianday(d) FROM t",
            "PRAGMA x",
            "SELECT * FROM 'a.csv'"
        ]
        .map(|sql| ReadOnlySql::parse(sql, DUCKDB).unwrap_err().to_string())
        .join("\n")
    );
}

#[test]
fn hexadecimal_numbers_and_index_hints_are_what_they_are_to_the_engine() {
    let written = |sql: &str, dialect| {
        let sql = ReadOnlySql::parse(sql, dialect).unwrap_or_else(|e| panic!("{sql}\n{e}"));
        sql.written_out().map(|written| written.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
    };
    assert_eq!(written("SELECT 0x1F, x'1f'", SQLITE).as_deref(), Some("SELECT 0x1F, X'1f'"));
    assert_eq!(
        written("SELECT a ISNULL, b NOTNULL FROM t", SQLITE).as_deref(),
        Some("SELECT a IS NULL, b IS NOT NULL FROM t")
    );
    // The hint would be lost.
    assert_eq!(written("SELECT a FROM t INDEXED BY i WHERE a = 1", SQLITE), None);
    assert_eq!(written("SELECT a FROM t NOT INDEXED", SQLITE), None);
    for (sql, dialect) in [
        ("SELECT 0X1F", SQLITE),
        ("SELECT 1 AS a, 0b101", DUCKDB),
        ("SELECT 'a'\n'b'", POSTGRES),
        ("SELECT x'\\', getenv($$HOME$$) --'", DUCKDB),
    ] {
        assert!(matches!(ReadOnlySql::parse(sql, dialect), Err(SqlRejection::Unclear { .. })), "{sql}");
    }
    for sql in ["SELECT a FROM t INDEXED BY load_extension('x')", "SELECT a FROM t INDEXED BY a.b"] {
        assert!(ReadOnlySql::parse(sql, SQLITE).is_err(), "{sql}");
    }
}
