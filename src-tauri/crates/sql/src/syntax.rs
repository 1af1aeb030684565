//! The only door to the parser: size and depth are bounded first, and readings that differ between this parser and
//! an engine's own lexer are refused, because a hidden statement could stand in the difference.

use crate::SqlRejection;
use sqlparser::ast::Statement;
use sqlparser::dialect::{
    BigQueryDialect, Dialect as Grammar, DuckDbDialect, PostgreSqlDialect, SQLiteDialect, SnowflakeDialect,
};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer, Whitespace};
use vitrine_domain::Dialect;

/// The longest statement that is read at all.
pub(crate) const MAX_BYTES: usize = 256 * 1024;
/// The deepest nesting of brackets.
const MAX_BRACKETS: usize = 60;
/// The most tokens between two commas of one bracket level: bounds chains such as `1 + 1 + 1 ...`, which the parser
/// nests to the left without limit.
const MAX_CHAIN: usize = 4_000;
/// The most joins and set operations, which nest in the same way.
const MAX_NESTING_WORDS: usize = 300;
/// How deep the parser itself may recurse.
const MAX_RECURSION: usize = 160;

/// Runs a walk over a syntax tree with room for the deepest tree that the limits above let through.
pub(crate) fn deep<T>(walk: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(24 << 20, 32 << 20, walk)
}

pub(crate) fn grammar(dialect: Dialect) -> &'static dyn Grammar {
    match dialect {
        Dialect::Sqlite => &SQLiteDialect {},
        Dialect::Duckdb => &DuckDbDialect,
        Dialect::Snowflake => &SnowflakeDialect,
        Dialect::Bigquery => &BigQueryDialect,
        Dialect::Postgres => &PostgreSqlDialect {},
    }
}

/// Splits text into tokens that know where they stand.
pub(crate) fn tokens(sql: &str, dialect: Dialect) -> Result<Vec<TokenWithSpan>, SqlRejection> {
    if sql.len() > MAX_BYTES {
        return Err(SqlRejection::TooLong { bytes: sql.len(), limit: MAX_BYTES });
    }
    Tokenizer::new(grammar(dialect), sql).tokenize_with_location().map_err(|e| SqlRejection::Syntax {
        message: e.message,
        line: e.location.line,
        column: e.location.column,
    })
}

/// Parses tokens. Must run inside [`deep`], and its result must be dropped there.
pub(crate) fn parse_tokens(tokens: Vec<TokenWithSpan>, dialect: Dialect) -> Result<Vec<Statement>, SqlRejection> {
    bounded(&tokens)?;
    let tokens = plain_names(tokens, dialect);
    Parser::new(grammar(dialect))
        .with_recursion_limit(MAX_RECURSION)
        .with_tokens_with_locations(tokens)
        .parse_statements()
        .map_err(syntax_error)
}

/// Takes the meaning from words that are no keywords where they stand, so that they can be names: SQLite knows far
/// fewer than this parser, and nowhere is `interval` one that no value follows. PostgreSQL makes small letters of names
/// without quotes, so that from here on they are what it reads.
fn plain_names(mut tokens: Vec<TokenWithSpan>, dialect: Dialect) -> Vec<TokenWithSpan> {
    const NOT_IN_SQLITE: &[&str] = &[
        "ANTI",
        "ARRAY",
        "ASOF",
        "CLUSTER",
        "CONNECT",
        "DATE",
        "DATETIME",
        "DISTRIBUTE",
        "EXTRACT",
        "FETCH",
        "FORMAT",
        "ILIKE",
        "INTERVAL",
        "JSON_TABLE",
        "LATERAL",
        "LOCK",
        "MAP",
        "MATCH_RECOGNIZE",
        "OPENJSON",
        "OVERLAY",
        "PIVOT",
        "POSITION",
        "PREWHERE",
        "QUALIFY",
        "RLIKE",
        "SAMPLE",
        "SEMI",
        "SETTINGS",
        "SIMILAR",
        "SORT",
        "START",
        "STRUCT",
        "TABLESAMPLE",
        "TIME",
        "TIMESTAMP",
        "TOP",
        "UNNEST",
        "UNPIVOT",
        "VIEW",
        "XMLTABLE",
    ];
    const NO_VALUE: &[&str] = &[
        "FROM", "LIKE", "IN", "IS", "AS", "AND", "OR", "BETWEEN", "NOT", "ASC", "DESC", "GROUP", "ORDER", "THEN",
        "ELSE", "END",
    ];
    let mut value_follows = false;
    for token in tokens.iter_mut().rev() {
        if !matters(&token.token) {
            continue;
        }
        if let Token::Word(word) = &mut token.token
            && word.quote_style.is_none()
        {
            if dialect == Dialect::Postgres {
                word.value.make_ascii_lowercase();
            }
            let is = |list: &[&str]| list.iter().any(|k| word.value.eq_ignore_ascii_case(k));
            let name = (dialect == Dialect::Sqlite && is(NOT_IN_SQLITE)) || (is(&["INTERVAL"]) && !value_follows);
            value_follows = !is(NO_VALUE);
            if name {
                word.keyword = Keyword::NoKeyword;
            }
        } else {
            value_follows = matches!(
                token.token,
                Token::Number(..) | Token::SingleQuotedString(_) | Token::LParen | Token::Minus | Token::Word(_)
            );
        }
    }
    tokens
}

fn syntax_error(error: ParserError) -> SqlRejection {
    let text = match error {
        ParserError::RecursionLimitExceeded => return SqlRejection::TooDeep,
        ParserError::TokenizerError(text) | ParserError::ParserError(text) => text,
    };
    let place = text.rfind(" at Line: ");
    let (message, place) = place.map_or((text.as_str(), ""), |at| text.split_at(at));
    let mut numbers = place.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<u64>().ok());
    SqlRejection::Syntax {
        message: message.to_owned(),
        line: numbers.next().unwrap_or(0),
        column: numbers.next().unwrap_or(0),
    }
}

/// Refuses text whose tree could be too deep to walk.
fn bounded(tokens: &[TokenWithSpan]) -> Result<(), SqlRejection> {
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

/// Refuses what this parser and an engine may split differently into tokens.
pub(crate) fn unambiguous(tokens: &[TokenWithSpan], sql: &str, dialect: Dialect) -> Result<(), SqlRejection> {
    let unclear = |what: &str| Err(SqlRejection::Unclear { what: what.to_owned() });
    if sql.contains('\0') {
        return unclear("a NUL character");
    }
    for pair in tokens.windows(2) {
        if let (Token::Word(word), Token::SingleQuotedString(_)) = (&pair[0].token, &pair[1].token)
            && word.quote_style.is_none()
            && word.value.eq_ignore_ascii_case("e")
            && dialect != Dialect::Sqlite
        {
            return unclear("an escape string E'...'; use an ordinary string");
        }
    }
    for token in tokens {
        match &token.token {
            Token::Whitespace(Whitespace::MultiLineComment(text)) if text.contains("/*") => {
                return unclear("a comment inside a comment");
            }
            Token::Whitespace(Whitespace::SingleLineComment { comment, .. })
                if comment.trim_end_matches(['\r', '\n']).contains('\r') =>
            {
                return unclear("a carriage return inside a comment");
            }
            _ => {}
        }
    }
    Ok(())
}

/// Turns the parser's line and column into an offset in the text.
pub(crate) struct Offsets<'a> {
    sql: &'a str,
    lines: Vec<usize>,
}

impl<'a> Offsets<'a> {
    pub(crate) fn new(sql: &'a str) -> Self {
        let starts = sql.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        Self { sql, lines: std::iter::once(0).chain(starts).collect() }
    }

    pub(crate) fn at(&self, place: Location) -> usize {
        let line = usize::try_from(place.line).unwrap_or(1).saturating_sub(1);
        let Some(&start) = self.lines.get(line) else { return self.sql.len() };
        let column = usize::try_from(place.column).unwrap_or(1).saturating_sub(1);
        self.sql[start..].char_indices().nth(column).map_or(self.sql.len(), |(i, _)| start + i)
    }
}

/// Whether a token carries meaning.
pub(crate) fn matters(token: &Token) -> bool {
    !matches!(token, Token::Whitespace(_) | Token::EOF)
}
