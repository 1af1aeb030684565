//! A token reader for one statement, with elements common to most clauses: names, strings, parentheses.

use sqlparser::tokenizer::Token;
use vitrine_domain::{Dialect, TableName};
use vitrine_sql::SqlRejection;

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

    pub(super) fn is(&self, keyword: &str) -> bool {
        self.is_at(self.at, keyword)
    }

    pub(super) fn is_at(&self, at: usize, keyword: &str) -> bool {
        matches!(self.tokens.get(at), Some(Token::Word(w)) if w.quote_style.is_none() && w.value.eq_ignore_ascii_case(keyword))
    }

    pub(super) fn take(&mut self, keyword: &str) -> bool {
        let found = self.is(keyword);
        self.at += usize::from(found);
        found
    }

    pub(super) fn eat(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    pub(super) fn unexpected<T>(&self, wanted: &str) -> Result<T, SqlRejection> {
        let found = self.peek().map_or("the end".to_owned(), ToString::to_string);
        Err(SqlRejection::Syntax { message: format!("Expected: {wanted}, found: {found}"), line: 0, column: 0 })
    }

    /// Reads a name in the form that the engine stores: the case of unquoted names is folded.
    pub(super) fn ident(&mut self) -> Option<String> {
        let name = match self.peek()? {
            Token::Word(word) if word.quote_style.is_some() => word.value.clone(),
            Token::Word(word) => match self.dialect {
                Dialect::Snowflake => word.value.to_uppercase(),
                Dialect::Postgres => word.value.to_lowercase(),
                _ => word.value.clone(),
            },
            Token::SingleQuotedString(text) | Token::DoubleQuotedString(text) => text.clone(),
            _ => return None,
        };
        self.at += 1;
        Some(name)
    }

    pub(super) fn name(&mut self) -> Result<TableName, SqlRejection> {
        let mut parts = Vec::new();
        loop {
            let quoted_path = self.dialect == Dialect::Bigquery
                && matches!(self.peek(), Some(Token::Word(w)) if w.quote_style == Some('`'));
            let Some(part) = self.ident() else { return self.unexpected("a name") };
            if quoted_path {
                parts.extend(part.split('.').map(str::to_owned))
            } else {
                parts.push(part)
            }
            // BigQuery projects may be written with hyphens and without quotes.
            while self.dialect == Dialect::Bigquery && self.peek() == Some(&Token::Minus) {
                self.at += 1;
                let rest = self.ident().unwrap_or_default();
                if let Some(last) = parts.last_mut() {
                    *last = format!("{last}-{rest}");
                }
            }
            if !self.eat(&Token::Period) {
                return Ok(table_name(parts, self.dialect));
            }
        }
    }

    pub(super) fn text(&mut self) -> Option<String> {
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
    pub(super) fn skip(&mut self) {
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
    pub(super) fn names(&mut self) -> Vec<String> {
        let mut names = Vec::new();
        if !self.eat(&Token::LParen) {
            return names;
        }
        while let Some(name) = self.ident() {
            names.push(name);
            while !matches!(self.peek(), None | Some(Token::Comma | Token::RParen)) {
                self.skip();
            }
            if !self.eat(&Token::Comma) {
                break;
            }
        }
        self.eat(&Token::RParen);
        names
    }
}

/// Creates a table name from the written parts, without the default schema.
pub(super) fn table_name(mut parts: Vec<String>, dialect: Dialect) -> TableName {
    let name = parts.pop().unwrap_or_default();
    let schema = parts.pop();
    let catalog = (!parts.is_empty()).then(|| parts.join("."));
    let default = match dialect {
        Dialect::Postgres => Some("public"),
        Dialect::Sqlite | Dialect::Duckdb => Some("main"),
        Dialect::Snowflake
        | Dialect::Bigquery
        | Dialect::Mysql
        | Dialect::Clickhouse
        | Dialect::Databricks
        | Dialect::Trino => None,
        Dialect::Mssql => Some("dbo"),
    };
    let schema = schema.filter(|s| catalog.is_some() || !default.is_some_and(|d| s.eq_ignore_ascii_case(d)));
    TableName { catalog, schema, name }
}
