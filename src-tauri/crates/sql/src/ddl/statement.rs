//! One statement of a schema script, read from its tokens.

use super::TableName;
use crate::SqlRejection;
use sqlparser::tokenizer::Token;
use vitrine_domain::{Column, Dialect, ForeignKey, Table, TableKind};

/// What a statement says about tables.
pub(super) enum Said {
    Table(Table),
    View {
        name: TableName,
        columns: Vec<Column>,
        comment: Option<String>,
        query_at: usize,
    },
    /// Keys of a table that another statement creates.
    Keys(Table),
    TableComment(TableName, String),
    ColumnComment(TableName, String, String),
    Nothing,
}

/// Whether a statement could be about tables at all; spares the rest, such as long INSERTs, a closer look.
pub(super) fn may_matter(text: &str) -> bool {
    let code = text.lines().map(str::trim).find(|l| !l.is_empty() && !l.starts_with("--"));
    code.is_some_and(|line| {
        let word: String = line.chars().take_while(char::is_ascii_alphabetic).collect();
        line.starts_with("/*") || ["create", "alter", "comment"].iter().any(|w| word.eq_ignore_ascii_case(w))
    })
}

/// A primary key forbids NULL.
pub(super) fn not_null(columns: &mut [Column], name: &str) {
    if let Some(column) = columns.iter_mut().find(|c| c.name.eq_ignore_ascii_case(name)) {
        column.nullable = false;
    }
}

/// The words that end a column's type.
const AFTER_TYPE: &[&str] = &[
    "CONSTRAINT",
    "NOT",
    "NULL",
    "PRIMARY",
    "UNIQUE",
    "CHECK",
    "DEFAULT",
    "REFERENCES",
    "COLLATE",
    "GENERATED",
    "AS",
    "COMMENT",
    "OPTIONS",
    "AUTO_INCREMENT",
    "AUTOINCREMENT",
    "IDENTITY",
    "WITH",
    "ENCODE",
    "MASKING",
    "TAG",
    "HIDDEN",
    "VIRTUAL",
    "STORED",
    "ENFORCED",
];

pub(super) struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    dialect: Dialect,
}

impl<'t> Reader<'t> {
    pub(super) fn new(tokens: &'t [Token], dialect: Dialect) -> Self {
        Self { tokens, at: 0, dialect }
    }

    pub(super) fn statement(mut self) -> Result<Said, SqlRejection> {
        if self.take("CREATE") {
            while let Some(Token::Word(word)) = self.peek() {
                let (table, view) = (self.is("TABLE"), self.is("VIEW"));
                if table || view {
                    self.at += 1;
                    return if table { self.table() } else { self.view() };
                }
                if self.is("UNIQUE") && self.is_at(self.at + 1, "INDEX") {
                    self.at += 2;
                    return Ok(self.unique_index().map_or(Said::Nothing, Said::Keys));
                }
                if ["INDEX", "FUNCTION", "TRIGGER", "PROCEDURE", "SCHEMA", "TYPE", "SEQUENCE"]
                    .iter()
                    .any(|w| word.value.eq_ignore_ascii_case(w))
                {
                    break;
                }
                self.at += 1;
            }
        } else if self.take("ALTER") && self.take("TABLE") {
            return Ok(self.alter());
        } else if self.take("COMMENT") && self.take("ON") {
            return Ok(self.comment_on());
        }
        Ok(Said::Nothing)
    }

    fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at)
    }

    fn is(&self, keyword: &str) -> bool {
        self.is_at(self.at, keyword)
    }

    fn is_at(&self, at: usize, keyword: &str) -> bool {
        matches!(self.tokens.get(at), Some(Token::Word(w)) if w.quote_style.is_none() && w.value.eq_ignore_ascii_case(keyword))
    }

    fn take(&mut self, keyword: &str) -> bool {
        let found = self.is(keyword);
        self.at += usize::from(found);
        found
    }

    fn eat(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn unexpected<T>(&self, wanted: &str) -> Result<T, SqlRejection> {
        let found = self.peek().map_or("the end".to_owned(), ToString::to_string);
        Err(SqlRejection::Syntax { message: format!("Expected: {wanted}, found: {found}"), line: 0, column: 0 })
    }

    /// A name as the engine stores it: unquoted ones are folded.
    fn ident(&mut self) -> Option<String> {
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

    fn name(&mut self) -> Result<TableName, SqlRejection> {
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
            // BigQuery projects may be written with hyphens and no quotes.
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

    fn text(&mut self) -> Option<String> {
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

    /// Passes over one token, or over a whole bracket.
    fn skip(&mut self) {
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

    /// Names in brackets; what stands behind a name, such as ASC, is passed over.
    fn names(&mut self) -> Vec<String> {
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

    fn references(&mut self, columns: Vec<String>) -> Option<ForeignKey> {
        let ref_table = self.name().ok()?;
        let ref_columns = self.names();
        Some(ForeignKey { columns, ref_table, ref_columns })
    }

    fn table(&mut self) -> Result<Said, SqlRejection> {
        self.if_not_exists();
        let name = self.name()?;
        let mut table = empty_table(name);
        if !self.eat(&Token::LParen) {
            return Ok(Said::Nothing);
        }
        while !matches!(self.peek(), None | Some(Token::RParen)) {
            self.item(&mut table)?;
            if !self.eat(&Token::Comma) {
                break;
            }
        }
        if !self.eat(&Token::RParen) {
            return self.unexpected("a comma or a closing bracket");
        }
        table.comment = self.trailing_comment();
        for column in table.primary_key.clone() {
            not_null(&mut table.columns, &column);
        }
        Ok(Said::Table(table))
    }

    fn if_not_exists(&mut self) {
        if self.is("IF") && self.is_at(self.at + 1, "NOT") {
            self.at += 3;
        }
    }

    /// A column or a constraint, up to the comma or bracket that ends it.
    fn item(&mut self, table: &mut Table) -> Result<(), SqlRejection> {
        let named =
            ["PRIMARY", "FOREIGN", "UNIQUE", "CHECK", "EXCLUDE", "NOT"].iter().any(|w| self.is_at(self.at + 2, w));
        if self.is("CONSTRAINT") && named {
            self.at += 2;
        }
        if self.is("PRIMARY") && self.is_at(self.at + 1, "KEY") {
            self.at += 2;
            table.primary_key = self.names();
        } else if self.is("FOREIGN") && self.is_at(self.at + 1, "KEY") {
            self.at += 2;
            let columns = self.names();
            if self.take("REFERENCES") {
                table.foreign_keys.extend(self.references(columns));
            }
        } else if self.is("UNIQUE") && self.constraint_follows() {
            self.at += 1;
            table.unique_keys.push(self.names());
        } else if !["CHECK", "EXCLUDE", "LIKE"].iter().any(|w| self.is(w) && self.constraint_follows()) {
            self.column(table)?;
        }
        while !matches!(self.peek(), None | Some(Token::Comma | Token::RParen)) {
            self.skip();
        }
        Ok(())
    }

    /// Tells the constraint `UNIQUE (a)` from a column that is named so.
    fn constraint_follows(&self) -> bool {
        matches!(self.tokens.get(self.at + 1), Some(Token::LParen)) || self.is("LIKE") || self.is("EXCLUDE")
    }

    fn column(&mut self, table: &mut Table) -> Result<(), SqlRejection> {
        // Some exports leave names that begin with a digit unquoted.
        let digits = match self.peek() {
            Some(Token::Number(digits, _)) => {
                self.at += 1;
                digits.as_str()
            }
            _ => "",
        };
        let Some(name) = self.ident() else { return self.unexpected("a column name") };
        let name = format!("{digits}{name}");
        let data_type = self.data_type();
        let mut column = Column { name: name.clone(), data_type, nullable: true, comment: None };
        loop {
            match self.peek() {
                None | Some(Token::Comma | Token::RParen) => break,
                _ if self.is("NOT") && self.is_at(self.at + 1, "NULL") => {
                    column.nullable = false;
                    self.at += 2;
                }
                _ if self.is("PRIMARY") && self.is_at(self.at + 1, "KEY") => {
                    table.primary_key.push(name.clone());
                    self.at += 2;
                }
                _ if self.is("UNIQUE") => {
                    self.at += 1;
                    table.unique_keys.push(vec![name.clone()]);
                }
                _ if self.is("REFERENCES") => {
                    self.at += 1;
                    table.foreign_keys.extend(self.references(vec![name.clone()]));
                }
                _ if self.is("COMMENT") => {
                    self.at += 1;
                    self.eat(&Token::Eq);
                    column.comment = self.text().filter(|c| !c.is_empty());
                }
                _ if self.is("OPTIONS") => column.comment = self.description().or(column.comment),
                _ => self.skip(),
            }
        }
        table.columns.push(column);
        Ok(())
    }

    /// `OPTIONS(description="...", ...)`.
    fn description(&mut self) -> Option<String> {
        self.at += 1;
        let end = {
            let mut ahead = Reader { tokens: self.tokens, at: self.at, dialect: self.dialect };
            ahead.skip();
            ahead.at
        };
        let mut found = None;
        while self.at < end {
            if self.take("description") && self.eat(&Token::Eq) {
                found = self.text().filter(|c| !c.is_empty());
            } else {
                self.at += 1;
            }
        }
        found
    }

    /// The type as written, with single blanks.
    fn data_type(&mut self) -> String {
        let mut text = String::new();
        let (mut brackets, mut angles) = (0usize, 0usize);
        while let Some(token) = self.peek() {
            let top = brackets == 0 && angles == 0;
            let zone = self.is("WITH") && (self.is_at(self.at + 1, "TIME") || self.is_at(self.at + 1, "LOCAL"));
            let stops = AFTER_TYPE.iter().any(|w| self.is(w)) && !zone;
            if top && (matches!(token, Token::Comma | Token::RParen) || stops) {
                break;
            }
            match token {
                Token::LParen => brackets += 1,
                Token::RParen => brackets = brackets.saturating_sub(1),
                Token::Lt => angles += 1,
                Token::Gt => angles = angles.saturating_sub(1),
                Token::ShiftRight => angles = angles.saturating_sub(2),
                _ => {}
            }
            let tight = matches!(
                token,
                Token::LParen
                    | Token::RParen
                    | Token::Comma
                    | Token::Lt
                    | Token::Gt
                    | Token::ShiftRight
                    | Token::LBracket
                    | Token::RBracket
                    | Token::Period
            );
            let joined = text.ends_with(['(', '<', '[', '.']) || (angles == 0 && text.ends_with(','));
            if !tight && !text.is_empty() && !joined {
                text.push(' ');
            }
            text.push_str(&token.to_string());
            self.at += 1;
        }
        text
    }

    /// A comment among the options behind the columns.
    fn trailing_comment(&mut self) -> Option<String> {
        let mut comment = None;
        while self.peek().is_some() && !self.is("AS") {
            if self.is("OPTIONS") {
                comment = self.description().or(comment);
            } else if self.take("COMMENT") {
                self.eat(&Token::Eq);
                comment = self.text().filter(|c| !c.is_empty()).or(comment);
            } else {
                self.skip();
            }
        }
        comment
    }

    fn view(&mut self) -> Result<Said, SqlRejection> {
        self.if_not_exists();
        let name = self.name()?;
        let mut columns = Vec::new();
        if self.eat(&Token::LParen) {
            let mut declared = Table {
                name: name.clone(),
                kind: TableKind::View,
                comment: None,
                row_count: None,
                columns: vec![],
                primary_key: vec![],
                unique_keys: vec![],
                foreign_keys: vec![],
            };
            while !matches!(self.peek(), None | Some(Token::RParen)) {
                self.item(&mut declared)?;
                if !self.eat(&Token::Comma) {
                    break;
                }
            }
            self.eat(&Token::RParen);
            columns = declared.columns;
        }
        let comment = self.trailing_comment();
        self.take("AS");
        Ok(Said::View { name, columns, comment, query_at: self.at })
    }

    fn alter(&mut self) -> Said {
        if self.is("IF") {
            self.at += 2;
        }
        self.take("ONLY");
        let Ok(name) = self.name() else { return Said::Nothing };
        let mut table = empty_table(name.clone());
        while self.peek().is_some() {
            let adds = self.take("ADD");
            let keys = ["CONSTRAINT", "PRIMARY", "FOREIGN", "UNIQUE"];
            if adds && keys.iter().any(|word| self.is(word)) {
                let _ = self.item(&mut table);
            } else {
                self.skip();
            }
        }
        Said::Keys(table)
    }

    /// `[name] ON table (columns)` of a whole unique index; `None` where it is one of expressions or of some rows.
    fn unique_index(&mut self) -> Option<Table> {
        while !self.take("ON") {
            self.peek()?;
            self.at += 1;
        }
        self.take("ONLY");
        let mut table = empty_table(self.name().ok()?);
        if self.take("USING") {
            self.ident()?;
        }
        let end = {
            let mut ahead = Reader { tokens: self.tokens, at: self.at, dialect: self.dialect };
            ahead.skip();
            ahead.at
        };
        // Brackets inside are of a function, or of a part of the text.
        let plain = !self.tokens[self.at..end].iter().skip(1).any(|token| *token == Token::LParen);
        let columns = self.names();
        let whole =
            self.tokens[end..].iter().all(|t| !matches!(t, Token::Word(w) if w.value.eq_ignore_ascii_case("WHERE")));
        table.unique_keys.extend(Some(columns).filter(|columns| !columns.is_empty()));
        (plain && whole && self.at == end).then_some(table)
    }

    fn comment_on(&mut self) -> Said {
        let column = self.is("COLUMN");
        if !column && !self.is("TABLE") && !self.is("VIEW") {
            return Said::Nothing;
        }
        self.at += 1;
        let mut parts = Vec::new();
        while let Some(part) = self.ident() {
            parts.push(part);
            if !self.eat(&Token::Period) {
                break;
            }
        }
        let name = if column { parts.pop() } else { None };
        if !self.take("IS") || parts.is_empty() {
            return Said::Nothing;
        }
        let Some(comment) = self.text().filter(|c| !c.is_empty()) else { return Said::Nothing };
        let table = table_name(parts, self.dialect);
        match name {
            Some(name) => Said::ColumnComment(table, name, comment),
            None => Said::TableComment(table, comment),
        }
    }
}

/// A name of as many parts as were written; the default schema is left out.
fn table_name(mut parts: Vec<String>, dialect: Dialect) -> TableName {
    let name = parts.pop().unwrap_or_default();
    let schema = parts.pop();
    let catalog = (!parts.is_empty()).then(|| parts.join("."));
    let default = match dialect {
        Dialect::Postgres => Some("public"),
        Dialect::Sqlite | Dialect::Duckdb => Some("main"),
        Dialect::Snowflake | Dialect::Bigquery => None,
    };
    let schema = schema.filter(|s| catalog.is_some() || !default.is_some_and(|d| s.eq_ignore_ascii_case(d)));
    TableName { catalog, schema, name }
}

fn empty_table(name: TableName) -> Table {
    Table {
        name,
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: vec![],
        primary_key: vec![],
        unique_keys: vec![],
        foreign_keys: vec![],
    }
}
