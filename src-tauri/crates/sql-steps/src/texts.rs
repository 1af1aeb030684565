//! The query's text as written, by positions in its tree. Some engines name columns after it.

use sqlparser::ast::Select;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};
use vitrine_domain::Dialect;
use vitrine_sql::dialect::ImplicitNames;
use vitrine_sql::{DialectExt, ReadOnlySql};

/// The text of a query and its tokens.
pub(crate) struct Texts {
    dialect: Dialect,
    text: Vec<char>,
    /// The start of each line.
    lines: Vec<usize>,
    /// Empty unless columns are named after the text.
    tokens: Vec<TokenWithSpan>,
}

impl Texts {
    pub fn from_sql(sql: &ReadOnlySql) -> Self {
        let tokens = match sql.dialect().sql().implicit_names() {
            ImplicitNames::Text => Tokenizer::new(sql.dialect().sql().grammar(), sql.as_str()).tokenize_with_location(),
            ImplicitNames::Expression | ImplicitNames::Function | ImplicitNames::Number => Ok(Vec::new()),
        };
        let mut tokens = tokens.unwrap_or_default();
        tokens.retain(|token| !matches!(token.token, Token::Whitespace(_)));
        let text: Vec<char> = sql.as_str().chars().collect();
        let starts = text.iter().enumerate().filter(|(_, c)| **c == '\n').map(|(at, _)| at + 1);
        Self { dialect: sql.dialect(), lines: std::iter::once(0).chain(starts).collect(), text, tokens }
    }

    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns a select item as written, if columns are named after the text.
    pub fn select_item_text(&self, select: &Select, at: usize) -> Option<String> {
        let start = select.select_token.0.span.start;
        let first = self.tokens.iter().position(|token| token.span.start == start)? + 1;
        let mut items = 0;
        let mut depth = 0;
        let mut range: Option<(Location, Location)> = None;
        for token in &self.tokens[first..] {
            match &token.token {
                Token::LParen | Token::LBracket => depth += 1,
                Token::RParen | Token::RBracket if depth > 0 => depth -= 1,
                Token::Comma if depth == 0 && items == at => break,
                Token::Comma if depth == 0 => {
                    items += 1;
                    continue;
                }
                Token::RParen | Token::SemiColon => break,
                Token::Word(word) if depth == 0 && word.quote_style.is_none() => match word.keyword {
                    Keyword::DISTINCT | Keyword::ALL if range.is_none() && items == 0 => continue,
                    Keyword::FROM
                    | Keyword::WHERE
                    | Keyword::GROUP
                    | Keyword::ORDER
                    | Keyword::LIMIT
                    | Keyword::UNION
                    | Keyword::EXCEPT
                    | Keyword::INTERSECT => break,
                    _ => {}
                },
                _ => {}
            }
            if items == at {
                range = Some((range.map_or(token.span.start, |(from, _)| from), token.span.end));
            }
        }
        let (from, to) = range?;
        Some(self.text.get(self.char_offset(from)?..self.char_offset(to)?)?.iter().collect())
    }

    fn char_offset(&self, location: Location) -> Option<usize> {
        let line = self.lines.get(usize::try_from(location.line).ok()?.checked_sub(1)?)?;
        Some(line + usize::try_from(location.column).ok()?.checked_sub(1)?)
    }
}
