//! DuckDB's statements SHOW, DESCRIBE and SUMMARIZE, which return rows like a query.

use super::Duckdb;
use crate::dialect::lexer::tokenize;
use crate::token::is_significant;
use sqlparser::tokenizer::Token;
use std::borrow::Cow;

/// Returns the statement as a query of the same rows, because other statements can only contain a query.
pub fn shown_as_query(sql: &str) -> Cow<'_, str> {
    const SHOWING: &[&str] = &["SHOW", "DESCRIBE", "DESC", "SUMMARIZE"];
    let tokens = tokenize(sql, &Duckdb).unwrap_or_default();
    let shows = match tokens.iter().map(|token| &token.token).find(|token| is_significant(token)) {
        Some(Token::Word(word)) => {
            word.quote_style.is_none() && SHOWING.iter().any(|known| word.value.eq_ignore_ascii_case(known))
        }
        _ => false,
    };
    if shows { Cow::Owned(format!("FROM (\n{sql}\n)")) } else { Cow::Borrowed(sql) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_statement_that_shows_something_is_put_into_a_query() {
        assert_eq!(shown_as_query("-- a\nshow TABLES"), "FROM (\n-- a\nshow TABLES\n)");
        assert_eq!(shown_as_query("SUMMARIZE t"), "FROM (\nSUMMARIZE t\n)");
        for kept in ["SELECT 1", "FROM \"show\"", "WITH describe AS (SELECT 1) FROM describe"] {
            assert_eq!(shown_as_query(kept), kept);
        }
    }
}
