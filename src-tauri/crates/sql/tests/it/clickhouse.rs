//! ClickHouse: what reads is let through, and nothing else is; what a name means there.

use crate::fixtures::catalog;
use vitrine_domain::Dialect;
use vitrine_sql::{AllowedFunctions, ReadOnlySql, SqlRejection, quote, repair_names, text_value};

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
    assert_eq!(quote("a`b", Dialect::Clickhouse), "`a``b`");
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

/// A text without its layout.
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
    let problems = |sql: &str| vitrine_sql::bind(&parse(sql).unwrap(), &c).problems;
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
