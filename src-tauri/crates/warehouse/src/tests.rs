//! Queries generated from their trees and formatted for display: the engine must return the same rows for all three
//! texts.

use vitrine_domain::Dialect;
use vitrine_sql::{ReadOnlySql, format_sql};
use vitrine_test_servers::postgres_server::PostgresServer;

const TABLES: &str = "CREATE TABLE t (a INTEGER, b VARCHAR(20), d DATE, x DECIMAL(6, 2));
    INSERT INTO t VALUES (1, 'x', '2024-01-31', 1.50), (2, 'it''s', '2024-02-29', 2.25), (3, NULL, '2023-12-01', NULL),
                         (-4, '100% \\ a_b', '2020-06-15', -7.75), (2, 'X', NULL, 0.00);
    CREATE TABLE u (a INTEGER, \"odd name\" VARCHAR(20));
    INSERT INTO u VALUES (1, 'one'), (2, 'two'), (9, 'nine');";

/// Queries that all three engines support.
const COMMON: &[&str] = &[
    "SELECT a, b FROM t ORDER BY a DESC, b NULLS LAST, d",
    "SELECT a - -1, - a, +a, a - (1 - 2), (a - 1) - 2, a * (2 + 3), a / 2, a % 2 FROM t ORDER BY 1, 2, 3, x",
    "SELECT DISTINCT b IS NULL, NOT a > 1, NOT (a = 1 OR a = 2) AND a <> 3 FROM t ORDER BY 1, 2, 3",
    "SELECT a FROM t WHERE a = 1 OR a = 2 AND x > 2 ORDER BY a",
    "SELECT a FROM t WHERE (a = 1 OR a = 2) AND x > 2 ORDER BY a",
    "SELECT a != 1, a <> 1, a >= 1, a <= 1 FROM t ORDER BY a, x",
    "SELECT b || '-' || 'it''s' || '' FROM t ORDER BY a, x",
    "SELECT 'a -- b', 'c /* d */', '\\', '\\\\n', 'é', '\"', '`' -- a comment\n, 1",
    "SELECT /* in front */ a /* behind */ FROM /* where */ t -- last\nORDER BY a, x",
    "SELECT b FROM t WHERE b LIKE '100!%%' ESCAPE '!' OR b LIKE 'i_''s' ORDER BY b",
    "SELECT b FROM t WHERE b NOT LIKE '%x%' AND b NOT IN ('a', 'b') AND a NOT BETWEEN 5 AND 9 ORDER BY b",
    "SELECT count(*), count(DISTINCT b), sum(x), avg(a), min(d), max(b) FROM t",
    "SELECT b, count(*) AS n FROM t GROUP BY b HAVING count(*) > 0 ORDER BY n DESC, b LIMIT 2 OFFSET 1",
    "SELECT sum(a) FILTER (WHERE x > 0) FROM t",
    "SELECT a, sum(a) OVER (PARTITION BY b ORDER BY a, x ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM t ORDER BY a, x, 2",
    "SELECT a, rank() OVER w FROM t WINDOW w AS (ORDER BY a DESC) ORDER BY a, 2, x",
    "SELECT a, lag(a, 1, 0) OVER (ORDER BY a, x) FROM t ORDER BY a, x",
    "SELECT a, first_value(a) OVER (ORDER BY a, x RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM t ORDER BY a, x",
    "SELECT t.a, u.\"odd name\" FROM t INNER JOIN u ON t.a = u.a ORDER BY 1, t.x",
    "SELECT t.a, u.a FROM t LEFT OUTER JOIN u USING (a) ORDER BY 1, t.x",
    "SELECT t.a, u.a FROM t CROSS JOIN u ORDER BY 1, 2, t.x",
    "SELECT x.a, y.a FROM t AS x, u y WHERE x.a = y.a ORDER BY 1, 2, x.x",
    "SELECT a FROM t NATURAL JOIN u ORDER BY a",
    "SELECT x.a FROM (t AS x JOIN u AS y ON x.a = y.a) JOIN u AS z ON z.a = y.a ORDER BY 1, x.x",
    "SELECT a FROM t WHERE a IN (SELECT a FROM u) AND EXISTS (SELECT 1 FROM u WHERE u.a = t.a) ORDER BY a",
    "SELECT (SELECT max(a) FROM u), a FROM t ORDER BY a, x",
    "WITH c AS (SELECT a FROM t), e(z) AS (SELECT a + 1 FROM c) SELECT z FROM e ORDER BY z",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 4) SELECT n FROM r ORDER BY n",
    "SELECT a FROM t UNION SELECT a FROM u ORDER BY a",
    "SELECT a FROM t UNION ALL SELECT a FROM u EXCEPT SELECT 9 ORDER BY 1",
    "SELECT a FROM t INTERSECT SELECT a FROM u ORDER BY 1",
    "SELECT * FROM (VALUES (1, 'x'), (2, 'y')) AS v ORDER BY 1",
    "SELECT CASE a WHEN 1 THEN 'one' WHEN 2 THEN 'two' ELSE 'many' END FROM t ORDER BY a, x",
    "SELECT CASE WHEN a > 1 THEN a END, coalesce(b, '?'), nullif(a, 1) FROM t ORDER BY a, x",
    "SELECT CAST(x AS INTEGER), CAST(a AS VARCHAR(10)), CAST('12' AS INTEGER) + 1 FROM t ORDER BY a, x",
    "SELECT upper(b), substr(b, 1, 2), replace(b, 'x', 'y'), trim(b), length(b) FROM t ORDER BY a, x",
    "SELECT 1e3, 1.5e-2, .5, 5., 1.0, 007, 123456789012345678 FROM t WHERE a = 1",
    "SELECT \"a\", t.\"b\", \"t\".a AS \"A b\", a AS \"select\" FROM \"t\" ORDER BY 1, x",
    "SELECT a AS b, b AS a FROM t ORDER BY t.a, x",
    "SELECT true, false, NULL, NULL IS NULL",
    "SELECT a FROM t WHERE (a, x) = (1, 1.50)",
    "SELECT a & 1, a | 4, a << 2, a >> 1 FROM t WHERE a > 0 ORDER BY 1, 2, 3, x",
    "SELECT a IS NOT DISTINCT FROM 1, b IS DISTINCT FROM 'x' FROM t ORDER BY a, x",
    "SELECT current_date IS NOT NULL",
    "SELECT round(x, 1), abs(a) FROM t ORDER BY a, x",
    "SELECT DISTINCT a FROM t WHERE NOT EXISTS (SELECT * FROM u WHERE u.a = t.a) ORDER BY a",
];

const SQLITE: &[&str] = &[
    "SELECT 0x1F, 0XfF, -0x10, x'1f', X'AB', typeof(x'1f'), typeof(0x1F)",
    "SELECT a == 1, a ISNULL, b NOTNULL, b NOT NULL FROM t ORDER BY a, x",
    "SELECT a FROM t INDEXED BY by_a WHERE a = 1",
    "SELECT a FROM t NOT INDEXED WHERE a = 1",
    "SELECT [a], `b` FROM [t] ORDER BY 1, x",
    "SELECT a FROM t ORDER BY a, x LIMIT 1, 2",
    "SELECT b FROM t WHERE b GLOB '*[a-z]*' ORDER BY b",
    "SELECT '{\"k\": [1, 2]}' ->> '$.k[1]', '{\"k\": 1}' -> 'k'",
    "SELECT value FROM json_each('[3, 4]') ORDER BY value",
    "SELECT group_concat(b, '; ') FROM (SELECT b FROM t WHERE b IS NOT NULL ORDER BY b)",
    "SELECT strftime('%Y-%m', d), date(d, '+1 day') FROM t ORDER BY a, x",
    "SELECT a COLLATE NOCASE, b COLLATE BINARY = 'X' FROM t ORDER BY b COLLATE NOCASE, a",
    "SELECT iif(a > 1, 'y', 'n'), CAST(a AS REAL) / 2, a / 2, ~a FROM t ORDER BY a, x",
    "SELECT a FROM t GROUP BY a HAVING max(x) > 0 ORDER BY a",
    "SELECT 'a' 'b'",
    "SELECT 1 AS 'quoted alias', a 'other' FROM t ORDER BY a, x",
    "SELECT b REGEXP 'x' FROM t WHERE false",
    "SELECT a, row_number() OVER (ORDER BY a, x ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) FROM t ORDER BY a, x",
    "SELECT count(*) FROM t LEFT JOIN u ON t.a = u.a AND u.a > 1",
    "SELECT * FROM t FULL OUTER JOIN u ON t.a = u.a ORDER BY t.a, u.a, x",
    "VALUES (1, 2), (3, 4)",
    "SELECT max(a), b FROM t",
    "SELECT 1_000 + 2",
];

const DUCKDB: &[&str] = &[
    "SELECT 0x1F, x FROM t ORDER BY a, x",
    "SELECT '\\xAA'::BLOB, X'41'",
    "SELECT a // 2, a ** 2, a ^ 2, 7 % 3 FROM t ORDER BY a, x",
    "SELECT x::INTEGER, x::DECIMAL(8, 1)::VARCHAR, '5'::INT + 1, try_cast('z' AS INT) FROM t ORDER BY a, x",
    "SELECT * EXCLUDE (d) REPLACE (a + 1 AS a) FROM t ORDER BY a, x",
    "SELECT * RENAME (a AS z) FROM t ORDER BY ALL",
    "FROM t SELECT a, b ORDER BY a, x",
    "FROM t ORDER BY a, x LIMIT 2",
    "SELECT a, count(*) FROM t GROUP BY ALL ORDER BY ALL",
    "SELECT [1, 2, 3][2], [1, 2, 3][2:], {'k': 1, 'l': 'x'}.l, map {'k': 1}['k']",
    "SELECT list_transform([1, 2], y -> y + 1), list_filter([1, 2, 3], y -> y > 1)",
    "SELECT list_transform([1, 2], lambda y: y + 1)",
    "SELECT unnest([1, 2, 3]) AS z ORDER BY z",
    "SELECT * FROM range(3) AS r(i), generate_series(1, 2) AS g(j) ORDER BY ALL",
    "SELECT '{\"k\": [1, 2]}'::JSON ->> '$.k[1]', '{\"k\": 1}'::JSON -> 'k'",
    "SELECT INTERVAL 3 DAY, INTERVAL '2' MONTH, DATE '2024-01-31' + INTERVAL 1 MONTH, d + 1 FROM t ORDER BY a, x",
    "SELECT date_trunc('month', d), year(d), extract(month FROM d), strftime(d, '%Y/%m') FROM t ORDER BY a, x",
    "SELECT TIMESTAMP '2024-01-31 10:00:00', '2024-01-31 10:00:00'::TIMESTAMPTZ AT TIME ZONE 'UTC'",
    "SELECT $$it's$$, $tag$a $$ b$tag$",
    "SELECT b ILIKE 'X', b SIMILAR TO 'x|X', b ~ '.*', b NOT ILIKE 'y' FROM t ORDER BY a, x",
    "SELECT a FROM t QUALIFY row_number() OVER (PARTITION BY a ORDER BY x) = 1 ORDER BY a",
    "SELECT DISTINCT ON (a) a, b FROM t ORDER BY a, x",
    "SELECT t.a FROM t SEMI JOIN u ON t.a = u.a ORDER BY 1",
    "SELECT t.a FROM t ANTI JOIN u USING (a) ORDER BY 1",
    "SELECT * FROM t, LATERAL (SELECT t.a + 1 AS z) ORDER BY a, x",
    "SELECT string_agg(b, '; ' ORDER BY b DESC), list(a ORDER BY a), max_by(b, a) FROM t",
    "SELECT quantile_cont(x, 0.5), mode(a), percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM t",
    "SELECT a, grouping(a) FROM t GROUP BY GROUPING SETS ((a), ()) ORDER BY ALL",
    "SELECT a, b, count(*) FROM t GROUP BY ROLLUP (a, b) ORDER BY ALL",
    "SELECT a FROM t UNION BY NAME SELECT a, \"odd name\" FROM u ORDER BY ALL",
    "SELECT COLUMNS('a|x') FROM t ORDER BY ALL",
    "SELECT b.upper().lower() FROM t ORDER BY a, x",
    "SELECT 'a' AS \"it's\", 1_000 AS n",
    "SELECT * FROM t PIVOT (count(*) FOR a IN (1, 2)) ORDER BY ALL",
    "SELECT * FROM (SELECT a, x FROM t) UNPIVOT (v FOR n IN (a, x)) ORDER BY ALL",
    "SELECT a = ANY([1, 2]), a IN (1, 2), a BETWEEN 1 AND 2 FROM t ORDER BY a, x",
    "WITH c AS MATERIALIZED (SELECT 1 AS z) SELECT z FROM c",
    "SELECT CASE WHEN a > 1 THEN {'k': a} END, struct_pack(k := 1), row(1, 2) FROM t ORDER BY a, x",
    "SELECT sum(a) OVER (ORDER BY d RANGE BETWEEN INTERVAL 1 MONTH PRECEDING AND CURRENT ROW) FROM t ORDER BY a, x",
    "SELECT a FROM t ORDER BY a ASC NULLS FIRST, x DESC NULLS LAST FETCH FIRST 2 ROWS ONLY",
    "SELECT 'a'\n'b'",
    "SELECT 10 / 4, 10 // 4, 1 / 3.0, 5 & 3, xor(5, 3), ~5",
    "SELECT position('s' IN b), substring(b FROM 1 FOR 2), trim(BOTH 'x' FROM b), overlay('abc' PLACING 'z' FROM 2) FROM t WHERE false",
];

const POSTGRES: &[&str] = &[
    "SELECT E'a\\nb\\'c\\\\', E'\\x41', U&'d\\0061t', B'101', X'1F'",
    "SELECT $$it's$$, $tag$a $$ b$tag$",
    "SELECT x::int, x::numeric(8, 1)::text, '5'::int + 1, CAST('1' AS double precision) FROM t ORDER BY a, t.x",
    "SELECT INTERVAL '1 day', DATE '2024-01-31' + INTERVAL '1 month', d + 1, d - DATE '2024-01-01' FROM t ORDER BY a, x",
    "SELECT extract(year FROM d), date_trunc('month', d)::date, to_char(d, 'YYYY-MM') FROM t ORDER BY a, x",
    "SELECT timestamp '2024-01-31 10:00' AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Paris'",
    "SELECT b ILIKE 'X', b SIMILAR TO 'x|X', b ~ '^x', b ~* '^X', b !~ 'x', b !~* 'x' FROM t ORDER BY a, x",
    "SELECT (ARRAY[1, 2, 3])[2:3], ARRAY[[1], [2]], '{1,2}'::int[]",
    "SELECT a = ANY(ARRAY[1, 2]), a <> ALL(ARRAY[1, 2]), a IN (1, 2) FROM t ORDER BY a, x",
    "SELECT '{\"k\": [1, 2]}'::jsonb -> 'k' ->> 1, '{\"k\": 1}'::jsonb @> '{\"k\": 1}', '{\"k\": {\"l\": 2}}'::json #>> '{k,l}', '{\"k\": 1}'::jsonb ? 'k'",
    "SELECT DISTINCT ON (a) a, b FROM t ORDER BY a, x",
    "SELECT string_agg(b, '; ' ORDER BY b DESC), array_agg(a ORDER BY a), count(*) FILTER (WHERE a > 1) FROM t",
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x), mode() WITHIN GROUP (ORDER BY a) FROM t",
    "SELECT a, grouping(a) FROM t GROUP BY GROUPING SETS ((a), ()) ORDER BY 1, 2",
    "SELECT a, b, count(*) FROM t GROUP BY ROLLUP (a, b) ORDER BY 1, 2, 3",
    "SELECT a, b, count(*) FROM t GROUP BY CUBE (a, b) ORDER BY 1, 2, 3",
    "SELECT t.a, z.n FROM t CROSS JOIN LATERAL (SELECT t.a + 1 AS n) AS z ORDER BY 1, 2, t.x",
    "SELECT t.a, u.a FROM t LEFT JOIN LATERAL (SELECT * FROM u WHERE u.a = t.a LIMIT 1) AS u ON true ORDER BY 1, 2, t.x",
    "SELECT * FROM t FULL JOIN u ON t.a = u.a ORDER BY t.a, u.a, x",
    "SELECT * FROM generate_series(1, 3) WITH ORDINALITY AS g(v, n) ORDER BY 1",
    "SELECT unnest(ARRAY['x', 'y']) AS z ORDER BY z",
    "SELECT * FROM unnest(ARRAY[1, 2], ARRAY['a', 'b']) AS z(n, s) ORDER BY 1",
    "SELECT sum(a) OVER (ORDER BY a, x GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t ORDER BY a, x",
    "WITH c AS MATERIALIZED (SELECT 1 AS z), e AS NOT MATERIALIZED (SELECT 2 AS z) SELECT c.z, e.z FROM c, e",
    "SELECT a FROM t ORDER BY a ASC NULLS FIRST, x DESC NULLS LAST OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY",
    "SELECT position('s' IN b), substring(b FROM 1 FOR 2), trim(LEADING 'x' FROM b), overlay('abc' PLACING 'z' FROM 2) FROM t ORDER BY a, x",
    "SELECT 'a'\n'b'",
    "SELECT (ROW(1, 'x')).*",
    "SELECT a FROM t WHERE b IS NOT NULL AND (a IS NULL) IS FALSE ORDER BY a",
    "SELECT a, b FROM t WHERE (a, b) IN (VALUES (1, 'x'), (2, 'X')) ORDER BY a",
    "SELECT greatest(a, 2), least(x, 1), width_bucket(a, 0, 10, 5) FROM t ORDER BY a, x",
    "SELECT |/ 16.0, ||/ 27.0, @ (-5)",
    "SELECT a # 1, ~a, 2 ^ 3 FROM t WHERE a > 0 ORDER BY 1, x",
    "SELECT a FROM ONLY t ORDER BY a",
    "SELECT count(*) FROM t AS z(p, q) WHERE z.p = 1",
    "SELECT 'x'::varchar(5), 'x'::char(3) || '|', 1::bigint, 1.5::real, 'true'::boolean",
    "SELECT b COLLATE \"C\" FROM t ORDER BY b COLLATE \"C\"",
    "SELECT json_build_object('k', a) FROM t ORDER BY a, x",
    "SELECT TIME '10:00', now() IS NOT NULL, current_timestamp IS NOT NULL, localtime IS NOT NULL",
];

/// Queries whose text is kept, because their trees do not represent all of it.
const KEPT: &[&str] = &["SELECT a FROM t INDEXED BY by_a WHERE a = 1", "SELECT a FROM t NOT INDEXED WHERE a = 1"];

fn compare(dialect: Dialect, own: &[&str], run: impl Fn(&str) -> Result<String, String>) {
    let mut wrong = Vec::new();
    for text in COMMON.iter().chain(own) {
        let Ok(sql) = ReadOnlySql::parse(text, dialect) else { continue };
        // Not every engine supports all common queries.
        let Ok(expected) = run(sql.as_str()) else { continue };
        let laid_out = format_sql(sql.as_str(), dialect);
        if run(&laid_out).as_ref() != Ok(&expected) {
            wrong.push(format!("laid out: {text}\n{laid_out}\n{:?}, not {expected:?}", run(&laid_out)));
        }
        match sql.written_out() {
            None if KEPT.contains(text) => {}
            None => wrong.push(format!("kept as it is: {text}")),
            Some(written) if run(written.as_str()).as_ref() != Ok(&expected) => {
                let written = written.as_str();
                wrong.push(format!("written out: {text}\n{written}\n{:?}, not {expected:?}", run(written)));
            }
            Some(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{dialect:?}\n{}", wrong.join("\n\n"));
}

#[test]
fn sqlite_reads_the_same_however_it_is_written() {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    connection.execute_batch(&TABLES.replace("\\\\", "\\")).unwrap();
    connection.execute_batch("CREATE INDEX by_a ON t (a)").unwrap();
    compare(Dialect::Sqlite, SQLITE, |sql| {
        let mut statement = connection.prepare(sql).map_err(|e| e.to_string())?;
        let width = statement.column_count();
        let rows = statement.query_map([], |row| {
            (0..width).map(|i| row.get::<_, rusqlite::types::Value>(i)).collect::<rusqlite::Result<Vec<_>>>()
        });
        let rows = rows.map_err(|e| e.to_string())?.collect::<rusqlite::Result<Vec<_>>>();
        rows.map(|rows| format!("{rows:?}")).map_err(|e| e.to_string())
    });
}

#[test]
fn duckdb_reads_the_same_however_it_is_written() {
    let connection = duckdb::Connection::open_in_memory().unwrap();
    connection.execute_batch(TABLES).unwrap();
    compare(Dialect::Duckdb, DUCKDB, |sql| {
        let mut statement = connection.prepare(sql).map_err(|e| e.to_string())?;
        let _ = statement.stream_arrow([]).map_err(|e| e.to_string())?;
        let mut text = String::new();
        while let Some(rows) = statement.step().map_err(|e| e.to_string())? {
            // Unnamed columns are named by their own text.
            text.push_str(&format!("{:?}", rows.columns()));
        }
        Ok(text)
    });
}

#[test]
fn postgresql_reads_the_same_however_it_is_written() {
    let server = PostgresServer::start();
    server.psql("shop", TABLES);
    compare(Dialect::Postgres, POSTGRES, |sql| {
        let script = format!("\\unset ON_ERROR_STOP\n{sql}\n;\n\\echo done");
        let shown = server.psql("shop", &script);
        if shown.trim() == "done" { Err("failed, or no rows".to_owned()) } else { Ok(shown) }
    });
}
