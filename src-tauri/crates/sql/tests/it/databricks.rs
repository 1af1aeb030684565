//! Databricks: what its lexer reads in another way is refused; texts are sent in the one spelling that all versions read alike.

use vitrine_domain::Dialect;
use vitrine_sql::{AllowedFunctions, ReadOnlySql, SqlRejection, quote, text_value, with_escaped_quotes};

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
        "SELECT a:b FROM t",
        "SELECT `a\\` FROM t",
        "SELECT 1\u{a0}",
        "SELECT $$a$$",
    ] {
        assert!(parse(sql).is_err(), "{sql}");
    }
    for sql in ["SELECT 'a\\'; DROP TABLE t; --'", "SELECT 'it''s', \"a\", 'a\\\\'", "SELECT 6 / 2 -- half"] {
        assert!(parse(sql).is_ok(), "{sql}: {:?}", parse(sql));
    }
    assert_eq!(quote("a`b", Dialect::Databricks), "`a``b`");
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
