use super::*;
use vitrine_domain::{Column, Dialect, Table, TableKind, TableName};

fn build_table(name: &str, columns: &[(&str, &str)]) -> Table {
    let column = |(name, data_type): &(&str, &str)| Column {
        name: (*name).to_owned(),
        data_type: (*data_type).to_owned(),
        nullable: true,
        comment: None,
    };
    Table {
        name: TableName::from_unqualified(name),
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: columns.iter().map(column).collect(),
        primary_key: vec!["id".to_owned()],
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
        definition: None,
    }
}

fn build_catalog(dialect: Dialect) -> Catalog {
    let people =
        build_table("people", &[("id", "INTEGER"), ("email", "VARCHAR"), ("salary", "INTEGER"), ("region", "VARCHAR")]);
    let orders = build_table("orders", &[("id", "INTEGER"), ("person_id", "INTEGER"), ("total", "INTEGER")]);
    Catalog {
        database: String::new(),
        dialect,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables: vec![people, orders],
    }
}

/// Returns, for each column of the result, the columns of `people` that it reveals. Groups by `region` have many rows.
fn value_source_columns(dialect: Dialect, sql: &str) -> Option<Vec<String>> {
    let sql = ReadOnlySql::parse(sql, dialect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let has_many = |table: &str, keys: &[String]| {
        table == "people" && (keys.is_empty() || keys.iter().all(|key| key == "region") && keys.len() == 1)
    };
    let found = value_sources(&sql, &build_catalog(dialect), &has_many).outputs?;
    let list = |output: OutputSources| {
        let own = output.columns.into_iter().filter(|(table, _)| table == "people").map(|(_, column)| column);
        own.collect::<Vec<_>>().join(",")
    };
    Some(found.into_iter().map(list).collect())
}

#[test]
fn functions_of_a_row_pass_its_values_on() {
    for (dialect, select) in [
        (Dialect::Sqlite, "unicode(substr(email, 1, 1))"),
        (Dialect::Sqlite, "length(email)"),
        (Dialect::Sqlite, "hex(email)"),
        (Dialect::Duckdb, "ascii(email)"),
        (Dialect::Duckdb, "hash(email)"),
        (Dialect::Duckdb, "email LIKE 'a%'"),
        (Dialect::Duckdb, "CASE WHEN email > 'm' THEN 1 ELSE 0 END"),
        (Dialect::Duckdb, "lag(email) OVER (ORDER BY id)"),
        (Dialect::Duckdb, "first_value(email) OVER (ORDER BY id)"),
        (Dialect::Duckdb, "count(*) FILTER (WHERE email LIKE 'a%')"),
        (Dialect::Duckdb, "sum(CASE WHEN email LIKE 'a%' THEN 1 ELSE 0 END)"),
        (Dialect::Duckdb, "count(nullif(email, 'a'))"),
        (Dialect::Duckdb, "count(TRY_CAST(email AS INTEGER))"),
        (Dialect::Duckdb, "max(email)"),
        (Dialect::Duckdb, "string_agg(email, ',')"),
        (Dialect::Duckdb, "list(email)"),
        (Dialect::Duckdb, "mode(email)"),
        (Dialect::Duckdb, "any_value(email)"),
        (Dialect::Duckdb, "list_transform(list(email), x -> ascii(x))"),
        (Dialect::Postgres, "get_byte(convert_to(email, 'UTF8'), 0)"),
        (Dialect::Postgres, "array_agg(email)"),
        (Dialect::Mysql, "ORD(email)"),
    ] {
        let sql = format!("SELECT {select} AS x FROM people");
        assert_eq!(value_source_columns(dialect, &sql), Some(vec!["email".to_owned()]), "{sql}");
    }
    let rows = "SELECT hash(p.*) AS x FROM people AS p";
    assert_eq!(value_source_columns(Dialect::Duckdb, rows), Some(vec!["id,email,salary,region".to_owned()]));
    assert_eq!(
        value_source_columns(Dialect::Duckdb, "SELECT p AS x FROM people AS p"),
        Some(vec!["id,email,salary,region".to_owned()])
    );
    assert_eq!(value_source_columns(Dialect::Sqlite, "SELECT rowid AS x FROM people"), Some(vec!["id".to_owned()]));
}

#[test]
fn values_are_followed_through_views_of_the_query() {
    for sql in [
        "SELECT v.x FROM (VALUES ((SELECT max(email) FROM people))) AS v(x)",
        "WITH a AS (SELECT lower(email) AS e FROM people) SELECT e || '!' AS f FROM a",
        "WITH RECURSIVE r(a, b, c) AS (SELECT '', '', email FROM people UNION ALL SELECT b, c, '' FROM r) SELECT a FROM r",
        "SELECT (SELECT count(*) FROM people AS p WHERE p.id = o.person_id AND p.email LIKE 'a%') AS n FROM orders AS o",
        "SELECT o.id, EXISTS (SELECT 1 FROM people AS p WHERE p.id = o.person_id AND p.email LIKE 'a%') AS n FROM orders AS o",
        "SELECT 'x' AS a UNION ALL SELECT email FROM people",
    ] {
        let found = value_source_columns(Dialect::Duckdb, sql).unwrap_or_else(|| panic!("{sql}"));
        assert!(
            found.last().is_some_and(|sources| sources.split(',').any(|column| column == "email")),
            "{sql}: {found:?}"
        );
    }
    // Only the engine knows which columns these are.
    for sql in
        ["SELECT COLUMNS('^e') FROM people", "SELECT region FROM people UNION ALL SELECT COLUMNS('email') FROM people"]
    {
        let sql = ReadOnlySql::parse(sql, Dialect::Duckdb).unwrap();
        let found = value_sources(&sql, &build_catalog(Dialect::Duckdb), &|_, _| true);
        assert!(found.outputs.is_none() && found.read.unwrap().contains(&("people".to_owned(), "email".to_owned())));
    }
    let elsewhere = ReadOnlySql::parse("SELECT x FROM nowhere", Dialect::Duckdb).unwrap();
    assert_eq!(value_sources(&elsewhere, &build_catalog(Dialect::Duckdb), &|_, _| true).read, None);
}

#[test]
fn counts_tell_no_value_and_sums_only_of_few_rows() {
    for (sql, expected) in [
        ("SELECT count(*) AS n, count(email) AS m, count(DISTINCT lower(email)) AS d FROM people", "||"),
        ("SELECT region, count(email) AS n FROM people GROUP BY region", "region|"),
        ("SELECT email IS NULL AS n FROM people", ""),
        ("SELECT sum(salary) AS s, avg(p.salary) AS a, stddev(salary) AS d FROM people AS p", "||"),
        ("SELECT region, avg(salary) AS a FROM people GROUP BY region", "region|"),
        ("SELECT region AS r, avg(salary) AS a FROM people GROUP BY 1", "region|"),
        ("WITH a AS (SELECT region, avg(salary) AS s FROM people GROUP BY region) SELECT s FROM a", ""),
        // One row each, or only the rows that meet a condition.
        ("SELECT id, sum(salary) AS s FROM people GROUP BY id", "id|salary"),
        ("SELECT region, id, sum(salary) AS s FROM people GROUP BY region, id", "region|id|salary"),
        ("SELECT id % 2 AS region, sum(salary) AS s FROM people GROUP BY region", "id|salary"),
        ("SELECT sum(salary) AS s FROM people WHERE id = 7", "salary"),
        ("SELECT sum(salary) FILTER (WHERE id = 7) AS s FROM people", "salary,id"),
        ("SELECT sum(p.salary) AS s FROM people AS p JOIN orders AS o ON o.person_id = p.id", "salary"),
        ("SELECT sum(salary) AS s FROM (SELECT salary FROM people LIMIT 1) AS x", "salary"),
        ("SELECT sum(salary * (id = 7)::INTEGER) AS s FROM people", "salary,id"),
        ("SELECT sum(salary) OVER (ORDER BY id) AS s FROM people", "salary"),
        ("SELECT max(salary) AS m, median(salary) AS d FROM people", "salary|salary"),
    ] {
        assert_eq!(
            value_source_columns(Dialect::Duckdb, sql).map(|found| found.join("|")).as_deref(),
            Some(expected),
            "{sql}"
        );
    }
}

/// Returns whether the first column of a result reveals `email` or `salary`; `None` if only the whole result is known.
fn reveals(dialect: Dialect, sql: &str) -> Option<bool> {
    let found = value_source_columns(dialect, sql)?;
    Some(found[0].split(',').any(|column| ["email", "salary"].contains(&column)))
}

#[test]
fn a_value_that_a_condition_compares_reveals_the_other() {
    for sql in [
        "SELECT n.i FROM people AS p JOIN range(9) AS n(i) ON n.i = p.salary",
        "SELECT n.i FROM people AS p, range(9) AS n(i) WHERE p.salary - n.i = 0 AND p.id = 1",
        "SELECT v.label FROM people AS p JOIN (VALUES ('a', 'first')) AS v(k, label) ON v.k = left(p.email, 1)",
        "SELECT o.total FROM orders AS o JOIN people AS p ON o.total = p.salary",
        "SELECT n.i FROM people AS p, range(9) AS n(i) WHERE (p.id, n.i) IN (SELECT id, salary FROM people)",
        "SELECT n.i FROM range(9) AS n(i) WHERE EXISTS (SELECT 1 FROM people AS p WHERE p.salary = n.i)",
        "SELECT count(*) FROM people AS p JOIN range(9) AS n(i) ON n.i <= p.salary GROUP BY p.id",
        "SELECT count(*) FROM people AS p, range(p.salary) AS n(i) GROUP BY p.id",
        "SELECT x.c FROM (SELECT p.id, count(*) AS c FROM people AS p, range(p.salary) GROUP BY p.id) AS x",
        "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT i FROM r, people WHERE salary = i",
    ] {
        assert_eq!(reveals(Dialect::Duckdb, sql), Some(true), "{sql}");
    }
    for sql in [
        "SELECT region FROM people WHERE salary > 9 AND email LIKE 'a%'",
        "SELECT o.id FROM orders AS o JOIN people AS p ON o.person_id = p.id AND p.email = 'a'",
        "SELECT o.person_id FROM orders AS o WHERE o.person_id IN (SELECT id FROM people WHERE email = 'a')",
        "SELECT p.region FROM people AS p WHERE (p.region, p.salary) IN (SELECT region, max(salary) FROM people GROUP BY 1)",
        "SELECT count(*) FROM people AS p JOIN orders AS o ON o.person_id = p.id WHERE p.salary > 9",
        "SELECT n.i FROM range(9) AS n(i) LEFT JOIN orders AS o ON o.total = n.i",
        "SELECT count(*) FROM range(9) AS n(i) LEFT JOIN orders AS o ON o.total = n.i GROUP BY n.i",
    ] {
        assert_eq!(reveals(Dialect::Duckdb, sql), Some(false), "{sql}");
    }
}

#[test]
fn an_empty_computed_value_and_a_computed_key_reveal_something() {
    for sql in [
        "SELECT x IS NULL FROM (SELECT nullif(email, 'a') AS x FROM people) AS t",
        "SELECT count(x) FROM (SELECT nullif(email, 'a') AS x FROM people) AS t",
        "SELECT rank() OVER (ORDER BY email = 'a') FROM people",
        "SELECT count(*) OVER w FROM people WINDOW w AS (PARTITION BY left(email, 1))",
        "SELECT first(id ORDER BY email = 'a') FROM people",
    ] {
        assert_eq!(reveals(Dialect::Duckdb, sql), Some(true), "{sql}");
    }
    for sql in [
        "SELECT x IS NULL FROM (SELECT email AS x FROM people) AS t",
        "SELECT row_number() OVER (ORDER BY salary DESC) FROM people",
        "SELECT first(id ORDER BY email) FROM people",
    ] {
        assert_eq!(reveals(Dialect::Duckdb, sql), Some(false), "{sql}");
    }
    let computed = |sql: &str| {
        let sql = ReadOnlySql::parse(sql, Dialect::Duckdb).unwrap();
        value_sources(&sql, &build_catalog(Dialect::Duckdb), &|_, _| true).outputs.unwrap()[0].computed
    };
    assert!(computed("SELECT CASE WHEN email = 'a' THEN 1 END FROM people"));
    assert!(!computed("SELECT t.e FROM (SELECT lower(email) AS e FROM people) AS t"));
}

#[test]
fn a_column_is_followed_where_its_place_or_name_is_not_certain() {
    for (dialect, sql) in [
        (Dialect::Duckdb, "SELECT x FROM (SELECT 'a' AS x UNION ALL SELECT COLUMNS('email') FROM people) AS t"),
        (Dialect::Duckdb, "SELECT a FROM (SELECT COLUMNS('e.*'), region FROM people) AS t(a, b)"),
        (Dialect::Duckdb, "SELECT d FROM people UNPIVOT (v FOR n IN (email, region)) AS u(a, b, c, d)"),
        (Dialect::Duckdb, "SELECT \"('x' || email)\" FROM (SELECT 'x' || email FROM people)"),
        (Dialect::Postgres, "SELECT X FROM (SELECT email AS x, region AS \"X\" FROM people) AS t"),
        (Dialect::Postgres, "SELECT d FROM (people JOIN orders USING (id)) AS t(a, b, c, d)"),
        (
            Dialect::Postgres,
            "SELECT r FROM orders FULL JOIN (SELECT id AS total, email AS r FROM people) AS p USING (total)",
        ),
    ] {
        assert_eq!(reveals(dialect, sql), Some(true), "{sql}");
    }
    for (dialect, sql) in [
        (
            Dialect::Postgres,
            "WITH RECURSIVE a AS (SELECT id FROM orders), orders AS (SELECT email AS id FROM people) SELECT id FROM a",
        ),
        (Dialect::Postgres, "WITH t AS (SELECT email AS x FROM people), \"T\" AS (SELECT 1 AS x) SELECT x FROM t"),
    ] {
        assert_eq!(value_source_columns(dialect, sql), None, "{sql}");
    }
    let star = "SELECT * FROM people JOIN (SELECT region, 1 AS n FROM people) AS r USING (region)";
    assert_eq!(value_source_columns(Dialect::Postgres, star).unwrap(), ["region", "id", "email", "salary", ""]);
    assert_eq!(value_source_columns(Dialect::Duckdb, star).unwrap(), ["id", "email", "salary", "region", ""]);
}

#[test]
fn a_name_that_the_engine_may_give_fits_its_output() {
    let output = |name: &str| OutputSources { name: Some(name.to_owned()), ..OutputSources::default() };
    assert!(output("Region").may_be_called("region") && output("id").may_be_called("o.id"));
    assert!(OutputSources::default().may_be_called("anything"));
    let long = "a".repeat(70);
    assert!(output(&long).may_be_called(&long[..63]) && !output(&long).may_be_called("a"));
    assert!(!output("email").may_be_called("id"));
}
