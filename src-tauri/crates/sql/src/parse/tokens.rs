//! Converts text to tokens. Size is limited. Text that this parser and an engine's own lexer may read differently is
//! rejected, because the difference could hide a statement.

use super::clickhouse;
use super::databricks;
use super::matters::is_significant;
use super::mssql;
use super::mysql;
use super::mysql_grammar::MysqlGrammar;
use super::rejection::SqlRejection;
use super::trino::TrinoGrammar;
use sqlparser::dialect::{
    BigQueryDialect, ClickHouseDialect, DatabricksDialect, Dialect as Grammar, DuckDbDialect, MsSqlDialect,
    PostgreSqlDialect, SQLiteDialect, SnowflakeDialect,
};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer, Whitespace};
use vitrine_domain::Dialect;
use vitrine_words::tr;

/// Maximum length of a statement, in bytes.
pub(crate) const MAX_BYTES: usize = 256 * 1024;
/// Maximum nesting depth of brackets.
const MAX_BRACKETS: usize = 60;
/// Maximum number of tokens between two commas of one bracket level. Limits chains such as `1 + 1 + 1 ...`, which the
/// parser nests to the left without limit.
const MAX_CHAIN: usize = 4_000;
/// Maximum number of joins and set operations, which nest in the same way.
pub(super) const MAX_NESTING_WORDS: usize = 300;

/// Returns the parser's grammar for a dialect.
pub fn grammar_for(dialect: Dialect) -> &'static dyn Grammar {
    match dialect {
        Dialect::Sqlite => &SQLiteDialect {},
        Dialect::Duckdb => &DuckDbDialect,
        Dialect::Snowflake => &SnowflakeDialect,
        Dialect::Bigquery => &BigQueryDialect,
        Dialect::Postgres => &PostgreSqlDialect {},
        Dialect::Mysql => &MysqlGrammar,
        Dialect::Clickhouse => &ClickHouseDialect {},
        Dialect::Databricks => &DatabricksDialect {},
        Dialect::Trino => &TrinoGrammar,
        Dialect::Mssql => &MsSqlDialect {},
    }
}

/// Splits text into tokens with their positions.
///
/// # Errors
/// Text that is too long, or cannot be split.
pub fn tokenize_sql(sql: &str, dialect: Dialect) -> Result<Vec<TokenWithSpan>, SqlRejection> {
    if sql.len() > MAX_BYTES {
        return Err(SqlRejection::TooLong { bytes: sql.len(), limit: MAX_BYTES });
    }
    // In these dialects the lexer keeps all escapes.
    let raw = matches!(dialect, Dialect::Mysql | Dialect::Clickhouse | Dialect::Databricks);
    let tokens = Tokenizer::new(grammar_for(dialect), sql).with_unescape(!raw).tokenize_with_location();
    let mut tokens = tokens.map_err(|e| SqlRejection::Syntax {
        message: e.message,
        line: e.location.line,
        column: e.location.column,
    })?;
    tokens.iter_mut().for_each(restore_hex_number);
    match dialect {
        Dialect::Databricks => databricks::merge_number_tokens(&mut tokens),
        Dialect::Clickhouse => clickhouse::split_tuple_members(&mut tokens),
        _ => {}
    }
    match dialect {
        Dialect::Mysql | Dialect::Databricks => {
            tokens.iter_mut().for_each(|token| mysql::unescape_token(&mut token.token));
            if dialect == Dialect::Mysql {
                tokens.iter_mut().for_each(|token| mysql::restore_bit_literal(&mut token.token));
            }
        }
        Dialect::Clickhouse => tokens.iter_mut().for_each(|token| clickhouse::unescape_token(&mut token.token)),
        _ => {}
    }
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

/// Returns the first token of the only statement, and its text without a trailing semicolon and anything after it. A
/// trailing comment belongs to the text, so anything appended must begin on a new line.
pub(crate) fn single_statement<'s>(tokens: &[TokenWithSpan], sql: &'s str) -> Result<(Token, &'s str), SqlRejection> {
    let mut end = None;
    let mut closed = false;
    let mut first = None;
    for token in tokens {
        match &token.token {
            Token::Whitespace(Whitespace::SingleLineComment { .. } | Whitespace::MultiLineComment(_))
                if first.is_some() && !closed =>
            {
                end = Some(token.span.end)
            }
            other if !is_significant(other) => {}
            Token::SemiColon => closed = first.is_some(),
            _ if closed => return Err(SqlRejection::NotOneStatement),
            _ => {
                first = first.or_else(|| Some(token.token.clone()));
                end = Some(token.span.end);
            }
        }
    }
    let (Some(first), Some(end)) = (first, end) else { return Err(SqlRejection::Empty) };
    let text = sql[..Offsets::new(sql).byte_offset_at(end)].trim_end();
    Ok((first, text.trim_start_matches(|c: char| c.is_whitespace() || c == ';')))
}

/// Rejects text whose tree could be too deep to walk.
pub(crate) fn check_nesting(tokens: &[TokenWithSpan]) -> Result<(), SqlRejection> {
    let mut chains = vec![0usize];
    let mut nesting = 0usize;
    for token in tokens {
        match &token.token {
            Token::Whitespace(_) => continue,
            Token::LParen | Token::LBracket | Token::LBrace => chains.push(0),
            Token::RParen | Token::RBracket | Token::RBrace => {
                if chains.len() > 1 {
                    chains.pop();
                }
            }
            Token::Comma => {
                if let Some(last) = chains.last_mut() {
                    *last = 0;
                }
                continue;
            }
            Token::Word(word) if word.quote_style.is_none() => {
                let nests = ["JOIN", "UNION", "INTERSECT", "EXCEPT", "MINUS"];
                nesting += usize::from(nests.iter().any(|n| word.value.eq_ignore_ascii_case(n)));
            }
            _ => {}
        }
        if let Some(last) = chains.last_mut() {
            *last += 1;
            if *last > MAX_CHAIN || chains.len() > MAX_BRACKETS || nesting > MAX_NESTING_WORDS {
                return Err(SqlRejection::TooDeep);
            }
        }
    }
    Ok(())
}

/// Rejects text that this parser and an engine may split differently into tokens.
pub(crate) fn reject_ambiguous(tokens: &[TokenWithSpan], sql: &str, dialect: Dialect) -> Result<(), SqlRejection> {
    let unclear = |say: &dyn Fn() -> String| Err(SqlRejection::unclear(say));
    if sql.contains('\0') {
        return unclear(&|| tr!("a NUL character"));
    }
    match dialect {
        Dialect::Mysql => mysql::reject_ambiguous(tokens, sql)?,
        Dialect::Clickhouse => clickhouse::reject_ambiguous(tokens, sql)?,
        Dialect::Databricks => databricks::reject_ambiguous(tokens, sql)?,
        Dialect::Mssql => mssql::reject_multiple_queries(tokens)?,
        _ => {}
    }
    for pair in tokens.windows(2) {
        if let (Token::Word(word), Token::SingleQuotedString(_)) = (&pair[0].token, &pair[1].token)
            && word.quote_style.is_none()
            && word.value.eq_ignore_ascii_case("e")
            && dialect != Dialect::Sqlite
        {
            return unclear(&|| tr!("an escape string E'...'; use an ordinary string"));
        }
        // Some lexers read `0X1F`, `0b101` and `1e` as numbers, others as a number and a name.
        if let (Token::Number(..), Token::Word(word)) = (&pair[0].token, &pair[1].token)
            && word.quote_style.is_none()
            && pair[0].span.end == pair[1].span.start
            && !matches!(dialect, Dialect::Snowflake | Dialect::Bigquery)
        {
            return unclear(&|| tr!("a number that goes on in letters"));
        }
    }
    if dialect == Dialect::Snowflake {
        for token in tokens {
            match &token.token {
                // Snowflake reads another statement after it, which may be of any kind.
                Token::LongArrow => return unclear(&|| tr!("the sign ->>")),
                // Snowflake does not read this as a comment.
                Token::Whitespace(Whitespace::SingleLineComment { prefix, .. }) if prefix == "#" => {
                    return unclear(&|| tr!("the sign #"));
                }
                _ => {}
            }
        }
    }
    if matches!(dialect, Dialect::Duckdb | Dialect::Postgres) && continues_a_string(tokens) {
        return unclear(&|| tr!("a string that goes on after the end of its line"));
    }
    if dialect == Dialect::Postgres && sorts_by_operator(tokens) {
        return unclear(&|| tr!("an order USING an operator"));
    }
    for token in tokens {
        match &token.token {
            // This lexer accepts escapes in them, but no engine does.
            Token::HexStringLiteral(digits) if !digits.chars().all(|c| c.is_ascii_hexdigit()) => {
                return unclear(&|| tr!("bytes X'...' of something other than hexadecimal digits"));
            }
            Token::Whitespace(Whitespace::MultiLineComment(text)) if text.contains("/*") => {
                return unclear(&|| tr!("a comment inside a comment"));
            }
            Token::Whitespace(Whitespace::SingleLineComment { comment, .. })
                if comment.trim_end_matches(['\r', '\n']).contains('\r') =>
            {
                return unclear(&|| tr!("a carriage return inside a comment"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns true if USING is followed by anything but the columns of a join: an operator may call a user-defined
/// function, and the syntax tree has such sort orders in many places.
fn sorts_by_operator(tokens: &[TokenWithSpan]) -> bool {
    let mut after_using = false;
    for token in tokens.iter().map(|token| &token.token).filter(|token| is_significant(token)) {
        // A join's columns in parentheses, or the tables of a DELETE, follow the same word.
        let is_operator = match token {
            Token::LParen => false,
            Token::Word(word) => word.quote_style.is_none() && word.value.eq_ignore_ascii_case("operator"),
            _ => true,
        };
        if after_using && is_operator {
            return true;
        }
        after_using = matches!(token, Token::Word(word) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case("using"));
    }
    false
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
