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
    pub(super) fn parse_statement(mut self) -> Result<DdlStatement, SqlRejection> {
        if self.consume_keyword("CREATE") {
            while let Some(Token::Word(word)) = self.peek() {
                let (table, view) = (self.is_keyword("TABLE"), self.is_keyword("VIEW"));
                if table || view {
                    self.at += 1;
                    return if table { self.parse_create_table() } else { self.parse_create_view() };
                }
                if self.is_keyword("UNIQUE") && self.is_at(self.at + 1, "INDEX") {
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
        } else if self.consume_keyword("ALTER") && self.consume_keyword("TABLE") {
            return Ok(self.parse_alter_table());
        } else if self.consume_keyword("COMMENT") && self.consume_keyword("ON") {
            return Ok(self.comment_on());
        }
        Ok(DdlStatement::Nothing)
    }

    fn parse_references(&mut self, columns: Vec<String>) -> Option<ForeignKey> {
        let ref_table = self.parse_table_name().ok()?;
        let ref_columns = self.parse_identifier_list();
        Some(ForeignKey { columns, ref_table, ref_columns })
    }

    fn parse_create_table(&mut self) -> Result<DdlStatement, SqlRejection> {
        self.if_not_exists();
        let name = self.parse_table_name()?;
        let mut table = empty_table(name);
        if !self.consume_token(&Token::LParen) {
            return Ok(DdlStatement::Nothing);
        }
        while !matches!(self.peek(), None | Some(Token::RParen)) {
            self.parse_table_item(&mut table)?;
            if !self.consume_token(&Token::Comma) {
                break;
            }
        }
        if !self.consume_token(&Token::RParen) {
            return self.unexpected_token("a comma or a closing bracket");
        }
        table.comment = self.trailing_comment();
        for column in table.primary_key.clone() {
            not_null(&mut table.columns, &column);
        }
        Ok(DdlStatement::Table(table))
    }

    fn if_not_exists(&mut self) {
        if self.is_keyword("IF") && self.is_at(self.at + 1, "NOT") {
            self.at += 3;
        }
    }

    /// Parses a column or a constraint, up to the comma or parenthesis that ends it.
    fn parse_table_item(&mut self, table: &mut Table) -> Result<(), SqlRejection> {
        let named =
            ["PRIMARY", "FOREIGN", "UNIQUE", "CHECK", "EXCLUDE", "NOT"].iter().any(|w| self.is_at(self.at + 2, w));
        if self.is_keyword("CONSTRAINT") && named {
            self.at += 2;
        }
        if self.is_keyword("PRIMARY") && self.is_at(self.at + 1, "KEY") {
            self.at += 2;
            table.primary_key = self.parse_identifier_list();
        } else if self.is_keyword("FOREIGN") && self.is_at(self.at + 1, "KEY") {
            self.at += 2;
            let columns = self.parse_identifier_list();
            if self.consume_keyword("REFERENCES") {
                table.foreign_keys.extend(self.parse_references(columns));
            }
        } else if self.is_keyword("UNIQUE") && self.constraint_follows() {
            self.at += 1;
            table.unique_keys.push(self.parse_identifier_list());
        } else if !["CHECK", "EXCLUDE", "LIKE"].iter().any(|w| self.is_keyword(w) && self.constraint_follows()) {
            self.parse_column(table)?;
        }
        while !matches!(self.peek(), None | Some(Token::Comma | Token::RParen)) {
            self.skip_token_tree();
        }
        Ok(())
    }

    /// Distinguishes the constraint `UNIQUE (a)` from a column of that name.
    fn constraint_follows(&self) -> bool {
        matches!(self.tokens.get(self.at + 1), Some(Token::LParen))
            || self.is_keyword("LIKE")
            || self.is_keyword("EXCLUDE")
    }

    fn parse_column(&mut self, table: &mut Table) -> Result<(), SqlRejection> {
        // Some exports leave names that begin with a digit unquoted.
        let digits = match self.peek() {
            Some(Token::Number(digits, _)) => {
                self.at += 1;
                digits.as_str()
            }
            _ => "",
        };
        let Some(name) = self.parse_identifier() else { return self.unexpected_token("a column name") };
        let name = format!("{digits}{name}");
        let data_type = self.data_type();
        let mut column = Column { name: name.clone(), data_type, nullable: true, comment: None };
        loop {
            match self.peek() {
                None | Some(Token::Comma | Token::RParen) => break,
                _ if self.is_keyword("NOT") && self.is_at(self.at + 1, "NULL") => {
                    column.nullable = false;
                    self.at += 2;
                }
                _ if self.is_keyword("PRIMARY") && self.is_at(self.at + 1, "KEY") => {
                    table.primary_key.push(name.clone());
                    self.at += 2;
                }
                _ if self.is_keyword("UNIQUE") => {
                    self.at += 1;
                    table.unique_keys.push(vec![name.clone()]);
                }
                _ if self.is_keyword("REFERENCES") => {
                    self.at += 1;
                    table.foreign_keys.extend(self.parse_references(vec![name.clone()]));
                }
                _ if self.is_keyword("COMMENT") => {
                    self.at += 1;
                    self.consume_token(&Token::Eq);
                    column.comment = self.parse_string().filter(|c| !c.is_empty());
                }
                _ if self.is_keyword("OPTIONS") => column.comment = self.parse_description().or(column.comment),
                _ => self.skip_token_tree(),
            }
        }
        table.columns.push(column);
        Ok(())
    }

    /// Parses `OPTIONS(description="...", ...)` and returns the description.
    fn parse_description(&mut self) -> Option<String> {
        self.at += 1;
        let end = {
            let mut ahead = Reader { tokens: self.tokens, at: self.at, dialect: self.dialect };
            ahead.skip_token_tree();
            ahead.at
        };
        let mut found = None;
        while self.at < end {
            if self.consume_keyword("description") && self.consume_token(&Token::Eq) {
                found = self.parse_string().filter(|c| !c.is_empty());
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
            let zone = self.is_keyword("WITH") && (self.is_at(self.at + 1, "TIME") || self.is_at(self.at + 1, "LOCAL"));
            let stops = AFTER_TYPE.iter().any(|w| self.is_keyword(w)) && !zone;
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
        while self.peek().is_some() && !self.is_keyword("AS") {
            if self.is_keyword("OPTIONS") {
                comment = self.parse_description().or(comment);
            } else if self.consume_keyword("COMMENT") {
                self.consume_token(&Token::Eq);
                comment = self.parse_string().filter(|c| !c.is_empty()).or(comment);
            } else {
                self.skip_token_tree();
            }
        }
        comment
    }

    fn parse_create_view(&mut self) -> Result<DdlStatement, SqlRejection> {
        self.if_not_exists();
        let name = self.parse_table_name()?;
        let mut columns = Vec::new();
        if self.consume_token(&Token::LParen) {
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
                self.parse_table_item(&mut declared)?;
                if !self.consume_token(&Token::Comma) {
                    break;
                }
            }
            self.consume_token(&Token::RParen);
            columns = declared.columns;
        }
        let comment = self.trailing_comment();
        self.consume_keyword("AS");
        Ok(DdlStatement::View { name, columns, comment, query_at: self.at })
    }

    fn parse_alter_table(&mut self) -> DdlStatement {
        if self.is_keyword("IF") {
            self.at += 2;
        }
        self.consume_keyword("ONLY");
        let Ok(name) = self.parse_table_name() else { return DdlStatement::Nothing };
        let mut table = empty_table(name.clone());
        while self.peek().is_some() {
            let adds = self.consume_keyword("ADD");
            let keys = ["CONSTRAINT", "PRIMARY", "FOREIGN", "UNIQUE"];
            if adds && keys.iter().any(|word| self.is_keyword(word)) {
                let _ = self.parse_table_item(&mut table);
            } else {
                self.skip_token_tree();
            }
        }
        DdlStatement::Keys(table)
    }

    /// Parses `[name] ON table (columns)` of a unique index; `None` for indexes on expressions and partial indexes.
    fn unique_index(&mut self) -> Option<Table> {
        while !self.consume_keyword("ON") {
            self.peek()?;
            self.at += 1;
        }
        self.consume_keyword("ONLY");
        let mut table = empty_table(self.parse_table_name().ok()?);
        if self.consume_keyword("USING") {
            self.parse_identifier()?;
        }
        let end = {
            let mut ahead = Reader { tokens: self.tokens, at: self.at, dialect: self.dialect };
            ahead.skip_token_tree();
            ahead.at
        };
        // Nested parentheses belong to a function or a prefix length.
        let plain = !self.tokens[self.at..end].iter().skip(1).any(|token| *token == Token::LParen);
        let columns = self.parse_identifier_list();
        let whole =
            self.tokens[end..].iter().all(|t| !matches!(t, Token::Word(w) if w.value.eq_ignore_ascii_case("WHERE")));
        table.unique_keys.extend(Some(columns).filter(|columns| !columns.is_empty()));
        (plain && whole && self.at == end).then_some(table)
    }

    fn comment_on(&mut self) -> DdlStatement {
        let column = self.is_keyword("COLUMN");
        if !column && !self.is_keyword("TABLE") && !self.is_keyword("VIEW") {
            return DdlStatement::Nothing;
        }
        self.at += 1;
        let mut parts = Vec::new();
        while let Some(part) = self.parse_identifier() {
            parts.push(part);
            if !self.consume_token(&Token::Period) {
                break;
            }
        }
        let name = if column { parts.pop() } else { None };
        if !self.consume_keyword("IS") || parts.is_empty() {
            return DdlStatement::Nothing;
        }
        let Some(comment) = self.parse_string().filter(|c| !c.is_empty()) else { return DdlStatement::Nothing };
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
