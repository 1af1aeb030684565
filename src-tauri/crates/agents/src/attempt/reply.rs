//! Extracts the query from a model's reply.

use crate::attempt::quoting;
use crate::run::ask::Ask;
use vitrine_domain::Dialect;
use vitrine_llm::strip_reasoning;
use vitrine_sql::first_statement;

/// Returns the query of a reply that may reason first: its last fenced block; else the longest tail of the text that is one query, from a
/// line that begins it (or contains it, `2. the answer: SELECT ...`) up to the prose that follows; else the last block or paragraph that
/// looks like a query, so that its error can be reported. Queries within the model's thinking are ignored.
pub fn sql_of<'r>(ask: &Ask, reply: &'r str) -> &'r str {
    extract_query(strip_reasoning(reply), ask.data.catalog.dialect, |text| quoting::is_query(ask, text))
}

fn extract_query(reply: &str, dialect: Dialect, is_query: impl Fn(&str) -> bool) -> &str {
    let blocks = fenced_blocks(reply);
    // A complete query that cannot be parsed is returned, so that the model receives its error; earlier queries were drafts. A query that
    // was cut off is ignored.
    let counts = |block: &&Block<'_>| block.is_closed && begins_query(block.text);
    let last = blocks.iter().rev().find(|block| counts(block) || is_query(first_statement(block.text, dialect)));
    if let Some(block) = last.or(blocks.last()) {
        return first_statement(block.text, dialect);
    }
    let text = reply.split("```").next().unwrap_or(reply);
    let starts = find_query_starts(text);
    let whole = starts.iter().flat_map(|&at| list_query_ends(&text[at..])).map(str::trim).find(|rest| is_query(rest));
    let whole = whole.map(|rest| first_statement(rest, dialect));
    // Of several consecutive queries, the last is the answer.
    let last = || starts.iter().map(|&at| first_statement(&text[at..], dialect)).rfind(|rest| is_query(rest));
    // Text after a query's closing semicolon is not part of it; neither is a paragraph of prose.
    whole.or_else(last).unwrap_or_else(|| {
        let paragraph = text.rfind("\n\n").map_or(0, |at| at + 2);
        let at = starts.iter().find(|&&at| at >= paragraph).or(starts.first()).copied().unwrap_or(0);
        first_statement(&text[at..], dialect)
    })
}

/// Returns true if two texts are the same query except for white space and a closing semicolon.
pub fn is_same_query_text(one: &str, other: &str) -> bool {
    fn query_words(text: &str) -> impl Iterator<Item = &str> {
        text.trim().trim_end_matches(';').split_whitespace()
    }
    query_words(one).eq(query_words(other))
}

/// Returns true if a reply has a fenced query outside of the model's thinking.
pub fn has_fenced(reply: &str) -> bool {
    !fenced_blocks(strip_reasoning(reply)).is_empty()
}

/// Content of a fenced block.
struct Block<'r> {
    text: &'r str,
    is_closed: bool,
}

/// Returns the contents of fences that are marked as SQL or begin with a query.
fn fenced_blocks(reply: &str) -> Vec<Block<'_>> {
    let mut parts = reply.split("```");
    parts.next();
    let mut blocks = Vec::new();
    // Text outside and inside of fences alternates; the last fence may be unclosed.
    while let Some(block) = parts.next() {
        let is_closed = parts.next().is_some();
        let (tag, body) = block.split_once('\n').unwrap_or(("", block));
        // A tag names the language or the dialect; a first line that begins the query is not a tag.
        let is_tag = !begins_query(tag) && tag.trim().chars().all(|c| c.is_alphanumeric() || "-+_".contains(c));
        let text = if is_tag { body } else { block };
        let is_sql = is_tag && tag.trim().to_ascii_lowercase().starts_with("sql");
        if !text.trim().is_empty() && (is_sql || begins_query(text)) {
            blocks.push(Block { text: text.trim(), is_closed });
        }
    }
    blocks
}

/// Returns the text, and the text without one or more paragraphs of prose at its end, longest first. A paragraph that may continue a query
/// is kept, because a query without its last condition would also run.
fn list_query_ends(text: &str) -> Vec<&str> {
    let mut ends = vec![text];
    let mut rest = text;
    while let Some((before, last)) = rest.trim_end().rsplit_once("\n\n") {
        if !is_prose(last) {
            break;
        }
        ends.push(before);
        rest = before;
    }
    ends
}

/// Words that continue a query.
const CLAUSES: [&str; 28] = [
    "select",
    "with",
    "from",
    "where",
    "group",
    "having",
    "order",
    "limit",
    "offset",
    "fetch",
    "union",
    "intersect",
    "except",
    "join",
    "left",
    "right",
    "inner",
    "outer",
    "cross",
    "full",
    "natural",
    "on",
    "using",
    "and",
    "or",
    "window",
    "qualify",
    "as",
];

/// Returns true if a paragraph is prose in any language: it begins with a letter or a list marker, but not with a clause.
fn is_prose(paragraph: &str) -> bool {
    let text = paragraph.trim_start().trim_start_matches(['*', '#', '>', ' ']);
    let word: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let follows = text[word.len()..].chars().next();
    !word.is_empty()
        && !CLAUSES.contains(&word.to_lowercase().as_str())
        && !matches!(follows, Some('(' | '.' | '=' | '<' | '>'))
}

fn begins_query(text: &str) -> bool {
    let text = text.trim_start().trim_start_matches('(').trim_start();
    let word = text.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    ["select", "with", "values", "from"].iter().any(|known| word.eq_ignore_ascii_case(known)) || text.starts_with("--")
}

/// Returns offsets at which queries may begin: lines that begin one, and after `: ` within a line.
fn find_query_starts(text: &str) -> Vec<usize> {
    let (mut at, mut starts) = (0, Vec::new());
    for line in text.split_inclusive('\n') {
        let word = line.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        if word.eq_ignore_ascii_case("select") || word.eq_ignore_ascii_case("with") {
            starts.push(at);
        } else if let Some(place) = find_inline_query(line) {
            starts.push(at + place);
        }
        at += line.len();
    }
    starts
}

/// Returns the offset of a query after a colon within a line.
fn find_inline_query(line: &str) -> Option<usize> {
    let upper = line.to_ascii_uppercase();
    [": SELECT ", ": WITH "].iter().find_map(|start| upper.find(start)).map(|place| place + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_sql::ReadOnlySql;

    fn extract_from(reply: &str) -> &str {
        extract_query(strip_reasoning(reply), Dialect::Sqlite, |text| ReadOnlySql::parse(text, Dialect::Sqlite).is_ok())
    }

    #[test]
    fn a_query_without_a_fence_is_whole() {
        for query in [
            "SELECT a FROM (\nSELECT b AS a FROM t\n) AS x",
            "SELECT a FROM t\nUNION\nSELECT b FROM u",
            "WITH x AS (\n  SELECT 1 AS a\n)\nSELECT a\nFROM x\nWHERE a IN (\nSELECT 1)",
            "SELECT 'Investigation complete; no suspect identified' AS note",
        ] {
            assert_eq!(extract_from(query), query);
            assert_eq!(extract_from(&format!("{query};\n")).trim_end_matches(';'), query);
            assert_eq!(extract_from(&format!("Open: t, then look at u.\n{query}")), query, "after words");
            assert_eq!(
                extract_from(&format!("Here it is:\n```sql\n{query}\n```\nIt takes all rows.")),
                query,
                "in a fence"
            );
            assert_eq!(extract_from(&format!("Here it is:\n```\n{query};\n```")), query, "in a fence without a name");
        }
    }

    #[test]
    fn the_last_query_is_the_answer() {
        let thought = "1. the ids: SELECT a FROM t\n```sql\nSELECT a FROM t\n```\nSo:\n```sql\nSELECT b FROM t\n```";
        assert_eq!(extract_from(thought), "SELECT b FROM t");
        assert_eq!(extract_from("Open: t\nSELECT a\nFROM t"), "SELECT a\nFROM t");
        assert_eq!(
            extract_from("Deliver: a\n```sql\nWITH x AS (SELECT 1) SELECT * FROM x"),
            "WITH x AS (SELECT 1) SELECT * FROM x",
            "a fence that is not closed"
        );
        assert_eq!(
            extract_from("1. the one: SELECT a FROM t\n2. of it: SELECT b FROM (SELECT 1)"),
            "SELECT b FROM (SELECT 1)"
        );
        assert_eq!(extract_from("SELECT 1;\nSELECT 2;"), "SELECT 2");
    }

    #[test]
    fn what_is_no_query_is_said_as_it_is() {
        assert_eq!(extract_from("I cannot"), "I cannot");
        assert_eq!(extract_from("SELECT 1\n```sql\n"), "SELECT 1");
        assert_eq!(extract_from(""), "");
        assert_eq!(extract_from("It is this.\n\nSELECT FROM WHERE\nSELECT"), "SELECT FROM WHERE\nSELECT");
    }

    #[test]
    fn thinking_is_never_the_answer() {
        let draft = "<think>\nPerhaps ```sql\nSELECT a FROM t\n``` or so";
        assert_eq!(extract_from(&format!("{draft}</think>\n```sql\nSELECT b FROM t\n```")), "SELECT b FROM t");
        assert_eq!(extract_from(&format!("{draft}</think>\nSELECT b FROM t")), "SELECT b FROM t");
        assert_eq!(extract_from(draft), "", "it was cut off while it thought");
        assert_eq!(extract_from(&format!("{draft}</think>")), "");
        assert_eq!(
            extract_from("so it is t.</think>SELECT b FROM t"),
            "SELECT b FROM t",
            "the server began the thinking"
        );
        assert_eq!(
            extract_from("<thinking>SELECT a FROM t</thinking>\nSELECT b FROM t\n<think>SELECT"),
            "SELECT b FROM t"
        );
    }

    #[test]
    fn a_query_in_the_middle_is_read_whole() {
        let query = "SELECT a\nFROM t\n\nWHERE b = 1";
        for (before, after) in [
            ("First the ids.\n\n", "\n\nThis gives one row per id."),
            ("Zuerst die Zeilen:\n", "\n\nDas ergibt eine Zeile je Nummer.\n\nSonst nichts."),
            ("The answer: ", "\n\n* It reads t alone."),
            ("```text\nt(a, b)\n```\nSo\n```postgresql\n", "\n```\nwhich gives\n```\n1\n2\n```\n"),
            ("```sql\nSELECT x FROM t\n```\nBetter:\n```SQL\n", "\n```"),
        ] {
            assert_eq!(extract_from(&format!("{before}{query}{after}")), query, "{before}{after}");
        }
        // A clause that continues the query belongs to it, so the model receives its error.
        let broken = "SELECT a FROM t\n\nWHERE b = = 1";
        assert_eq!(extract_from(broken), broken);
        assert_eq!(extract_from(&format!("```sql\nSELECT a FROM t\n```\nno:\n```sql\n{broken}\n```")), broken);
        let cut = "```sql\nSELECT a FROM t\n```\nno:\n```sql\nSELECT a FROM t WHERE (";
        assert_eq!(extract_from(cut), "SELECT a FROM t", "a query that was cut off is none");
    }

    /// Parts of replies that the test combines in any order.
    const PARTS: [&str; 24] = [
        "```sql\n",
        "```",
        "```\n",
        "``",
        "\n\n",
        "\n",
        " ",
        "<think>",
        "</think>",
        "SELECT 1",
        "SELECT a FROM t;",
        "WITH x AS (SELECT 1 AS a) SELECT a FROM x",
        "DELETE FROM t",
        "; DROP TABLE t",
        "INSERT INTO t VALUES (1)",
        "-- a comment",
        "/*",
        "*/",
        "'",
        "The answer is: ",
        "{\"sql\": \"SELECT 1\"}",
        "é🗼",
        "(",
        "FROM",
    ];

    proptest::proptest! {
        #[test]
        fn no_reply_makes_it_fail_and_what_it_finds_stands_there(
            parts in proptest::collection::vec(proptest::sample::select(PARTS.to_vec()), 0..16)
        ) {
            let reply = parts.concat();
            let query = extract_from(&reply);
            proptest::prop_assert!(reply.contains(query));
            // A query within the model's thinking is not an answer.
            if let Some((_, rest)) = reply.rsplit_once("</think>") {
                proptest::prop_assert!(rest.contains(query), "{reply}: {query}");
            }
        }
    }
}
