//! Splits SQL text into parts without a parser: catalog names outside of quotes, and the text around them. Text with
//! unusual names often cannot be tokenized by a parser.

use super::names::{OddNames, is_word};
use crate::dialect::DialectExt;
use std::ops::Range;
use vitrine_domain::Dialect;

/// The kind of a part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextPartKind {
    /// A run of white space and comments.
    Space,
    /// A word or a number.
    Word,
    /// A string or a name in quotes.
    Quoted,
    /// Any other character, one at a time.
    Sign,
    /// An unquoted name that needs quotes, by its index among the names.
    Name(usize),
}

/// One part of a text.
#[derive(Debug, Clone)]
pub(super) struct TextPart {
    pub at: Range<usize>,
    pub piece: TextPartKind,
}

/// Splits a text into parts; concatenated they are the whole text.
pub(super) fn scan_parts(sql: &str, dialect: Dialect, names: &OddNames) -> Vec<TextPart> {
    let mut parts: Vec<TextPart> = Vec::new();
    let mut at = 0;
    while let Some(first) = sql[at..].chars().next() {
        let (piece, length) = match names.match_longest_name(&sql[at..]) {
            Some((name, length)) => (TextPartKind::Name(name), length),
            None => scan_plain_part(&sql[at..], first, dialect),
        };
        parts.push(TextPart { at: at..at + length, piece });
        at += length;
    }
    parts
}

/// Returns the kind of the first part of a text, with its length in bytes.
fn scan_plain_part(rest: &str, first: char, dialect: Dialect) -> (TextPartKind, usize) {
    let while_is = |is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
    let line = || rest.find('\n').map_or(rest.len(), |at| at + 1);
    let until = |end: &str| rest[end.len()..].find(end).map_or(rest.len(), |at| at + 2 * end.len());
    match first {
        c if c.is_whitespace() => (TextPartKind::Space, while_is(char::is_whitespace)),
        '-' if rest.starts_with("--") => (TextPartKind::Space, line()),
        '#' if dialect.sql().comments_begin_with_hash() => (TextPartKind::Space, line()),
        '/' if rest.starts_with("/*") => (TextPartKind::Space, rest[2..].find("*/").map_or(rest.len(), |at| at + 4)),
        '\'' | '"' | '`' => (TextPartKind::Quoted, quoted_length(rest, first, dialect)),
        '[' if dialect.sql().quotes_names_in_brackets() => (TextPartKind::Quoted, until("]").max(1)),
        '$' if dialect.sql().quotes_strings_in_dollars() => match dollar_tag(rest) {
            Some(tag) => (TextPartKind::Quoted, until(tag)),
            None => (TextPartKind::Sign, 1),
        },
        c if c.is_ascii_digit() => (TextPartKind::Word, number_length(rest)),
        c if is_word(c) => (TextPartKind::Word, while_is(is_word)),
        c => (TextPartKind::Sign, c.len_utf8()),
    }
}

/// Returns the length of a quoted text. A doubled quote does not end it, nor does an escaped one in dialects with
/// escapes.
fn quoted_length(rest: &str, quote: char, dialect: Dialect) -> usize {
    let escapes = dialect.sql().has_backslash_escapes_within(quote);
    let mut letters = rest.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        if letter == '\\' && escapes {
            letters.next();
        } else if letter == quote && letters.next_if(|(_, next)| *next == quote).is_none() {
            return at + quote.len_utf8();
        }
    }
    rest.len()
}

/// Returns the tag `$name$` at the beginning of a text.
fn dollar_tag(rest: &str) -> Option<&str> {
    let end = rest[1..].find('$')? + 1;
    let name = &rest[1..end];
    (name.chars().all(is_word) && !name.starts_with(|c: char| c.is_ascii_digit())).then(|| &rest[..=end])
}

/// Returns the length of a number with its fraction, or of a word that begins with a digit.
fn number_length(rest: &str) -> usize {
    let whole = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    match rest[whole..].strip_prefix('.') {
        Some(fraction) if fraction.starts_with(|c: char| c.is_ascii_digit()) => {
            whole + 1 + fraction.find(|c| !is_word(c)).unwrap_or(fraction.len())
        }
        _ => whole,
    }
}
