//! Differences between MySQL's lexer and the parser's: escapes in strings, executable comments, variables, and names
//! that are functions only without a space before the parenthesis.

use crate::dialect::lexer::{blanks_inside, count_unicode_blanks, unescape_text};
use crate::rejection::SqlRejection;
use crate::token::is_significant;
use sqlparser::dialect::MySqlDialect;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer, Whitespace, Word};
use vitrine_words::tr;

/// Functions that MySQL looks up among the database's stored functions if a space follows their name.
const NO_BLANK: &[&str] = &[
    "ADDDATE",
    "BIT_AND",
    "BIT_OR",
    "BIT_XOR",
    "CAST",
    "COUNT",
    "CURDATE",
    "CURTIME",
    "DATE_ADD",
    "DATE_SUB",
    "EXTRACT",
    "GROUP_CONCAT",
    "JSON_ARRAYAGG",
    "JSON_OBJECTAGG",
    "MAX",
    "MID",
    "MIN",
    "NOW",
    "POSITION",
    "STD",
    "STDDEV",
    "STDDEV_POP",
    "STDDEV_SAMP",
    "SUBDATE",
    "SUBSTR",
    "SUBSTRING",
    "SUM",
    "SYSDATE",
    "TRIM",
    "VARIANCE",
    "VAR_POP",
    "VAR_SAMP",
];

/// Restores the bit literal `0b01`, which the parser reads as a name that begins with a digit. MySQL does not accept
/// `0B01`.
pub(super) fn restore_bit_literal(token: &mut Token) {
    if let Token::Word(Word { value, quote_style: None, .. }) = token
        && let Some(bits) = value.strip_prefix("0b").filter(|bits| !bits.is_empty())
        && bits.bytes().all(|bit| matches!(bit, b'0' | b'1'))
    {
        *token = Token::SingleQuotedByteStringLiteral(bits.to_owned());
    }
}

/// Returns the texts in double quotes: strings in MySQL, but names in other engines.
pub fn double_quoted(sql: &str) -> Vec<String> {
    let tokens = Tokenizer::new(&MySqlDialect {}, sql).with_unescape(false).tokenize().unwrap_or_default();
    tokens
        .into_iter()
        .filter_map(
            |token| if let Token::DoubleQuotedString(raw) = token { Some(unescape_text(&raw, '"')) } else { None },
        )
        .collect()
}

/// Rejects tokens that MySQL or MariaDB read differently or that only they know. Unlisted kinds of tokens are rejected,
/// because they may hide a statement.
pub(super) fn reject_unread_tokens(tokens: &[TokenWithSpan], sql: &str) -> Result<(), SqlRejection> {
    let unclear = |say: &dyn Fn() -> String| Err(SqlRejection::unclear(say));
    if ["/*!", "/*M!", "/*m!"].iter().any(|opening| sql.contains(opening)) {
        return unclear(&|| tr!("a comment that MySQL executes"));
    }
    if sql.contains("/*+") {
        return unclear(&|| tr!("a hint for the optimizer, which can change settings"));
    }
    if count_unicode_blanks(sql) > tokens.iter().map(|token| blanks_inside(&token.token)).sum() {
        return unclear(&|| tr!("a blank that MySQL reads as a letter"));
    }
    let told: Vec<&TokenWithSpan> = tokens.iter().filter(|token| is_significant(&token.token)).collect();
    for token in tokens {
        match &token.token {
            Token::Word(Word { value, quote_style: None, .. }) => {
                if value.contains('@') {
                    return unclear(&|| tr!("a variable"));
                }
                if value.starts_with(|c: char| c.is_ascii_digit()) {
                    return unclear(&|| tr!("a name that begins with a digit; write it in backticks"));
                }
            }
            Token::Word(Word { quote_style: Some('`'), .. })
            | Token::EOF
            | Token::Number(..)
            | Token::SingleQuotedString(_)
            | Token::HexStringLiteral(_)
            | Token::Comma
            | Token::Eq
            | Token::Neq
            | Token::Lt
            | Token::Gt
            | Token::LtEq
            | Token::GtEq
            | Token::Spaceship
            | Token::Plus
            | Token::Minus
            | Token::Mul
            | Token::Div
            | Token::Mod
            | Token::LParen
            | Token::RParen
            // The contents of braces are checked below.
            | Token::LBrace
            | Token::RBrace
            | Token::Period
            | Token::SemiColon
            | Token::Ampersand
            | Token::Pipe
            | Token::Caret
            | Token::Tilde
            | Token::ShiftLeft
            | Token::ShiftRight
            | Token::Overlap
            | Token::ExclamationMark
            | Token::Arrow
            | Token::LongArrow
            | Token::Placeholder(_) => {}
            Token::Whitespace(Whitespace::SingleLineComment { comment, prefix }) => {
                if prefix == "--" && !comment.starts_with(|c: char| c.is_ascii_whitespace()) {
                    return unclear(&|| tr!("a comment that MySQL does not read as one"));
                }
            }
            Token::Whitespace(_) => {}
            Token::StringConcat => return unclear(&|| tr!("||, which is OR here; write CONCAT(a, b), or OR")),
            Token::Assignment | Token::AtSign | Token::AtAt => return unclear(&|| tr!("a variable")),
            Token::NationalStringLiteral(text) if !text.contains('\\') => {}
            Token::SingleQuotedByteStringLiteral(bits) if bits.chars().all(|bit| matches!(bit, '0' | '1')) => {}
            other => return unclear(&|| tr!("`{token}`, which is not known here", token = other)),
        }
    }
    for (at, token) in told.iter().enumerate() {
        let word = |at: usize| match told.get(at).map(|token| &token.token) {
            Some(Token::Word(word)) if word.quote_style.is_none() => word.value.to_ascii_uppercase(),
            _ => String::new(),
        };
        let behind_a_dot = at > 0 && told[at - 1].token == Token::Period;
        let name = word(at);
        match name.as_str() {
            _ if behind_a_dot => {}
            "INTO" | "PROCEDURE" => return Err(SqlRejection::writes(name)),
            "LOCK" if word(at + 1) == "IN" => {
                return Err(SqlRejection::writes("LOCK IN SHARE MODE"));
            }
            "NEXT" | "PREVIOUS" if word(at + 1) == "VALUE" && word(at + 2) == "FOR" => {
                return Err(SqlRejection::writes(format!("{name} VALUE FOR")));
            }
            _ => {}
        }
        if token.token == Token::LBrace && !is_odbc(&told, at) {
            return unclear(&|| tr!("`{token}`, which is not known here", token = token.token));
        }
        let next = told.get(at + 1);
        if NO_BLANK.contains(&name.as_str())
            && next.is_some_and(|next| next.token == Token::LParen && next.span.start != token.span.end)
        {
            return unclear(&|| tr!("a blank between {name} and its bracket; write {name}(", name));
        }
    }
    Ok(())
}

/// Returns true if a brace opens an ODBC escape: a date, a time or a timestamp, `{d '2024-01-31'}`, or a function call,
/// `{fn concat(a, b)}`. MySQL accepts any name there, and reads the following expression as the value.
fn is_odbc(told: &[&TokenWithSpan], at: usize) -> bool {
    let token = |at: usize| told.get(at).map(|token| &token.token);
    let Some(Token::Word(Word { value, quote_style: None, .. })) = token(at + 1) else { return false };
    match value.to_ascii_lowercase().as_str() {
        "d" | "t" | "ts" => {
            matches!((token(at + 2), token(at + 3)), (Some(Token::SingleQuotedString(_)), Some(Token::RBrace)))
        }
        "fn" => matches!((token(at + 2), token(at + 3)), (Some(Token::Word(_)), Some(Token::LParen))),
        _ => false,
    }
}
