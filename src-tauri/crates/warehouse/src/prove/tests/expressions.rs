use super::super::*;
use vitrine_domain::Dialect;
use vitrine_domain::{Column, Table, TableKind, TableName};

fn catalog(dialect: Dialect) -> Catalog {
    let table = |name: &str, columns: &[&str]| Table {
        name: TableName::from_unqualified(name),
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: columns
            .iter()
            .map(|c| Column { name: (*c).to_owned(), data_type: "TEXT".to_owned(), nullable: true, comment: None })
            .collect(),
        primary_key: Vec::new(),
        definition: None,
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
    };
    let tables = vec![table("t", &["a", "b", "l", "d"]), table("order", &["a b", "x\"y", "a"]), table("one", &["v"])];
    Catalog {
        database: String::new(),
        dialect,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables,
    }
}

fn proven(text: &str, dialect: Dialect) -> Result<ReadOnlySql, SqlRejection> {
    prove_read_only(text, &catalog(dialect))
}

/// Everyday expressions combined with a form that only the engine's parser accepts, so that the engine's proof must
/// support them.
#[test]
fn the_engines_proof_knows_everyday_expressions() {
    let duckdb = [
        "a * 1.5, -2.25, 1e3, 12345678901234567890",
        "CAST(a AS DECIMAL(10, 2)), a::DOUBLE, TRY_CAST(a AS INTEGER), a::VARCHAR(10), a::INTEGER[], a::INTEGER[3]",
        "{'x': 1, 'y': 'z'}, {'x': 1}::STRUCT(x BIGINT), MAP {'k': 1.5}, [1, 2.5], ['a', NULL]",
        "DATE '2024-01-01', TIMESTAMP '2024-01-01 10:00:00', d + INTERVAL 1 MONTH, d - INTERVAL '2 days', date_trunc('month', d)",
        "a::ENUM('x', 'y'), a::UUID, a::HUGEINT, a::TIMESTAMPTZ, a::JSON, a::BIT",
        "list_transform(l, lambda x: x + 1), list_filter(l, x -> x > 1), l[1], l[1:2], b[1]",
        "CASE WHEN a > 1 THEN 'x' ELSE NULL END, CASE a WHEN 1 THEN 2 END, coalesce(a, b), nullif(a, 0), a IS DISTINCT FROM b",
        "a BETWEEN 1 AND 2, a NOT IN (1, 2), b LIKE 'x%', b ILIKE 'x', b SIMILAR TO 'x.*', b NOT LIKE 'a' ESCAPE '!', NOT a",
        "sum(a) FILTER (WHERE b > 1), count(DISTINCT a), string_agg(b, ', ' ORDER BY a), quantile_cont(a, 0.5), mode(a)",
        "row_number() OVER (PARTITION BY a ORDER BY b DESC NULLS LAST), sum(a) OVER w, first_value(a) OVER (ORDER BY b)",
        "EXISTS (SELECT 1 FROM one), (SELECT max(v) FROM one), a = ANY (SELECT v FROM one), a > ALL (SELECT v FROM one)",
        "b COLLATE NOCASE, extract(year FROM d), strftime(d, '%Y'), epoch(d), a || b, a // 2, a % 2, a & 1, ~a, a << 1",
        "struct_pack(x := a), (a, b), ROW(a, 1), TRUE, NULL, 'it''s', $$x$$",
    ];
    let postgres = [
        "a * 1.5, -2.25, 1e3, 12345678901234567890",
        "CAST(a AS NUMERIC(10, 2)), a::double precision, a::varchar(10), a::int[], ARRAY[1, 2], ARRAY[[1], [2]], l[1], l[1:2]",
        "DATE '2024-01-01', TIMESTAMP WITH TIME ZONE '2024-01-01', d::date + INTERVAL '1 month', date_trunc('month', d::date)",
        "CASE WHEN a > 1 THEN 'x' ELSE NULL END, CASE a WHEN 1 THEN 2 END, coalesce(a, b), nullif(a, 0), a IS DISTINCT FROM b",
        "a BETWEEN 1 AND 2, a NOT IN (1, 2), b LIKE 'x%', b ILIKE 'x', b SIMILAR TO 'x', b ~ 'x', b !~* 'x', NOT a, a IS NOT TRUE",
        "sum(a) FILTER (WHERE b > 1), count(DISTINCT a), string_agg(b, ', ' ORDER BY a), percentile_cont(0.5) WITHIN GROUP (ORDER BY a)",
        "row_number() OVER (PARTITION BY a ORDER BY b DESC NULLS LAST), sum(a) OVER w, sum(a) OVER (ROWS UNBOUNDED PRECEDING)",
        "EXISTS (SELECT 1 FROM one), (SELECT max(v) FROM one), a = ANY (SELECT v FROM one), a = ANY (ARRAY[1, 2]), a > ALL (SELECT 1)",
        "b COLLATE \"C\", extract(year FROM d::date), d::timestamp AT TIME ZONE 'UTC', a || b, a % 2, a & 1, ~a, a << 1, a ^ 2, |/ a",
        "b -> 'x', b ->> 'x', b #>> '{a,b}', b @> '{}', ROW(a, 1), (a, b), TRUE, NULL, 'it''s', $$x$$, greatest(a, b), overlay(b placing 'x' from 1)",
        "substring(b from 1 for 2), position('x' in b), trim(both 'x' from b), current_date, localtimestamp, GROUPING(a)",
    ];
    let refused = |dialect, form: &str, list: &[&str]| -> Vec<String> {
        let tried = list.iter().map(|values| format!("SELECT {form}, {values} FROM t WINDOW w AS (ORDER BY b)"));
        tried.filter_map(|sql| proven(&sql, dialect).err().map(|error| format!("{error}\n   {sql}"))).collect()
    };
    let refused = [
        refused(Dialect::Duckdb, "a ** 2", &duckdb),
        refused(Dialect::Postgres, "a BETWEEN SYMMETRIC 3 AND 1", &postgres),
    ]
    .concat();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// Syntax that this program's parser rejects and the engine accepts.
#[test]
fn what_only_the_engine_reads_is_proven_by_the_engine() {
    for (dialect, sql) in [
        (Dialect::Duckdb, "PIVOT t ON a IN (1, 2) USING sum(b)"),
        (Dialect::Duckdb, "SELECT * FROM (PIVOT t ON a IN (1, 2) USING sum(b) GROUP BY d)"),
        (Dialect::Duckdb, "UNPIVOT t ON a, b INTO NAME n VALUE v"),
        (Dialect::Duckdb, "SELECT * FROM t ASOF JOIN t AS u ON t.a = u.a AND t.d >= u.d"),
        (Dialect::Duckdb, "SELECT [x * 2 FOR x IN l IF x > 1] FROM t"),
        (Dialect::Duckdb, "SELECT 1 IN l, 2 IN [1, 2] FROM t"),
        (
            Dialect::Duckdb,
            "SELECT sum(a) OVER (ORDER BY b ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) FROM t",
        ),
        (Dialect::Duckdb, "SELECT lag(a IGNORE NULLS) OVER (ORDER BY b) FROM t"),
        (Dialect::Duckdb, "SELECT * FROM t USING SAMPLE 10%"),
        (Dialect::Duckdb, "SELECT a ** 2, 5!, @a FROM t"),
        (Dialect::Duckdb, "SELECT E'it\\'s' AS x /* a /* comment */ in one */"),
        (Dialect::Duckdb, "SELECT a FROM t LIMIT 10%"),
        (Dialect::Duckdb, "SELECT * FROM t POSITIONAL JOIN t AS u"),
        (Dialect::Sqlite, "SELECT a IS 1, b IS NOT 'x', a IS b FROM t"),
        (Dialect::Sqlite, "SELECT a FROM t WHERE 1 IN one AND a IN \"ONE\""),
        (
            Dialect::Sqlite,
            "SELECT a IS 1, b ->> '$.x', count(*) FILTER (WHERE a IS 2) FROM t, json_each(t.b) GROUP BY 1",
        ),
        (Dialect::Sqlite, "WITH c AS (SELECT 1 AS x) SELECT count(*) FROM c WHERE x IS 1"),
        (Dialect::Sqlite, "SELECT \"a b\", [x\"y] FROM \"order\" WHERE a IS 0X1F ORDER BY 1 LIMIT 2"),
        (Dialect::Postgres, "SELECT * FROM ROWS FROM (generate_series(1, 3), unnest(ARRAY[1, 2])) AS r(x, y)"),
        (Dialect::Postgres, "SELECT a BETWEEN SYMMETRIC 3 AND 1 FROM t"),
        (
            Dialect::Postgres,
            "WITH RECURSIVE r(n, p) AS (SELECT 1, 0 UNION ALL SELECT n + 1, n FROM r WHERE n < 5) SEARCH DEPTH FIRST BY n SET o SELECT n FROM r ORDER BY o",
        ),
        (
            Dialect::Postgres,
            "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) CYCLE n SET c USING p SELECT n FROM r",
        ),
        (Dialect::Postgres, "SELECT E'it\\'s\\n', U&'d\\0061t\\+000061'"),
        (Dialect::Postgres, "SELECT * FROM JSON_TABLE('[1]', '$[*]' COLUMNS (a int PATH '$')) AS j"),
        (Dialect::Postgres, "SELECT a OPERATOR(pg_catalog.+) 1, (1, 2) OVERLAPS (3, 4) FROM t ORDER BY a USING <"),
        (
            Dialect::Postgres,
            "SELECT sum(a) OVER (ORDER BY b GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM t",
        ),
        (Dialect::Postgres, "SELECT * FROM t TABLESAMPLE BERNOULLI (10) REPEATABLE (1)"),
        (Dialect::Postgres, "SELECT xmlelement(name a, 'x'), a IS DOCUMENT, a IS NFC NORMALIZED FROM t"),
    ] {
        match proven(sql, dialect) {
            Ok(proven) => assert_eq!(proven.as_str(), sql),
            Err(rejection) => panic!("{dialect:?} {sql}\n{rejection}"),
        }
    }
}

#[test]
fn the_text_runs_byte_for_byte_without_what_closes_it() {
    for dialect in [Dialect::Duckdb, Dialect::Sqlite, Dialect::Postgres] {
        let odd = match dialect {
            Dialect::Sqlite => "a IS 1",
            Dialect::Duckdb => "a ** 2",
            _ => "a BETWEEN SYMMETRIC 2 AND 1",
        };
        let text = format!("-- first\nSELECT  {odd} /* second */\n FROM t  WHERE b = 'x;y' -- third; 'fourth");
        let sql = proven(&format!("\n {text}\n ; -- last"), dialect).unwrap();
        assert_eq!(sql.as_str(), text);
        let read_here = text.replace(odd, "a");
        assert_eq!(proven(&format!("{read_here}\r\n"), dialect).unwrap().as_str(), read_here);
        assert_eq!(vitrine_sql::bind_names(&sql, &catalog(dialect)), vitrine_sql::Binding::default());
        assert_eq!(vitrine_sql::repair_names(&sql, &catalog(dialect)), None);
        assert!(vitrine_sql::collect_literals(&sql).is_empty());
        assert_eq!(vitrine_sql::name_columns(&sql), None);
    }
}

#[test]
fn order_and_limit_are_known_of_what_only_the_engine_reads() {
    for (dialect, sql, ordered, limit) in [
        (Dialect::Duckdb, "SELECT a ** 2 FROM t ORDER BY a LIMIT 3", true, Some(3)),
        (Dialect::Duckdb, "SELECT a ** 2 FROM (SELECT a FROM t ORDER BY a LIMIT 3)", false, None),
        (Dialect::Duckdb, "SELECT a ** 2 FROM t LIMIT 10%", false, None),
        (Dialect::Duckdb, "PIVOT t ON a IN (1) USING sum(b) ORDER BY d LIMIT 4", true, Some(4)),
        (Dialect::Sqlite, "SELECT a IS 1 FROM t ORDER BY a LIMIT 3", true, Some(3)),
        (Dialect::Sqlite, "SELECT a IS 1 FROM (SELECT a FROM t ORDER BY a LIMIT 3)", false, None),
        (Dialect::Postgres, "SELECT a BETWEEN SYMMETRIC 2 AND 1 FROM t ORDER BY a LIMIT 3", true, Some(3)),
        (
            Dialect::Postgres,
            "SELECT * FROM ROWS FROM (unnest(ARRAY[1])) AS r ORDER BY 1 FETCH FIRST 3 ROWS WITH TIES",
            true,
            None,
        ),
        (Dialect::Postgres, "SELECT * FROM ROWS FROM (unnest(ARRAY[1])) AS r LIMIT 1 + 1", false, None),
    ] {
        let sql = proven(sql, dialect).unwrap_or_else(|e| panic!("{sql}\n{e}"));
        assert_eq!((sql.is_ordered(), sql.limit()), (ordered, limit), "{}", sql.as_str());
    }
}

/// Each statement contains syntax that only the engine accepts, so that the engine's proof refuses them.
#[test]
fn what_an_engine_reads_and_does_more_than_read_is_refused() {
    for (dialect, sql, reason) in [
        (Dialect::Duckdb, "SELECT a ** 2, getenv('HOME') FROM t", "function getenv"),
        (Dialect::Duckdb, "SELECT [getenv(x) FOR x IN l] FROM t", "function getenv"),
        (Dialect::Duckdb, "SELECT [x FOR x IN l IF getenv(x) = ''] FROM t", "function getenv"),
        (Dialect::Duckdb, "SELECT 2 ** 2 FROM read_csv('x.csv')", "function read_csv"),
        (Dialect::Duckdb, "SELECT 2 ** 2 FROM read_text('/etc/passwd')", "function read_text"),
        (Dialect::Duckdb, "SELECT 2 ** 2 FROM upper('x')", "function upper"),
        (Dialect::Duckdb, "SELECT 2 ** 2 FROM query('SELECT 1')", "function query"),
        (Dialect::Duckdb, "SELECT 2 ** 2 FROM 'x.csv'", "names a file"),
        (Dialect::Duckdb, "SELECT 2 ** 2 FROM \"https://example.org/x\"", "names a file"),
        (Dialect::Duckdb, "PIVOT 'x.parquet' ON a IN (1) USING sum(b)", "names a file"),
        (Dialect::Duckdb, "PIVOT t ON a IN (1) USING sum(getenv('x')::INT)", "function getenv"),
        (Dialect::Duckdb, "SELECT * REPLACE (getenv('x') AS a) FROM t USING SAMPLE 10%", "function getenv"),
        (Dialect::Duckdb, "SELECT COLUMNS(c -> c LIKE getenv('x')) FROM t USING SAMPLE 10%", "function getenv"),
        (Dialect::Duckdb, "SELECT 2 ** 2 FROM t LIMIT (SELECT getenv('x')::INT)", "function getenv"),
        (Dialect::Duckdb, "SELECT 2 ** 2 FROM t ORDER BY getenv('x')", "function getenv"),
        (Dialect::Duckdb, "SELECT 2 ** 2 FROM t AT (VERSION => getenv('x'))", "function getenv"),
        (Dialect::Duckdb, "SELECT 2 ** 2 FROM (SHOW TABLES)", "SHOW or DESCRIBE"),
        (Dialect::Duckdb, "SELECT 2 ** $1", "parameter"),
        (Dialect::Duckdb, "SELECT 2 ** 2; SELECT 3", "only one statement"),
        (Dialect::Duckdb, "PIVOT t ON a USING sum(b)", "PIVOT without its values"),
        (Dialect::Duckdb, "SELECT a &&& b FROM t", "operator"),
        (Dialect::Duckdb, "SELECT E'\\'' || getenv('HOME') --'", "function getenv"),
        (Dialect::Duckdb, "/* /* */ SELECT 1 -- */ SELECT getenv('x')", "function getenv"),
        (Dialect::Sqlite, "SELECT a IS 1, load_extension('x') FROM t", "load_extension"),
        (Dialect::Sqlite, "SELECT a IS 1, randomblob(9) FROM t", "function randomblob"),
        (Dialect::Sqlite, "SELECT count(*) IS 1 FROM pragma_database_list", "function pragma_database_list"),
        (Dialect::Sqlite, "SELECT name IS 1 FROM pragma_table_info('t')", "function pragma_table_info"),
        (Dialect::Sqlite, "SELECT a IS ? FROM t", "parameter"),
        (Dialect::Sqlite, "SELECT a IS 1 FROM t; SELECT 2", "only one statement"),
        (Dialect::Sqlite, "EXPLAIN SELECT a IS 1 FROM t", "EXPLAIN"),
        (Dialect::Sqlite, "WITH c AS (SELECT 1 IS 1) DELETE FROM t", "DELETE"),
        (Dialect::Sqlite, "SELECT nowhere IS 1 FROM t", "no such column: nowhere"),
        (
            Dialect::Postgres,
            "SELECT pg_read_file('x') FROM t WHERE a BETWEEN SYMMETRIC 1 AND 2",
            "function pg_read_file",
        ),
        (Dialect::Postgres, "SELECT * FROM ROWS FROM (pg_ls_dir('/')) AS r", "function pg_ls_dir"),
        (Dialect::Postgres, "SELECT * FROM ROWS FROM (unnest(ARRAY[lo_import('x')])) AS r", "function lo_import"),
        (Dialect::Postgres, "SELECT a INTO z FROM t WHERE a BETWEEN SYMMETRIC 1 AND 2", "SELECT INTO"),
        (Dialect::Postgres, "SELECT a FROM t WHERE a BETWEEN SYMMETRIC 1 AND 2 FOR UPDATE", "FOR UPDATE"),
        (
            Dialect::Postgres,
            "WITH x AS (DELETE FROM t WHERE a BETWEEN SYMMETRIC 1 AND 2 RETURNING *) SELECT * FROM x",
            "DELETE",
        ),
        (Dialect::Postgres, "SELECT a OPERATOR(evil.+) 1 FROM t", "operator"),
        (Dialect::Postgres, "SELECT a BETWEEN SYMMETRIC 1 AND $1 FROM t", "parameter"),
        (Dialect::Postgres, "SELECT 1 BETWEEN SYMMETRIC 1 AND 2; DROP TABLE t", "only one statement"),
        (Dialect::Postgres, "SELECT JSON_VALUE(a, '$' DEFAULT nextval('s') ON EMPTY) FROM t", "function nextval"),
    ] {
        let said = match proven(sql, dialect) {
            Ok(_) => panic!("accepted: {dialect:?} {sql}"),
            Err(rejection) => rejection.to_string(),
        };
        assert!(said.contains(reason), "{dialect:?} {sql}\n{said}");
    }
}

#[test]
fn what_neither_reads_is_told_as_before() {
    for dialect in [Dialect::Duckdb, Dialect::Sqlite, Dialect::Postgres, Dialect::Snowflake] {
        let sql = "SELECT a FRM t WHERE";
        assert_eq!(proven(sql, dialect), ReadOnlySql::parse(sql, dialect));
    }
}

#[test]
fn functions_of_the_database_are_let_through_by_name_alone() {
    let own = AllowedFunctions::new(["sales.margin"]).unwrap();
    for (dialect, sql) in [
        (Dialect::Postgres, "SELECT sales.margin(a) FROM t"),
        (Dialect::Postgres, "SELECT sales.margin(a) FROM t WHERE a BETWEEN SYMMETRIC 1 AND 2"),
        (Dialect::Duckdb, "SELECT sales.margin(a) ** 2 FROM t"),
    ] {
        assert!(prove_read_only(sql, &catalog(dialect)).is_err(), "{sql}");
        let proven = prove_with(sql, &catalog(dialect), &own).unwrap_or_else(|e| panic!("{sql}\n{e}"));
        assert_eq!(proven.allowed_functions(), &own);
        assert!(prove_with(&sql.replace("sales.", "other."), &catalog(dialect), &own).is_err());
    }
}

/// Creates a catalog with these tables; the last part of each is its name, the part before it a schema.
fn catalog_with(dialect: Dialect, names: &[&[&str]]) -> Catalog {
    let mut with = catalog(dialect);
    with.database = "shop".to_owned();
    for parts in names {
        let mut table = with.tables[0].clone();
        let (name, schema) = (parts[parts.len() - 1], parts.len().checked_sub(2).map(|at| parts[at]));
        table.name = TableName { catalog: None, schema: schema.map(str::to_owned), name: name.to_owned() };
        with.tables.push(table);
    }
    with
}

#[test]
fn a_name_like_a_files_is_read_only_where_the_table_is_there() {
    let catalog =
        catalog_with(Dialect::Duckdb, &[&["sales.csv"], &["a/b"], &["json"], &["old", "x.parquet"], &["s3://a"]]);
    for sql in [
        "FROM \"sales.csv\"",
        "FROM \"Sales.CSV\"",
        "FROM main.\"sales.csv\"",
        "FROM shop.\"sales.csv\"",
        "FROM shop.main.\"sales.csv\"",
        "SELECT a FROM 'sales.csv'",
        "SELECT 2 ** 2, a FROM \"sales.csv\"",
        "FROM \"a/b\", main.json, old.\"x.parquet\", shop.old.\"x.parquet\", \"s3://a\"",
    ] {
        let proven = prove_read_only(sql, &catalog).unwrap_or_else(|rejection| panic!("{sql}: {rejection}"));
        assert!(!proven.describes_database(), "{sql}");
    }
    for sql in [
        "FROM sales.csv",
        "FROM \"main.json\"",
        "FROM \"x.parquet\"",
        "FROM shop.\"x.parquet\"",
        "FROM old.\"sales.csv\"",
        "FROM elsewhere.main.\"sales.csv\"",
        "FROM \"sales.csv.gz\"",
        "FROM \"ſales.csv\"",
        "FROM old.json",
        "FROM 's3://a/b'",
        "SELECT 2 ** 2, a FROM \"sales.csv\", \"other.csv\"",
    ] {
        let refused = prove_read_only(sql, &catalog);
        assert!(matches!(refused, Err(SqlRejection::File { .. })), "{sql}: {refused:?}");
    }
}

#[test]
fn a_search_is_called_only_in_a_table_that_is_there() {
    let catalog = catalog_with(Dialect::Sqlite, &[&["letters"], &["fsdir"], &["pragma_x"], &["readfile"]]);
    for sql in ["SELECT a FROM letters('lamp')", "SELECT a FROM main.LETTERS('lamp') AS l"] {
        assert!(prove_read_only(sql, &catalog).is_ok(), "{sql}: {:?}", prove_read_only(sql, &catalog));
    }
    for sql in [
        "SELECT a FROM mails('lamp')",
        "SELECT a FROM temp.letters('lamp')",
        "SELECT letters('lamp') FROM t",
        "SELECT a FROM pragma_x('lamp')",
        "SELECT a FROM readfile('lamp')",
        "SELECT a FROM letters(readfile('x'))",
    ] {
        let refused = prove_read_only(sql, &catalog);
        assert!(matches!(refused, Err(SqlRejection::Function { .. })), "{sql}: {refused:?}");
    }
}

#[test]
fn only_a_persons_query_reads_what_describes_the_database() {
    let person = AllowedFunctions::default().with_catalog();
    for (dialect, sql) in [
        (Dialect::Sqlite, "SELECT name FROM sqlite_master"),
        (Dialect::Sqlite, "SELECT 1 IS 1, name FROM sqlite_schema"),
        (Dialect::Sqlite, "SELECT name FROM pragma_table_info('t')"),
        (Dialect::Duckdb, "SELECT (SELECT count(*) FROM information_schema.tables) FROM t"),
        (Dialect::Duckdb, "SELECT 2 ** 2 FROM duckdb_tables()"),
        (Dialect::Duckdb, "WITH x AS (FROM sqlite_master) FROM x"),
        (Dialect::Postgres, "SELECT relname FROM pg_class"),
        (Dialect::Postgres, "SELECT 1 BETWEEN SYMMETRIC 2 AND 0 FROM pg_catalog.pg_tables"),
        (Dialect::Mysql, "SELECT a FROM t WHERE a IN (SELECT table_name FROM information_schema.tables)"),
        (Dialect::Bigquery, "SELECT table_name FROM shop.INFORMATION_SCHEMA.TABLES"),
        (Dialect::Clickhouse, "SELECT name FROM system.columns"),
    ] {
        assert!(proven(sql, dialect).is_err(), "{sql}");
        assert!(prove_with(sql, &catalog(dialect), &person).is_ok(), "{sql}");
    }
    // The user's own tables may have such names.
    let own = catalog_with(Dialect::Postgres, &[&["pg_orders"], &["app", "pg_stats"]]);
    assert!(prove_read_only("SELECT a FROM pg_orders, app.pg_stats", &own).is_ok());
    // The permission is not stored with a query that does not need it.
    let plain = prove_with("SELECT a FROM t", &catalog(Dialect::Duckdb), &person).unwrap();
    assert!(!plain.describes_database() && !plain.allowed_functions().reads_catalog());
    let shown = prove_with("SHOW TABLES", &catalog(Dialect::Duckdb), &person).unwrap();
    assert!(shown.describes_database());
}

#[test]
fn deep_and_long_texts_end_in_an_error_not_a_crash() {
    let n = 20_000;
    for (dialect, odd) in [
        (Dialect::Duckdb, "2 ** 2"),
        (Dialect::Duckdb, "E'\\''"),
        (Dialect::Sqlite, "1 IS 1"),
        (Dialect::Postgres, "1 BETWEEN SYMMETRIC 1 AND 2"),
    ] {
        for sql in [
            format!("SELECT {odd}, {}1{}", "(".repeat(n), ")".repeat(n)),
            format!("SELECT {odd}, {}1", "- ".repeat(3_000)),
            format!("SELECT {odd}, {}1", "NOT ".repeat(3_000)),
            format!("SELECT {odd}, 1{}", " + 1".repeat(n)),
            format!("SELECT {odd}, 1{}", " + 1".repeat(1_900)),
            format!("SELECT {odd}{}", " UNION SELECT 1".repeat(n / 2)),
            format!("SELECT {odd}{}", " UNION SELECT 1".repeat(290)),
            format!("SELECT {odd}, {}", "CASE WHEN 1 THEN ".repeat(1_000)),
            format!("SELECT {odd}, a{} FROM t", "[1]".repeat(1_000)),
            format!("SELECT {odd}, a{} FROM t", "::int".repeat(1_000)),
            format!("SELECT {odd}, '{}'", "x".repeat(1 << 20)),
        ] {
            let _ = proven(&sql, dialect);
        }
    }
    // Each view reads the previous one twice, so that the engine would prepare 2^60 reads.
    let views: Vec<String> = (1..60).map(|i| format!("v{i} AS (SELECT a.x FROM v{0} a, v{0} b)", i - 1)).collect();
    let laughing = format!("WITH v0 AS (SELECT 1 IS 1 AS x), {} SELECT * FROM v59", views.join(", "));
    assert_eq!(proven(&laughing, Dialect::Sqlite), Err(SqlRejection::TooDeep));
}
