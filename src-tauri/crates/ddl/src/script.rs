//! Splits a script into statements without parsing them.

use vitrine_domain::Dialect;
use vitrine_sql::DialectExt;

/// Returns the statements of a script, without the data blocks and client commands of a PostgreSQL dump.
pub(super) fn split_statements(sql: &str, dialect: Dialect) -> Vec<&str> {
    let backslash = dialect.sql().has_backslash_escapes_in_scripts();
    let bytes = sql.as_bytes();
    let mut statements = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'\'' | b'"' | b'`') => {
                let escapes = backslash || (at > 0 && matches!(bytes[at - 1], b'e' | b'E') && quote == b'\'');
                at = after_quote(bytes, at, quote, escapes);
            }
            b'-' if bytes.get(at + 1) == Some(&b'-') => at = find_end_after(bytes, at, b"\n"),
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = find_end_after(bytes, at + 2, b"*/"),
            b'$' => at = after_dollars(bytes, at),
            b'\\' if sql[start..at].trim().is_empty() => {
                at = find_end_after(bytes, at, b"\n");
                start = at;
            }
            b';' => {
                let text = sql[start..at].trim();
                at += 1;
                if is_copy(text) {
                    at = find_end_after(bytes, at, b"\n\\.");
                    at = find_end_after(bytes, at, b"\n");
                } else if !text.is_empty() {
                    statements.push(text);
                }
                start = at;
            }
            _ => at += 1,
        }
    }
    let rest = sql[start..].trim();
    if !rest.is_empty() {
        statements.push(rest);
    }
    statements
}

fn find_end_after(bytes: &[u8], from: usize, mark: &[u8]) -> usize {
    let found = bytes.get(from..).and_then(|rest| rest.windows(mark.len()).position(|w| w == mark));
    found.map_or(bytes.len(), |i| from + i + mark.len())
}

/// Returns the position after a quoted string. A doubled quote reads as two adjacent strings, which makes no difference
/// here.
fn after_quote(bytes: &[u8], from: usize, quote: u8, escapes: bool) -> usize {
    let mut at = from + 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if escapes && bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

fn after_dollars(bytes: &[u8], from: usize) -> usize {
    let tag = bytes[from + 1..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let end = from + 1 + tag;
    if bytes.get(end) == Some(&b'$') { find_end_after(bytes, end + 1, &bytes[from..=end]) } else { from + 1 }
}

/// Returns true if a statement, possibly after comments, is followed by a data block.
fn is_copy(text: &str) -> bool {
    let line = text.lines().last().unwrap_or_default().to_ascii_lowercase();
    line.starts_with("copy ") && line.contains("from stdin")
}

#[cfg(test)]
mod tests {
    use super::split_statements;
    use vitrine_domain::Dialect::{Bigquery, Postgres};

    #[test]
    fn quotes_comments_and_data_do_not_cut() {
        let sql = "\\connect x\n-- a; b\nCREATE TABLE a (b TEXT DEFAULT ';');\n-- Data\n\nCOPY a (b) FROM stdin;\n1;2\nit's\n\\.\n\n/* ; */ SELECT $$;$$, $x$ ; $$ $x$;\nlast";
        let found = split_statements(sql, Postgres);
        assert_eq!(found.len(), 3);
        assert!(found[0].ends_with("DEFAULT ';')") && found[1].ends_with("$x$"));
        assert_eq!(found[2], "last");
    }

    #[test]
    fn a_backslash_hides_a_quote_only_where_it_does() {
        assert_eq!(split_statements("SELECT 'a\\'; SELECT E'b\\';'", Postgres).len(), 2);
        assert_eq!(split_statements("SELECT \"a\\\";\"; SELECT 2", Bigquery).len(), 2);
    }

    #[test]
    fn cut_off_text_ends_quietly() {
        for sql in ["", ";;", "'", "/*", "$$", "--", "COPY a FROM stdin;", "\\"] {
            assert!(split_statements(sql, Postgres).len() <= 1, "{sql}");
        }
    }
}
