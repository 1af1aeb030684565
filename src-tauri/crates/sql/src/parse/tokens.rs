//! Converts text to tokens. Size is limited. Text that this parser and an engine's own lexer may read differently is
//! rejected, because the difference could hide a statement.

use crate::dialect::{DialectExt, tokenize};
use crate::rejection::SqlRejection;
use crate::token::{Offsets, is_significant};
use sqlparser::tokenizer::{Token, TokenWithSpan, Whitespace};
use vitrine_domain::Dialect;
use vitrine_words::tr;

/// Maximum nesting depth of brackets.
const MAX_BRACKETS: usize = 60;
/// Maximum number of tokens between two commas of one bracket level. Limits chains such as `1 + 1 + 1 ...`, which the
/// parser nests to the left without limit.
const MAX_CHAIN: usize = 4_000;
/// Maximum number of joins and set operations, which nest in the same way.
pub(super) const MAX_NESTING_WORDS: usize = 300;

/// Splits text into tokens with their positions.
///
/// # Errors
/// Text that is too long, or cannot be split.
pub fn tokenize_sql(sql: &str, dialect: Dialect) -> Result<Vec<TokenWithSpan>, SqlRejection> {
    tokenize(sql, dialect.sql())
}

/// Returns the first token of the only statement, and its text without a trailing semicolon and anything after it. A
/// trailing comment belongs to the text, so anything appended must begin on a new line.
pub(crate) fn single_statement<'s>(tokens: &[TokenWithSpan], sql: &'s str) -> Result<(Token, &'s str), SqlRejection> {
    let mut end = None;
    let mut closed = false;
    let mut first = None;
    for token in tokens {
        match &token.token {
            Token::Whitespace(Whitespace::SingleLineComment { .. } | Whitespace::MultiLineComment(_))
                if first.is_some() && !closed =>
            {
                end = Some(token.span.end)
            }
            other if !is_significant(other) => {}
            Token::SemiColon => closed = first.is_some(),
            _ if closed => return Err(SqlRejection::NotOneStatement),
            _ => {
                first = first.or_else(|| Some(token.token.clone()));
                end = Some(token.span.end);
            }
        }
    }
    let (Some(first), Some(end)) = (first, end) else { return Err(SqlRejection::Empty) };
    let text = sql[..Offsets::new(sql).byte_offset_at(end)].trim_end();
    Ok((first, text.trim_start_matches(|c: char| c.is_whitespace() || c == ';')))
}

/// Rejects text whose tree could be too deep to walk.
pub(crate) fn check_nesting(tokens: &[TokenWithSpan]) -> Result<(), SqlRejection> {
    let mut chains = vec![0usize];
    let mut nesting = 0usize;
    for token in tokens {
        match &token.token {
            Token::Whitespace(_) => continue,
            Token::LParen | Token::LBracket | Token::LBrace => chains.push(0),
            Token::RParen | Token::RBracket | Token::RBrace if chains.len() > 1 => _ = chains.pop(),
            Token::Comma => {
                if let Some(last) = chains.last_mut() {
                    *last = 0;
                }
                continue;
            }
            Token::Word(word) if word.quote_style.is_none() => {
                let nests = ["JOIN", "UNION", "INTERSECT", "EXCEPT", "MINUS"];
                nesting += usize::from(nests.iter().any(|n| word.value.eq_ignore_ascii_case(n)));
            }
            _ => {}
        }
        if let Some(last) = chains.last_mut() {
            *last += 1;
            if *last > MAX_CHAIN || chains.len() > MAX_BRACKETS || nesting > MAX_NESTING_WORDS {
                return Err(SqlRejection::TooDeep);
            }
        }
    }
    Ok(())
}

/// Rejects text that this parser and an engine may split differently into tokens.
pub(crate) fn reject_ambiguous(tokens: &[TokenWithSpan], sql: &str, dialect: Dialect) -> Result<(), SqlRejection> {
    let unclear = |say: &dyn Fn() -> String| Err(SqlRejection::unclear(say));
    if sql.contains('\0') {
        return unclear(&|| tr!("a NUL character"));
    }
    dialect.sql().reject_ambiguous(tokens, sql)?;
    for token in tokens {
        match &token.token {
            // This lexer accepts escapes in them, but no engine does.
            Token::HexStringLiteral(digits) if !digits.chars().all(|c| c.is_ascii_hexdigit()) => {
                return unclear(&|| tr!("bytes X'...' of something other than hexadecimal digits"));
            }
            Token::Whitespace(Whitespace::MultiLineComment(text)) if text.contains("/*") => {
                return unclear(&|| tr!("a comment inside a comment"));
            }
            Token::Whitespace(Whitespace::SingleLineComment { comment, .. })
                if comment.trim_end_matches(['\r', '\n']).contains('\r') =>
            {
                return unclear(&|| tr!("a carriage return inside a comment"));
            }
            _ => {}
        }
    }
    Ok(())
}
