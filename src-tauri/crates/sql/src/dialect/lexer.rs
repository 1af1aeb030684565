//! Splits text into tokens, with the lexer differences that several dialects share: escapes in strings, white space
//! outside of ASCII, strings that continue on the next line.

use super::syntax::Syntax;
use crate::rejection::SqlRejection;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer, Whitespace, Word};
use vitrine_words::tr;

/// Maximum length of a statement, in bytes.
pub(crate) const MAX_BYTES: usize = 256 * 1024;

/// Splits text into tokens with their positions.
///
/// # Errors
/// Text that is too long, or cannot be split.
pub(crate) fn tokenize(sql: &str, dialect: &(impl Syntax + ?Sized)) -> Result<Vec<TokenWithSpan>, SqlRejection> {
    if sql.len() > MAX_BYTES {
        return Err(SqlRejection::TooLong { bytes: sql.len(), limit: MAX_BYTES });
    }
    let mut lexer = Tokenizer::new(dialect.grammar(), sql).with_unescape(!dialect.keeps_escapes());
    let mut tokens = lexer.tokenize_with_location().map_err(|e| SqlRejection::Syntax {
        message: e.message,
        line: e.location.line,
        column: e.location.column,
    })?;
    tokens.iter_mut().for_each(restore_hex_number);
    dialect.adapt_tokens(&mut tokens);
    Ok(tokens)
}

/// Restores the number `0x1F`, which the parser reads as the byte string `X'1F'`. The text of the bytes is one quote
/// longer.
fn restore_hex_number(token: &mut TokenWithSpan) {
    if let Token::HexStringLiteral(digits) = &token.token
        && token.span.start.line == token.span.end.line
        && token.span.end.column - token.span.start.column == digits.chars().count() as u64 + 2
    {
        token.token = Token::Number(format!("0x{digits}"), false);
    }
}

/// Resolves the escapes in strings and names in backticks, which the lexer keeps. In strings, escapes other than of
/// quotes stay, so that the tree prints as the same string. Double-quoted strings become single-quoted.
pub(super) fn unescape_token(token: &mut Token) {
    match token {
        Token::SingleQuotedString(raw) => *raw = unescape_text(raw, '\''),
        Token::DoubleQuotedString(raw) => *token = Token::SingleQuotedString(unescape_text(raw, '"')),
        Token::Word(Word { value, quote_style: Some('`'), .. }) => *value = value.replace("``", "`"),
        _ => {}
    }
}

/// Resolves the escaped quotes in the raw text of a string. Other escapes stay.
pub(super) fn unescape_text(raw: &str, quote: char) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut letters = raw.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some(quote @ ('\'' | '"')) => text.push(quote),
                Some(other) => text.extend(['\\', other]),
                None => text.push('\\'),
            },
            letter if letter == quote => {
                letters.next();
                text.push(quote);
            }
            letter => text.push(letter),
        }
    }
    text
}

/// Rejects two strings that are one string to the engine.
pub(super) fn reject_continued_strings(tokens: &[TokenWithSpan]) -> Result<(), SqlRejection> {
    if continues_a_string(tokens) {
        return Err(SqlRejection::unclear(|| tr!("a string that goes on after the end of its line")));
    }
    Ok(())
}

/// Returns true if two strings are separated only by a line break, which makes them one string.
fn continues_a_string(tokens: &[TokenWithSpan]) -> bool {
    let mut after_string: Option<u64> = None;
    for token in tokens {
        match &token.token {
            Token::SingleQuotedString(_) if after_string.is_some_and(|line| line < token.span.start.line) => {
                return true;
            }
            Token::SingleQuotedString(_) | Token::EscapedStringLiteral(_) => after_string = Some(token.span.end.line),
            Token::Whitespace(_) => {}
            _ => after_string = None,
        }
    }
    false
}

/// Counts white space outside of ASCII.
pub(super) fn count_unicode_blanks(text: &str) -> usize {
    text.chars().filter(|c| c.is_whitespace() && !c.is_ascii()).count()
}

/// Counts non-ASCII white space within strings, quoted names and comments, where it is an ordinary character.
pub(super) fn blanks_inside(token: &Token) -> usize {
    match token {
        Token::SingleQuotedString(text) | Token::NationalStringLiteral(text) => count_unicode_blanks(text),
        Token::Word(Word { value, quote_style: Some(_), .. }) => count_unicode_blanks(value),
        Token::Whitespace(Whitespace::SingleLineComment { comment, .. } | Whitespace::MultiLineComment(comment)) => {
            count_unicode_blanks(comment)
        }
        _ => 0,
    }
}
