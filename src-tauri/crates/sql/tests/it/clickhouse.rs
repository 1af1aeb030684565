//! ClickHouse: read-only queries are accepted, everything else is rejected, and names resolve as in ClickHouse.

use crate::fixtures::catalog;
use vitrine_domain::Dialect;
use vitrine_sql::{AllowedFunctions, ReadOnlySql, SqlRejection, quote_identifier, repair_names, text_value};

fn parse(sql: &str) -> Result<ReadOnlySql, SqlRejection> {
    ReadOnlySql::parse(sql, Dialect::Clickhouse)
}

#[test]
fn aggregates_take_endings_and_nothing_else_does() {
    for sql in [
        "SELECT sumIf(a, b), uniqExactOrNullIf(a, b), quantileIf(0.5)(a, b), groupArrayDistinct(a), countIf(a) FROM t",
        "SELECT argMaxIf(a, b, c), sumMapMerge(a), avgState(b), maxArray(c) FROM t",
    ] {
        assert!(parse(sql).is_ok(), "{sql}: {:?}", parse(sql));
    }
    for name in ["sleepIf", "fileIf", "urlOrNull", "lowerIf", "sumIfs", "dictGetOrNull", "joinGetOrNull"] {
        let sql = format!("SELECT {name}(a) FROM t");
        assert!(matches!(parse(&sql), Err(SqlRejection::Function { .. })), "{sql}: {:?}", parse(&sql));
    }
    for name in ["url", "S3", "file", "remote", "executable", "mysql", "sleep"] {
        assert!(matches!(AllowedFunctions::new([name]), Err(SqlRejection::NeverAllowed { .. })), "{name}");
    }
    assert!(AllowedFunctions::new(["dictGet"]).is_ok(), "a dictionary is the owner's word for what may be read");
}

#[test]
fn a_setting_is_refused_wherever_it_stands() {
    for sql in [
        "SELECT 1 SETTINGS readonly = 0",
        "SELECT * FROM (SELECT 1 SETTINGS max_threads = 1) AS t",
        "WITH x AS (SELECT 1 SETTINGS readonly = 0) SELECT * FROM x",
        "SELECT a FROM t WHERE a IN (SELECT 1 SETTINGS readonly = 0)",
        "SELECT (SELECT 1 SETTINGS readonly = 0)",
        "SELECT 1 UNION ALL SELECT 2 SETTINGS readonly = 0",
        "SELECT 1 FORMAT CSV",
        "SET readonly = 0",
    ] {
        assert!(parse(sql).is_err(), "{sql}");
    }
}

#[test]
fn what_its_lexer_reads_in_another_way_is_refused() {
    for sql in [
        "SELECT 1 # ; DROP TABLE t",
        "SELECT 1 // ; DROP TABLE t\n, 2",
        "SELECT `a\\`; DROP TABLE t; --`",
        "SELECT \"a\\\" FROM t; DROP TABLE t; --\"",
        "SELECT $$a$$",
        "SELECT {a:String}",
        "SELECT 1\u{a0}",
        "SELECT ‘a’",
        "SELECT 0b101",
    ] {
        assert!(parse(sql).is_err(), "{sql}");
    }
    for sql in ["SELECT 'a\\'; DROP TABLE t; --'", "SELECT 'it''s', 'a\\\\'", "SELECT 6 / 2 -- half"] {
        assert!(parse(sql).is_ok(), "{sql}: {:?}", parse(sql));
    }
    assert_eq!(quote_identifier("a`b", Dialect::Clickhouse), "`a``b`");
    assert_eq!(text_value("a\\b", Dialect::Clickhouse).to_string(), "'a\\\\b'");
}

#[test]
fn a_name_behind_in_would_be_a_table_that_nobody_looked_at() {
    for sql in [
        "SELECT 1 IN system.users",
        "SELECT 1 IN (system.users)",
        "SELECT a FROM t WHERE a NOT IN ((u))",
        "SELECT a FROM t WHERE a IN u",
    ] {
        assert!(matches!(parse(sql), Err(SqlRejection::Unclear { .. })), "{sql}: {:?}", parse(sql));
    }
    for sql in [
        "SELECT a FROM t WHERE a IN (b, c)",
        "SELECT a FROM t WHERE a IN (1)",
        "SELECT a FROM t WHERE a IN (SELECT b FROM u)",
    ] {
        assert!(parse(sql).is_ok(), "{sql}: {:?}", parse(sql));
    }
}

#[test]
fn its_own_database_is_read_only_where_it_says_nothing_of_people() {
    for table in [
        "system.users",
        "system.QUERY_LOG",
        "SYSTEM.processes",
        "`system`.`settings`",
        "information_schema.user_privileges",
    ] {
        let sql = format!("SELECT * FROM {table}");
        assert!(matches!(parse(&sql), Err(SqlRejection::Secrets { .. })), "{sql}: {:?}", parse(&sql));
    }
    for table in ["system.one", "system.columns", "information_schema.tables"] {
        assert!(parse(&format!("SELECT * FROM {table}")).is_ok(), "{table}");
    }
}

/// Returns a text with its white space normalized.
fn words(sql: &str) -> String {
    sql.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn names_are_written_in_their_own_letters() {
    let shop = catalog(Dialect::Clickhouse, "CREATE TABLE `Orders` (`CustomerId` Int64, total Float64)");
    let repaired = |sql: &str| repair_names(&parse(sql).unwrap(), &shop).map(|repaired| words(repaired.sql.as_str()));
    assert_eq!(
        repaired("SELECT customerid, SUM(total) FROM orders GROUP BY customerid").as_deref(),
        Some("SELECT CustomerId, SUM(total) FROM Orders AS orders GROUP BY CustomerId")
    );
    assert_eq!(repaired("SELECT CustomerId FROM Orders"), None);
}

#[test]
fn a_list_is_joined_by_its_name() {
    let mut c = catalog(Dialect::Clickhouse, "CREATE TABLE orders (id Int32)");
    let list = |name: &str, data_type: &str| vitrine_domain::Column {
        name: name.into(),
        data_type: data_type.into(),
        nullable: false,
        comment: None,
    };
    c.tables[0].columns.extend([list("items", "Array(Tuple(sku String, qty UInt32))"), list("tags", "Array(String)")]);
    let problems = |sql: &str| vitrine_sql::bind_names(&parse(sql).unwrap(), &c).problems;
    for sql in [
        "SELECT i.sku, sum(i.qty) FROM orders ARRAY JOIN items AS i GROUP BY i.sku",
        "SELECT o.id, i.qty FROM orders AS o LEFT ARRAY JOIN o.items AS i",
        "SELECT id, tag FROM orders ARRAY JOIN tags AS tag WHERE tag = 'web'",
        "SELECT id, tags FROM orders ARRAY JOIN tags",
        "SELECT i.sku, tag FROM orders ARRAY JOIN items AS i, tags AS tag",
    ] {
        assert_eq!(problems(sql), [], "{sql}");
    }
    assert_eq!(problems("SELECT id FROM orders ARRAY JOIN lines AS i").len(), 1);
    assert_eq!(problems("SELECT id FROM orders JOIN items AS i ON i.id = orders.ids").len(), 1);
}

#[test]
fn a_member_of_a_tuple_is_read_by_its_place_and_what_looks_like_one_is_not() {
    let written = |sql: &str| {
        parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}")).written_out().map(|sql| words(sql.as_str()))
    };
    for sql in [
        "SELECT place.1, t.place.2 FROM t",
        "SELECT arrayMap(i -> i.1, items) FROM t",
        "SELECT items[1].2, tuple(1, 2).1 FROM t",
        "SELECT a.1.2 FROM t WHERE b > .5 AND c < 1.5",
    ] {
        assert_eq!(written(sql).as_deref(), Some(sql));
    }
    for sql in [
        "SELECT file('a').1",
        "SELECT (SELECT * FROM file('a')).1",
        "SELECT url.1 FROM url('http://a')",
        "SELECT a.1; DROP TABLE t",
        "SELECT a.1e5 FROM t",
        "SELECT a.1x FROM t",
    ] {
        assert!(parse(sql).is_err(), "{sql}: {:?}", parse(sql));
    }
}

#[test]
fn a_list_that_is_joined_may_be_computed_and_read_nothing_else() {
    for sql in [
        "SELECT tag, n FROM t ARRAY JOIN tags AS tag, arrayEnumerate(tags) AS n",
        "SELECT x FROM t LEFT ARRAY JOIN arrayMap(i -> i + 1, numbers) AS x",
    ] {
        assert!(parse(sql).is_ok(), "{sql}: {:?}", parse(sql));
    }
    for sql in [
        "SELECT x FROM t ARRAY JOIN file('a') AS x",
        "SELECT x FROM t ARRAY JOIN tags AS tag, url('http://a') AS x",
        "SELECT x FROM t ARRAY JOIN arrayMap(i -> getSetting(i), tags) AS x",
        "SELECT x FROM arrayEnumerate(tags) AS x ARRAY JOIN tags",
        "SELECT x FROM t, arrayEnumerate(tags) AS x",
        "SELECT x FROM t JOIN arrayEnumerate(tags) AS x ON true",
    ] {
        assert!(parse(sql).is_err(), "{sql}: {:?}", parse(sql));
    }
}

#[test]
fn a_join_with_its_number_of_partners_runs_as_it_is_written() {
    for sql in [
        "SELECT o.id FROM orders AS o ANY LEFT JOIN customers AS c ON o.c = c.id",
        "SELECT o.id FROM orders AS o LEFT ANY JOIN customers AS c ON o.c = c.id",
        "SELECT o.id FROM orders AS o ASOF JOIN prices AS p ON o.id = p.id AND o.at >= p.since",
        "SELECT o.id FROM orders AS o ALL INNER JOIN customers AS c USING (id)",
    ] {
        let read = parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        assert_eq!((read.as_str(), read.written_out()), (sql, None));
    }
    // In ClickHouse these are names, or keywords of other syntax.
    for sql in [
        "SELECT any.id FROM orders AS any JOIN customers AS c ON any.c = c.id",
        "SELECT a FROM t UNION ALL SELECT b FROM u",
        "SELECT any(a), left(b, 2) FROM t",
    ] {
        assert!(parse(sql).unwrap().written_out().is_some(), "{sql}");
    }
    for sql in [
        "SELECT o.id FROM orders AS o ANY LEFT JOIN system.users AS u ON true",
        "SELECT o.id FROM orders AS o ASOF JOIN file('a') AS f ON true",
        "ANY LEFT JOIN t",
    ] {
        assert!(parse(sql).is_err(), "{sql}");
    }
}
