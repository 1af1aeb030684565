//! Extracting the query from a model's reply.

use crate::run::ask::Ask;
use vitrine_domain::Dialect;
use vitrine_sql::first_statement;

/// The query of a reply that may reason first: its last fenced block that is a query, else the longest tail of the text
/// that is one query, from a line that begins it (or contains it, `2. the answer: SELECT ...`), else the last block or
/// paragraph that looks like one, so that its error can be reported.
pub fn sql_of<'r>(ask: &Ask, reply: &'r str) -> &'r str {
    found(reply, ask.catalog.dialect, |text| ask.prove(text).is_ok())
}

fn found(reply: &str, dialect: Dialect, is_query: impl Fn(&str) -> bool) -> &str {
    let blocks = fenced(reply);
    if let Some(block) = blocks.iter().rev().find(|block| is_query(first_statement(block, dialect))) {
        return first_statement(block, dialect);
    }
    if let Some(block) = blocks.last() {
        return first_statement(block, dialect);
    }
    let text = reply.split("```").next().unwrap_or(reply);
    let starts = starts(text);
    let whole = starts.iter().map(|&at| text[at..].trim()).find(|rest| is_query(rest));
    let whole = whole.map(|rest| first_statement(rest, dialect));
    // Several queries in sequence: the last is the answer.
    let last = || starts.iter().map(|&at| first_statement(&text[at..], dialect)).rfind(|rest| is_query(rest));
    // Text after a query's closing semicolon is not part of it; neither is a paragraph of words.
    whole.or_else(last).unwrap_or_else(|| {
        let paragraph = text.rfind("\n\n").map_or(0, |at| at + 2);
        let at = starts.iter().find(|&&at| at >= paragraph).or(starts.first()).copied().unwrap_or(0);
        first_statement(&text[at..], dialect)
    })
}

/// Whether two texts are the same query except for white space and a closing semicolon.
pub fn same(one: &str, other: &str) -> bool {
    fn words(text: &str) -> impl Iterator<Item = &str> {
        text.trim().trim_end_matches(';').split_whitespace()
    }
    words(one).eq(words(other))
}

/// The contents of fences marked as SQL, and of unmarked ones that begin with a query.
fn fenced(reply: &str) -> Vec<&str> {
    let mut parts = reply.split("```");
    parts.next();
    let mut blocks = Vec::new();
    // Text outside and inside of fences alternates; the last fence may be unclosed.
    while let Some(block) = parts.next() {
        let (tag, body) = block.split_once('\n').unwrap_or(("", block));
        let tag = tag.trim();
        let body = if tag.is_empty() || tag.eq_ignore_ascii_case("sql") || tag.eq_ignore_ascii_case("sqlite") {
            body
        } else if begins(block) {
            block
        } else {
            ""
        };
        if !body.trim().is_empty() && (tag.to_ascii_lowercase().starts_with("sql") || begins(body) || begins(block)) {
            blocks.push(body.trim());
        }
        parts.next();
    }
    blocks
}

fn begins(text: &str) -> bool {
    let text = text.trim_start().trim_start_matches('(').trim_start();
    let word = text.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    ["select", "with", "values", "from"].iter().any(|known| word.eq_ignore_ascii_case(known)) || text.starts_with("--")
}

/// Offsets at which queries may begin: lines that begin one, and after `: ` within a line.
fn starts(text: &str) -> Vec<usize> {
    let (mut at, mut starts) = (0, Vec::new());
    for line in text.split_inclusive('\n') {
        let word = line.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        if word.eq_ignore_ascii_case("select") || word.eq_ignore_ascii_case("with") {
            starts.push(at);
        } else if let Some(place) = line.find(": SELECT ").or_else(|| line.find(": WITH ")) {
            starts.push(at + place + 2);
        }
        at += line.len();
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_sql::ReadOnlySql;

    fn of(reply: &str) -> &str {
        found(reply, Dialect::Sqlite, |text| ReadOnlySql::parse(text, Dialect::Sqlite).is_ok())
    }

    #[test]
    fn a_query_without_a_fence_is_whole() {
        for query in [
            "SELECT a FROM (\nSELECT b AS a FROM t\n) AS x",
            "SELECT a FROM t\nUNION\nSELECT b FROM u",
            "WITH x AS (\n  SELECT 1 AS a\n)\nSELECT a\nFROM x\nWHERE a IN (\nSELECT 1)",
            "SELECT 'Investigation complete; no suspect identified' AS note",
        ] {
            assert_eq!(of(query), query);
            assert_eq!(of(&format!("{query};\n")).trim_end_matches(';'), query);
            assert_eq!(of(&format!("Open: t, then look at u.\n{query}")), query, "after words");
            assert_eq!(of(&format!("Here it is:\n```sql\n{query}\n```\nIt takes all rows.")), query, "in a fence");
            assert_eq!(of(&format!("Here it is:\n```\n{query};\n```")), query, "in a fence without a name");
        }
    }

    #[test]
    fn the_last_query_is_the_answer() {
        let thought = "1. the ids: SELECT a FROM t\n```sql\nSELECT a FROM t\n```\nSo:\n```sql\nSELECT b FROM t\n```";
        assert_eq!(of(thought), "SELECT b FROM t");
        assert_eq!(of("Open: t\nSELECT a\nFROM t"), "SELECT a\nFROM t");
        assert_eq!(
            of("Deliver: a\n```sql\nWITH x AS (SELECT 1) SELECT * FROM x"),
            "WITH x AS (SELECT 1) SELECT * FROM x",
            "a fence that is not closed"
        );
        assert_eq!(of("1. the one: SELECT a FROM t\n2. of it: SELECT b FROM (SELECT 1)"), "SELECT b FROM (SELECT 1)");
        assert_eq!(of("SELECT 1;\nSELECT 2;"), "SELECT 2");
    }

    #[test]
    fn what_is_no_query_is_said_as_it_is() {
        assert_eq!(of("I cannot"), "I cannot");
        assert_eq!(of("SELECT 1\n```sql\n"), "SELECT 1");
        assert_eq!(of(""), "");
        assert_eq!(of("It is this.\n\nSELECT FROM WHERE\nSELECT"), "SELECT FROM WHERE\nSELECT");
    }
}
