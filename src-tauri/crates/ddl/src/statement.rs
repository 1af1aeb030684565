//! Parses one statement of a schema script from its tokens.

use crate::reader::{Reader, table_name};
use sqlparser::tokenizer::Token;
use vitrine_domain::{Column, ForeignKey, Table, TableKind, TableName};
use vitrine_sql::SqlRejection;

/// The effect of a statement on tables.
pub(super) enum DdlStatement {
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

/// Returns true if a statement may define tables; others, such as long INSERTs, are skipped.
pub(super) fn may_matter(text: &str) -> bool {
    let code = text.lines().map(str::trim).find(|l| !l.is_empty() && !l.starts_with("--"));
    code.is_some_and(|line| {
        let word: String = line.chars().take_while(char::is_ascii_alphabetic).collect();
        line.starts_with("/*") || ["create", "alter", "comment"].iter().any(|w| word.eq_ignore_ascii_case(w))
    })
}

/// Marks a column of a primary key as NOT NULL.
pub(super) fn not_null(columns: &mut [Column], name: &str) {
    if let Some(column) = columns.iter_mut().find(|c| c.name.eq_ignore_ascii_case(name)) {
        column.nullable = false;
    }
}

/// Keywords that end a column's type.
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

impl Reader<'_> {
    pub(super) fn statement(mut self) -> Result<DdlStatement, SqlRejection> {
        if self.take("CREATE") {
            while let Some(Token::Word(word)) = self.peek() {
                let (table, view) = (self.is("TABLE"), self.is("VIEW"));
                if table || view {
                    self.at += 1;
                    return if table { self.table() } else { self.view() };
                }
                if self.is("UNIQUE") && self.is_at(self.at + 1, "INDEX") {
                    self.at += 2;
                    return Ok(self.unique_index().map_or(DdlStatement::Nothing, DdlStatement::Keys));
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
        Ok(DdlStatement::Nothing)
    }

    fn references(&mut self, columns: Vec<String>) -> Option<ForeignKey> {
        let ref_table = self.name().ok()?;
        let ref_columns = self.names();
        Some(ForeignKey { columns, ref_table, ref_columns })
    }

    fn table(&mut self) -> Result<DdlStatement, SqlRejection> {
        self.if_not_exists();
        let name = self.name()?;
        let mut table = empty_table(name);
        if !self.eat(&Token::LParen) {
            return Ok(DdlStatement::Nothing);
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
        Ok(DdlStatement::Table(table))
    }

    fn if_not_exists(&mut self) {
        if self.is("IF") && self.is_at(self.at + 1, "NOT") {
            self.at += 3;
        }
    }

    /// Parses a column or a constraint, up to the comma or parenthesis that ends it.
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

    /// Distinguishes the constraint `UNIQUE (a)` from a column of that name.
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

    /// Parses `OPTIONS(description="...", ...)`.
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

    /// Reads the type as written, with single blanks.
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

    /// Parses a comment among the table options.
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

    fn view(&mut self) -> Result<DdlStatement, SqlRejection> {
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
                definition: None,
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
        Ok(DdlStatement::View { name, columns, comment, query_at: self.at })
    }

    fn alter(&mut self) -> DdlStatement {
        if self.is("IF") {
            self.at += 2;
        }
        self.take("ONLY");
        let Ok(name) = self.name() else { return DdlStatement::Nothing };
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
        DdlStatement::Keys(table)
    }

    /// Parses `[name] ON table (columns)` of a unique index; `None` for indexes on expressions and partial indexes.
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
        // Nested parentheses belong to a function or a prefix length.
        let plain = !self.tokens[self.at..end].iter().skip(1).any(|token| *token == Token::LParen);
        let columns = self.names();
        let whole =
            self.tokens[end..].iter().all(|t| !matches!(t, Token::Word(w) if w.value.eq_ignore_ascii_case("WHERE")));
        table.unique_keys.extend(Some(columns).filter(|columns| !columns.is_empty()));
        (plain && whole && self.at == end).then_some(table)
    }

    fn comment_on(&mut self) -> DdlStatement {
        let column = self.is("COLUMN");
        if !column && !self.is("TABLE") && !self.is("VIEW") {
            return DdlStatement::Nothing;
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
            return DdlStatement::Nothing;
        }
        let Some(comment) = self.text().filter(|c| !c.is_empty()) else { return DdlStatement::Nothing };
        let table = table_name(parts, self.dialect);
        match name {
            Some(name) => DdlStatement::ColumnComment(table, name, comment),
            None => DdlStatement::TableComment(table, comment),
        }
    }
}

fn empty_table(name: TableName) -> Table {
    Table {
        name,
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: vec![],
        primary_key: vec![],
        definition: None,
        unique_keys: vec![],
        foreign_keys: vec![],
    }
}
