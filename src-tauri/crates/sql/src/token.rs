//! Tokens with meaning, and positions of tokens in the text.

use sqlparser::tokenizer::{Location, Token};

/// Returns true if a token carries meaning.
pub fn is_significant(token: &Token) -> bool {
    !matches!(token, Token::Whitespace(_) | Token::EOF)
}

/// Converts the parser's line and column to a byte offset.
pub struct Offsets<'a> {
    sql: &'a str,
    lines: Vec<usize>,
}

impl<'a> Offsets<'a> {
    /// Records the offset of each line.
    pub fn new(sql: &'a str) -> Self {
        let starts = sql.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        Self { sql, lines: std::iter::once(0).chain(starts).collect() }
    }

    /// Returns the byte offset of a position. Returns the end of the text if the line does not exist.
    pub fn byte_offset_at(&self, place: Location) -> usize {
        let line = usize::try_from(place.line).unwrap_or(1).saturating_sub(1);
        let Some(&start) = self.lines.get(line) else { return self.sql.len() };
        let column = usize::try_from(place.column).unwrap_or(1).saturating_sub(1);
        self.sql[start..].char_indices().nth(column).map_or(self.sql.len(), |(i, _)| start + i)
    }
}
