//! Formats SQL text.

use crate::dialect::DialectExt;
use crate::parse::{Offsets, is_significant, reject_ambiguous, tokenize_sql};
use sqlformat::{FormatOptions, Indent, QueryParams};
use sqlparser::tokenizer::{Token, TokenWithSpan};
use vitrine_domain::Dialect;

/// Formats SQL over several lines. Returns the text unchanged where formatting would change its meaning.
pub fn format_sql(sql: &str, dialect: Dialect) -> String {
    let options = FormatOptions {
        indent: Indent::Spaces(2),
        uppercase: None,
        max_inline_block: 60,
        max_inline_arguments: Some(80),
        max_inline_top_level: Some(80),
        joins_as_top_level: true,
        dialect: dialect.sql().formatter(),
        ..FormatOptions::default()
    };
    let Some(before) = significant_tokens(sql, dialect).filter(|_| one_reading(sql, dialect)) else {
        return sql.to_owned();
    };
    let laid_out = sqlformat::format(sql, &QueryParams::None, &options);
    let laid_out = with_paths_whole(sql, laid_out, dialect);
    if significant_tokens(&laid_out, dialect).is_some_and(|after| after == before) { laid_out } else { sql.to_owned() }
}

/// Removes the spaces that the formatter added around colons: `address :city:: STRING` was `address:city::STRING`.
fn with_paths_whole(sql: &str, laid_out: String, dialect: Dialect) -> String {
    let (Ok(before), Ok(after)) = (tokenize_sql(sql, dialect), tokenize_sql(&laid_out, dialect)) else {
        return laid_out;
    };
    let told = |tokens: &[TokenWithSpan]| -> Vec<TokenWithSpan> {
        tokens.iter().filter(|token| is_significant(&token.token)).cloned().collect()
    };
    let (before, after) = (told(&before), told(&after));
    if before.len() != after.len() {
        return laid_out;
    }
    let colon = |token: &TokenWithSpan| matches!(token.token, Token::Colon | Token::DoubleColon);
    let offsets = Offsets::new(&laid_out);
    let mut whole = String::with_capacity(laid_out.len());
    let mut written = 0;
    for (own, new) in before.windows(2).zip(after.windows(2)) {
        if !own.iter().any(colon) || own[0].span.end != own[1].span.start {
            continue;
        }
        let (end, next) = (offsets.byte_offset_at(new[0].span.end), offsets.byte_offset_at(new[1].span.start));
        if end < next && laid_out[end..next].bytes().all(|byte| byte == b' ') {
            whole.push_str(&laid_out[written..end]);
            written = next;
        }
    }
    whole.push_str(&laid_out[written..]);
    whole
}

/// Returns the text up to the first semicolon that ends a statement, ignoring semicolons in strings, quoted names and
/// comments. Returns the whole text if there is none, or if it cannot be split into tokens.
pub fn first_statement(sql: &str, dialect: Dialect) -> &str {
    let all = sql.trim();
    let Ok(tokens) = tokenize_sql(all, dialect) else { return all };
    let mut seen = false;
    for token in &tokens {
        match &token.token {
            Token::SemiColon if seen => return all[..Offsets::new(all).byte_offset_at(token.span.start)].trim_end(),
            token => seen |= is_significant(token) && *token != Token::SemiColon,
        }
    }
    all
}

/// Returns true if white space may change: the engine must split the text like this lexer, and adjacent strings may be
/// one string if a line break separates them.
fn one_reading(sql: &str, dialect: Dialect) -> bool {
    let Ok(tokens) = tokenize_sql(sql, dialect) else { return false };
    let told: Vec<&Token> = tokens.iter().map(|token| &token.token).filter(|token| is_significant(token)).collect();
    let parts = told.windows(2).any(|pair| is_string(pair[0]) && matches!(pair[1], Token::SingleQuotedString(_)));
    !parts && reject_ambiguous(&tokens, sql, dialect).is_ok()
}

fn is_string(token: &Token) -> bool {
    matches!(
        token,
        Token::SingleQuotedString(_)
            | Token::EscapedStringLiteral(_)
            | Token::UnicodeStringLiteral(_)
            | Token::NationalStringLiteral(_)
            | Token::HexStringLiteral(_)
    )
}

/// Returns all tokens of a text except white space. Comments are included, so that none is lost or hides code.
fn significant_tokens(sql: &str, dialect: Dialect) -> Option<Vec<String>> {
    let tokens = tokenize_sql(sql, dialect).ok()?;
    let keep = |token: &Token| match token {
        Token::Whitespace(w) => {
            let text = w.to_string();
            let text = text.trim();
            (!text.is_empty()).then(|| text.to_owned())
        }
        token => is_significant(token).then(|| format!("{token:?}")),
    };
    Some(tokens.iter().filter_map(|t| keep(&t.token)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_laid_out() {
        let sql = "WITH a AS (SELECT s.name, count(*) AS n FROM singer s JOIN concert c ON c.singer_id = s.id WHERE s.country = 'France' GROUP BY s.name) SELECT name FROM a ORDER BY n DESC LIMIT 3";
        insta::assert_snapshot!(format_sql(sql, Dialect::Sqlite));
    }

    #[test]
    fn paths_and_casts_stay_in_one_piece() {
        let sql = "SELECT address:country::STRING AS country, f.value:unit_price::NUMBER(18, 2) FROM customers, LATERAL FLATTEN(input => items) f WHERE address:city::STRING = 'a :b:: c'";
        let laid_out = format_sql(sql, Dialect::Snowflake);
        for part in
            ["address:country::STRING", "f.value:unit_price::NUMBER(18, 2)", "address:city::STRING = 'a :b:: c'"]
        {
            assert!(laid_out.contains(part), "{laid_out}");
        }
        assert!(format_sql("SELECT a :: INT, b::TEXT FROM t", Dialect::Postgres).contains("b::TEXT"));
    }

    #[test]
    fn what_cannot_be_laid_out_stays_as_it_is() {
        for sql in ["SELECT 'unterminated", "", "   ", "SELECT \u{0}"] {
            assert_eq!(format_sql(sql, Dialect::Duckdb).trim(), sql.trim());
        }
    }

    #[test]
    fn a_semicolon_in_a_text_ends_nothing() {
        for (text, first) in [
            ("SELECT 'done; open' AS x; SELECT 2", "SELECT 'done; open' AS x"),
            ("SELECT \"a;b\" FROM t -- c; d\n;", "SELECT \"a;b\" FROM t -- c; d"),
            ("SELECT 1", "SELECT 1"),
            ("SELECT 'unterminated; 1", "SELECT 'unterminated; 1"),
            ("", ""),
        ] {
            assert_eq!(first_statement(text, Dialect::Sqlite), first);
        }
    }

    #[test]
    fn odd_tokens_survive() {
        for sql in [
            "SELECT data->>'$.a', list[1:2], x::INT, a // b, e ** 2 FROM t -- why\nWHERE a <> '-- no' /* c */",
            "SELECT [weird col], `b` FROM \"my table\" WHERE x LIKE '%''%'",
            "SELECT {'a': 1}.a, x -> x + 1 FROM t",
        ] {
            for dialect in [Dialect::Duckdb, Dialect::Sqlite] {
                assert_eq!(
                    significant_tokens(&format_sql(sql, dialect), dialect),
                    significant_tokens(sql, dialect),
                    "{sql}"
                );
            }
        }
    }
}
