//! Databricks: text that its lexer reads differently is rejected; accepted text is sent in the spelling that all
//! versions read the same.

use crate::fixtures::catalog;
use vitrine_domain::{Catalog, Dialect};
use vitrine_sql::{
    AllowedFunctions, ReadOnlySql, SqlRejection, bind_names, quote_identifier, text_value, with_escaped_quotes,
};

fn parse(sql: &str) -> Result<ReadOnlySql, SqlRejection> {
    ReadOnlySql::parse(sql, Dialect::Databricks)
}

#[test]
fn what_its_lexer_reads_in_another_way_is_refused() {
    for sql in [
        "SELECT '${env:HOME}'",
        "SELECT r'a'",
        "SELECT R\"a\"",
        "SELECT 'a' 'b'",
        "SELECT 'a' /* x */ \"b\"",
        "SELECT 1 -- x\\\n, 2",
        "SELECT /*+ BROADCAST(t) */ 1",
        "SELECT 1 /* a /* b */ */",
        "SELECT `a\\` FROM t",
        "SELECT 1\u{a0}",
        "SELECT $$a$$",
    ] {
        assert!(parse(sql).is_err(), "{sql}");
    }
    for sql in ["SELECT 'a\\'; DROP TABLE t; --'", "SELECT 'it''s', \"a\", 'a\\\\'", "SELECT 6 / 2 -- half"] {
        assert!(parse(sql).is_ok(), "{sql}: {:?}", parse(sql));
    }
    assert_eq!(quote_identifier("a`b", Dialect::Databricks), "`a``b`");
    assert_eq!(text_value("a\\b", Dialect::Databricks).to_string(), "'a\\\\b'");
}

#[test]
fn functions_that_reach_out_are_never_allowed() {
    for name in
        ["java_method", "REFLECT", "try_reflect", "ai_query", "http_request", "read_files", "secret", "identifier"]
    {
        assert!(parse(&format!("SELECT {name}('a')")).is_err(), "{name}");
        assert!(matches!(AllowedFunctions::new([name]), Err(SqlRejection::NeverAllowed { .. })), "{name}");
    }
    for sql in [
        "SELECT * FROM csv.`a`",
        "SELECT * FROM `delta`.`a`",
        "SELECT * FROM `/a`",
        "SELECT * FROM a.b.`c:d`",
        "SELECT * FROM STREAM read_files('a')",
    ] {
        assert!(matches!(parse(sql), Err(SqlRejection::File { .. })), "{sql}: {:?}", parse(sql));
    }
    assert!(parse("SELECT * FROM main.csv.sales").is_ok(), "a schema may have that name");
}

#[test]
fn quotes_in_texts_are_escaped_and_nothing_else_is_touched() {
    for (sql, sent) in [
        ("SELECT 'it''s'", "SELECT 'it\\'s'"),
        ("SELECT ''", "SELECT ''"),
        ("SELECT '', 'a'", "SELECT '', 'a'"),
        ("SELECT '''a'''", "SELECT '\\'a\\''"),
        ("SELECT 'it\\'s', 'a\\\\', 'b'", "SELECT 'it\\'s', 'a\\\\', 'b'"),
        ("SELECT \"a\"\"b\", \"it''s\"", "SELECT \"a\\\"b\", \"it''s\""),
        ("SELECT `a``b`, 'c'", "SELECT `a``b`, 'c'"),
        ("SELECT 1 -- it''s 'x\n, 'a''b'", "SELECT 1 -- it''s 'x\n, 'a\\'b'"),
        ("SELECT /* it''s ** */ 'a''b', 1 -- \n\n", "SELECT /* it''s ** */ 'a\\'b', 1 -- \n\n"),
    ] {
        assert_eq!(with_escaped_quotes(sql), sent);
        assert_eq!(with_escaped_quotes(sent), sent);
    }
}

/// A catalog with orders that have a list of items and a list of texts, in the schema `shop` of the catalog `main`.
fn orders() -> Catalog {
    let tables =
        "CREATE TABLE orders (id INT, items ARRAY<STRUCT<product_id: INT, quantity: INT>>, tags ARRAY<STRING>);
        CREATE TABLE products (product_id INT, category STRING);";
    Catalog { search_path: vec!["shop".into(), "main".into()], ..catalog(Dialect::Databricks, tables) }
}

fn problems(sql: &str) -> Vec<String> {
    let proven = parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    bind_names(&proven, &orders()).problems.iter().map(ToString::to_string).collect()
}

#[test]
fn every_form_of_taking_a_list_apart_is_read() {
    for sql in [
        "SELECT sum(e.item.quantity) FROM orders AS o, LATERAL explode(o.items) AS e(item)",
        "SELECT sum(item.quantity) FROM (SELECT explode(items) AS item FROM orders) AS e",
        "WITH s AS (SELECT id, explode(items) AS item FROM orders) SELECT s.id, s.item.quantity FROM s",
        "SELECT sum(quantity) FROM (SELECT inline(items) FROM orders) AS e",
        "SELECT e.pos, e.col FROM (SELECT id, posexplode(tags) FROM orders) AS e",
        "SELECT sum(item.quantity) FROM orders LATERAL VIEW explode(items) e AS item",
        "SELECT o.id, e.pos, tag FROM orders o LATERAL VIEW OUTER posexplode(o.tags) e AS pos, tag WHERE tag <> 'a'",
        "SELECT p.category, sum(item.quantity) FROM orders o LATERAL VIEW explode(o.items) e AS item JOIN products p ON p.product_id = item.product_id GROUP BY p.category",
    ] {
        match parse(sql) {
            // Spark itself accepts no join after a lateral view.
            Err(SqlRejection::Syntax { .. }) if sql.contains("item JOIN") => {}
            _ => assert_eq!(problems(sql), Vec::<String>::new(), "{sql}"),
        }
    }
    let wrong = problems("SELECT item.quantity FROM orders LATERAL VIEW explode(itmes) e AS item");
    assert!(wrong.iter().any(|problem| problem.contains("itmes")), "{wrong:?}");
    for sql in [
        "SELECT x FROM orders LATERAL VIEW java_method('a', 'b') e AS x",
        "SELECT x FROM orders LATERAL VIEW explode(array(reflect('a', 'b'))) e AS x",
        "SELECT x FROM orders LATERAL VIEW read_files('/a') e AS x",
        "SELECT x FROM orders LATERAL VIEW explode(tags) e AS x LATERAL VIEW (SELECT 1) f AS y",
    ] {
        assert!(parse(sql).is_err(), "{sql}");
    }
}

#[test]
fn numbers_have_their_types_behind_them() {
    for sql in [
        "SELECT aggregate(items, 0D, (a, i) -> a + i.quantity) FROM orders",
        "SELECT 1.5BD, 2S, 3L, 1e3D, .5F, 7Y, 0.0d FROM orders",
    ] {
        assert_eq!(problems(sql), Vec::<String>::new(), "{sql}");
    }
    let name = problems("SELECT 1st, 2Da FROM orders");
    assert_eq!(name.len(), 2, "a name that begins with a digit is a name: {name:?}");
}

#[test]
fn a_table_is_found_with_its_catalog_in_front() {
    for sql in [
        "SELECT o.id FROM main.shop.orders AS o",
        "SELECT id FROM `main`.`shop`.`orders`",
        "SELECT id FROM shop.orders",
    ] {
        assert_eq!(problems(sql), Vec::<String>::new(), "{sql}");
    }
    for sql in ["SELECT id FROM other.shop.orders", "SELECT id FROM main.other.orders"] {
        assert!(!problems(sql).is_empty(), "{sql}");
    }
    let tables = "CREATE TABLE orders (id INT64);";
    let bigquery =
        Catalog { search_path: vec!["shop".into(), "my-project".into()], ..catalog(Dialect::Bigquery, tables) };
    for (sql, found) in [
        ("SELECT id FROM `my-project.shop.orders`", true),
        ("SELECT o.id FROM `my-project`.shop.orders AS o", true),
        ("SELECT id FROM `your-project.shop.orders`", false),
    ] {
        let proven = ReadOnlySql::parse(sql, Dialect::Bigquery).unwrap();
        assert_eq!(bind_names(&proven, &bigquery).problems.is_empty(), found, "{sql}");
    }
}

#[test]
fn a_path_into_a_value_is_read_and_hides_nothing() {
    for sql in [
        "SELECT data:a.b::int, data:list[0].name FROM orders",
        "SELECT data:['a key'] FROM orders WHERE data:n::double > 3",
    ] {
        let read = parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        let written = read.written_out().unwrap_or_else(|| panic!("{sql}"));
        assert_eq!(written.as_str().to_lowercase(), sql.to_lowercase());
    }
    let lateral = parse("SELECT id, item FROM orders LATERAL VIEW OUTER explode(items) t AS item").unwrap();
    let written = lateral.written_out().map(|sql| sql.as_str().split_whitespace().collect::<Vec<_>>().join(" "));
    let join = "SELECT id, item FROM orders LEFT OUTER JOIN LATERAL explode(items) AS t (item) ON true";
    assert_eq!(written.as_deref(), Some(join));
    // In Databricks, double quotes delimit a string.
    let quoted = parse("SELECT data:`zip code`.`b` FROM orders").unwrap();
    assert!(quoted.written_out().is_none_or(|sql| !sql.as_str().contains('"')), "{quoted:?}");
    for sql in [
        "SELECT :name",
        "SELECT a FROM t WHERE b = :name",
        "SELECT java_method('a', 'b'):c",
        "SELECT data:[reflect('a', 'b')] FROM t",
        "SELECT data:a[ai_query('m', 'q')] FROM t",
        "SELECT data:a; DROP TABLE t",
        "SELECT * FROM csv:`/a`",
        "SELECT * FROM :t",
        "SELECT ${a}:b",
    ] {
        assert!(parse(sql).is_err(), "{sql}: {:?}", parse(sql));
    }
}

#[test]
fn words_that_look_like_functions_or_columns_are_words() {
    for sql in [
        "SELECT id FROM orders WHERE name LIKE ALL ('%n%', '%a%') AND name NOT ILIKE ALL ('x%')",
        "SELECT id FROM orders ORDER BY ALL",
    ] {
        assert!(parse(sql).is_ok(), "{sql}: {:?}", parse(sql));
    }
    assert_eq!(problems("SELECT id FROM orders ORDER BY ALL DESC"), Vec::<String>::new());
    assert_eq!(problems("SELECT id FROM orders ORDER BY `all`").len(), 1);
    for sql in [
        "SELECT id FROM orders WHERE all(name)",
        "SELECT id FROM orders WHERE name LIKE `all`('a')",
        "SELECT id FROM orders WHERE name LIKE s.all('a')",
        "SELECT id FROM orders WHERE name LIKE ALL (java_method('a', 'b'))",
    ] {
        assert!(parse(sql).is_err(), "{sql}: {:?}", parse(sql));
    }
}
