//! A token reader for one statement, with elements common to most clauses: names, strings, parentheses.

use sqlparser::tokenizer::Token;
use vitrine_domain::{Dialect, TableName};
use vitrine_sql::dialect::UnquotedCase;
use vitrine_sql::{DialectExt, SqlRejection};

pub(super) struct Reader<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) at: usize,
    pub(super) dialect: Dialect,
}

impl<'t> Reader<'t> {
    pub(super) fn new(tokens: &'t [Token], dialect: Dialect) -> Self {
        Self { tokens, at: 0, dialect }
    }

    pub(super) fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn is_keyword(&self, keyword: &str) -> bool {
        self.is_at(self.at, keyword)
    }

    pub(super) fn is_at(&self, at: usize, keyword: &str) -> bool {
        matches!(self.tokens.get(at), Some(Token::Word(w)) if w.quote_style.is_none() && w.value.eq_ignore_ascii_case(keyword))
    }

    pub(super) fn consume_keyword(&mut self, keyword: &str) -> bool {
        let found = self.is_keyword(keyword);
        self.at += usize::from(found);
        found
    }

    pub(super) fn consume_token(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    pub(super) fn unexpected_token<T>(&self, wanted: &str) -> Result<T, SqlRejection> {
        let found = self.peek().map_or("the end".to_owned(), ToString::to_string);
        Err(SqlRejection::Syntax { message: format!("Expected: {wanted}, found: {found}"), line: 0, column: 0 })
    }

    /// Reads a name in the form that the engine stores: the case of unquoted names is folded.
    pub(super) fn parse_identifier(&mut self) -> Option<String> {
        let name = match self.peek()? {
            Token::Word(word) if word.quote_style.is_some() => word.value.clone(),
            Token::Word(word) => match self.dialect.sql().unquoted_case() {
                UnquotedCase::Kept => word.value.clone(),
                UnquotedCase::Lower => word.value.to_lowercase(),
                UnquotedCase::Upper => word.value.to_uppercase(),
            },
            Token::SingleQuotedString(text) | Token::DoubleQuotedString(text) => text.clone(),
            _ => return None,
        };
        self.at += 1;
        Some(name)
    }

    pub(super) fn parse_table_name(&mut self) -> Result<TableName, SqlRejection> {
        let has_paths = self.dialect.sql().has_quoted_paths();
        let mut parts = Vec::new();
        loop {
            let quoted_path = has_paths && matches!(self.peek(), Some(Token::Word(w)) if w.quote_style == Some('`'));
            let Some(part) = self.parse_identifier() else { return self.unexpected_token("a name") };
            if quoted_path {
                parts.extend(part.split('.').map(str::to_owned))
            } else {
                parts.push(part)
            }
            // The names of projects may be written with hyphens and without quotes.
            while has_paths && self.peek() == Some(&Token::Minus) {
                self.at += 1;
                let rest = self.parse_identifier().unwrap_or_default();
                if let Some(last) = parts.last_mut() {
                    *last = format!("{last}-{rest}");
                }
            }
            if !self.consume_token(&Token::Period) {
                return Ok(table_name(parts, self.dialect));
            }
        }
    }

    pub(super) fn parse_string(&mut self) -> Option<String> {
        let text = match self.peek()? {
            Token::SingleQuotedString(s)
            | Token::DoubleQuotedString(s)
            | Token::EscapedStringLiteral(s)
            | Token::NationalStringLiteral(s)
            | Token::TripleDoubleQuotedString(s)
            | Token::TripleSingleQuotedString(s)
            | Token::SingleQuotedRawStringLiteral(s)
            | Token::DoubleQuotedRawStringLiteral(s) => s.clone(),
            Token::DollarQuotedString(s) => s.value.clone(),
            _ => return None,
        };
        self.at += 1;
        Some(text)
    }

    /// Skips one token, or everything in parentheses.
    pub(super) fn skip_token_tree(&mut self) {
        let mut depth = 0usize;
        while let Some(token) = self.peek() {
            match token {
                Token::LParen => depth += 1,
                Token::RParen => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// Reads names in parentheses and skips other tokens after a name, such as ASC.
    pub(super) fn parse_identifier_list(&mut self) -> Vec<String> {
        let mut names = Vec::new();
        if !self.consume_token(&Token::LParen) {
            return names;
        }
        while let Some(name) = self.parse_identifier() {
            names.push(name);
            while !matches!(self.peek(), None | Some(Token::Comma | Token::RParen)) {
                self.skip_token_tree();
            }
            if !self.consume_token(&Token::Comma) {
                break;
            }
        }
        self.consume_token(&Token::RParen);
        names
    }
}

/// Creates a table name from the written parts, without the default schema.
pub(super) fn table_name(mut parts: Vec<String>, dialect: Dialect) -> TableName {
    let name = parts.pop().unwrap_or_default();
    let schema = parts.pop();
    let catalog = (!parts.is_empty()).then(|| parts.join("."));
    let default = dialect.sql().default_schema();
    let schema = schema.filter(|s| catalog.is_some() || !default.is_some_and(|d| s.eq_ignore_ascii_case(d)));
    TableName { catalog, schema, name }
}
