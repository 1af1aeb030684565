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
/// The most queries that the views of a WITH clause may come to where each is read in the place of its name.
const MAX_EXPANSION: u64 = 20_000;
/// How deep the parser itself may recurse.
const MAX_RECURSION: usize = 160;

/// Runs a walk over a syntax tree with room for the deepest tree that the limits above let through.
pub(crate) fn deep<T>(walk: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(24 << 20, 32 << 20, walk)
}

/// The parser's rules for a dialect.
pub fn grammar(dialect: Dialect) -> &'static dyn Grammar {
    match dialect {
        Dialect::Sqlite => &SQLiteDialect {},
        Dialect::Duckdb => &DuckDbDialect,
        Dialect::Snowflake => &SnowflakeDialect,
        Dialect::Bigquery => &BigQueryDialect,
        Dialect::Postgres => &PostgreSqlDialect {},
    }
}

/// Splits text into tokens that know where they stand.
///
/// # Errors
/// Text that is too long, and text that cannot be split.
pub fn tokens(sql: &str, dialect: Dialect) -> Result<Vec<TokenWithSpan>, SqlRejection> {
    if sql.len() > MAX_BYTES {
        return Err(SqlRejection::TooLong { bytes: sql.len(), limit: MAX_BYTES });
    }
    let tokens = Tokenizer::new(grammar(dialect), sql).tokenize_with_location();
    let mut tokens = tokens.map_err(|e| SqlRejection::Syntax {
        message: e.message,
        line: e.location.line,
        column: e.location.column,
    })?;
    tokens.iter_mut().for_each(numeric);
    Ok(tokens)
}

/// Makes a number of `0x1F` again, which the parser takes for the bytes `X'1F'`. The text of the bytes is one quote longer.
fn numeric(token: &mut TokenWithSpan) {
    if let Token::HexStringLiteral(digits) = &token.token
        && token.span.start.line == token.span.end.line
        && token.span.end.column - token.span.start.column == digits.chars().count() as u64 + 2
    {
        token.token = Token::Number(format!("0x{digits}"), false);
    }
}

/// Parses tokens. Must run inside [`deep`], and its result must be dropped there.
pub(crate) fn parse_tokens(tokens: Vec<TokenWithSpan>, dialect: Dialect) -> Result<Vec<Statement>, SqlRejection> {
    bounded(&tokens)?;
    let mut tokens = is_null(plain_names(tokens, dialect));
    if dialect == Dialect::Sqlite {
        tokens = without_index_hints(tokens);
    }
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

/// Writes `x ISNULL` as `x IS NULL`: the parser takes the word for a name of its own that `x` is given.
fn is_null(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    const BEFORE_A_VALUE: &[&str] = &[
        "SELECT", "DISTINCT", "ALL", "WHERE", "HAVING", "ON", "AND", "OR", "NOT", "BY", "WHEN", "THEN", "ELSE", "CASE",
        "AS", "IN", "LIKE", "BETWEEN", "IS", "FROM", "JOIN", "WITH", "VALUES", "LIMIT", "OFFSET", "QUALIFY",
    ];
    let told: Vec<usize> = (0..tokens.len()).filter(|&at| matters(&tokens[at].token)).collect();
    let mut found = vec![false; tokens.len()];
    for trio in told.windows(2) {
        let next = told.get(told.partition_point(|&place| place <= trio[1])).map(|&place| &tokens[place].token);
        let is = matches!(
            &tokens[trio[1]].token,
            Token::Word(w) if w.quote_style.is_none() && w.value.eq_ignore_ascii_case("ISNULL")
        );
        let value = match &tokens[trio[0]].token {
            Token::Word(w) => {
                w.quote_style.is_some() || !BEFORE_A_VALUE.iter().any(|k| w.value.eq_ignore_ascii_case(k))
            }
            Token::Number(..) | Token::SingleQuotedString(_) | Token::RParen | Token::RBracket => true,
            _ => false,
        };
        found[trio[1]] = is && value && !matches!(next, Some(Token::LParen | Token::Period));
    }
    let mut written = Vec::with_capacity(tokens.len());
    for (token, found) in tokens.into_iter().zip(found) {
        let word = |text: &str| TokenWithSpan { token: Token::make_keyword(text), span: token.span };
        if found { written.extend([word("IS"), word("NULL")]) } else { written.push(token) }
    }
    written
}

/// Leaves out `INDEXED BY name` and `NOT INDEXED`, which change how fast SQLite answers and not what.
fn without_index_hints(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let places: Vec<usize> = (0..tokens.len()).filter(|&at| matters(&tokens[at].token)).collect();
    let word = |at: usize, wanted: &str| {
        let token = places.get(at).map(|&place| &tokens[place].token);
        matches!(token, Some(Token::Word(w)) if w.quote_style.is_none() && w.value.eq_ignore_ascii_case(wanted))
    };
    let name = |at: usize| {
        let token = |at: usize| places.get(at).map(|&place| &tokens[place].token);
        matches!(token(at), Some(Token::Word(_))) && !matches!(token(at + 1), Some(Token::LParen | Token::Period))
    };
    let mut left_out = vec![false; tokens.len()];
    for at in 0..places.len() {
        let length = match () {
            () if word(at, "INDEXED") && word(at + 1, "BY") && name(at + 2) => 3,
            () if word(at, "NOT") && word(at + 1, "INDEXED") => 2,
            () => 0,
        };
        places[at..at + length].iter().for_each(|&place| left_out[place] = true);
    }
    tokens.into_iter().zip(left_out).filter(|(_, left_out)| !left_out).map(|(token, _)| token).collect()
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
pub(crate) fn bounded(tokens: &[TokenWithSpan]) -> Result<(), SqlRejection> {
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

/// The words and signs of a text as they may be told apart without a tree.
pub(crate) struct Told<'t>(Vec<&'t Token>);

impl<'t> Told<'t> {
    pub(crate) fn new(tokens: &'t [TokenWithSpan]) -> Self {
        Self(tokens.iter().map(|token| &token.token).filter(|token| matters(token)).collect())
    }

    fn word(&self, at: usize) -> Option<String> {
        match self.0.get(at) {
            Some(Token::Word(word)) => Some(word.value.to_lowercase()),
            _ => None,
        }
    }

    fn is(&self, at: usize, wanted: &str) -> bool {
        self.word(at).is_some_and(|word| word == wanted)
    }

    /// The views that are defined, in small letters, and the bracket that opens the definition of each.
    fn views(&self) -> Vec<(String, usize)> {
        let mut views = Vec::new();
        for at in (0..self.0.len()).filter(|&at| self.is(at, "as")) {
            let mut opening = at + 1;
            while self.is(opening, "not") || self.is(opening, "materialized") {
                opening += 1;
            }
            let before = match at.checked_sub(1).map(|before| self.0[before]) {
                Some(Token::RParen) => {
                    (0..at).rev().find(|&place| *self.0[place] == Token::LParen).and_then(|p| p.checked_sub(1))
                }
                _ => at.checked_sub(1),
            };
            if self.0.get(opening) == Some(&&Token::LParen)
                && let Some(name) = before.and_then(|before| self.word(before))
            {
                views.push((name, opening));
            }
        }
        views
    }

    /// The name, in small letters, of what may be read as a table at a place.
    fn read(&self, at: usize) -> Option<String> {
        const BEFORE: &[&str] = &["from", "join", "in", "pivot", "pivot_wider", "unpivot"];
        let before = at.checked_sub(1)?;
        let reads = matches!(self.0[before], Token::Comma | Token::LParen)
            || self.word(before).is_some_and(|word| BEFORE.contains(&word.as_str()));
        let whole = !matches!(self.0.get(at + 1), Some(Token::Period | Token::LParen));
        self.word(at).filter(|_| reads && whole)
    }

    /// The names, in small letters, of what may be read as tables, but for the text's own views.
    pub(crate) fn tables(&self) -> Vec<String> {
        let own = self.views();
        let read = (0..self.0.len()).filter_map(|at| self.read(at));
        read.filter(|name| own.iter().all(|(own, _)| own != name)).collect()
    }
}

/// Refuses views that double again and again: SQLite puts each in the place of its name before anything can stop it.
pub(crate) fn expandable(tokens: &[TokenWithSpan]) -> Result<(), SqlRejection> {
    let told = Told::new(tokens);
    // Which bracket opens the definition of which view.
    let views = told.views();
    if views.len() > MAX_NESTING_WORDS {
        return Err(SqlRejection::TooDeep);
    }
    // How often each reads which; the last of all is the query itself.
    let mut reads = vec![Vec::new(); views.len() + 1];
    let mut open: Vec<usize> = vec![views.len()];
    for at in 0..told.0.len() {
        match told.0[at] {
            Token::LParen => {
                let around = open.last().copied().unwrap_or(views.len());
                open.push(views.iter().position(|(_, opening)| *opening == at).unwrap_or(around));
            }
            Token::RParen => _ = open.pop(),
            _ => {}
        }
        if let Some(name) = told.read(at) {
            let reader = open.last().copied().unwrap_or(views.len());
            reads[reader].extend((0..views.len()).filter(|&view| views[view].0 == name && view != reader));
        }
    }
    let mut sizes = vec![None; reads.len()];
    if size(views.len(), &reads, &mut sizes, 0) > MAX_EXPANSION { Err(SqlRejection::TooDeep) } else { Ok(()) }
}

/// How many queries a view comes to. Views that read each other in a circle are an error of their own.
fn size(view: usize, reads: &[Vec<usize>], sizes: &mut [Option<u64>], depth: usize) -> u64 {
    if let Some(size) = sizes[view] {
        return size;
    }
    if depth > MAX_NESTING_WORDS {
        return MAX_EXPANSION + 1;
    }
    sizes[view] = Some(1);
    let sum = reads[view].iter().fold(1u64, |sum, &read| sum.saturating_add(size(read, reads, sizes, depth + 1)));
    sizes[view] = Some(sum);
    sum
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
        // `0X1F`, `0b101` and `1e` are numbers to one lexer, and to another a number and a name.
        if let (Token::Number(..), Token::Word(word)) = (&pair[0].token, &pair[1].token)
            && word.quote_style.is_none()
            && pair[0].span.end == pair[1].span.start
            && !matches!(dialect, Dialect::Snowflake | Dialect::Bigquery)
        {
            return unclear("a number that goes on in letters");
        }
    }
    if matches!(dialect, Dialect::Duckdb | Dialect::Postgres) && continues_a_string(tokens) {
        return unclear("a string that goes on after the end of its line");
    }
    for token in tokens {
        match &token.token {
            // This lexer knows escapes in them, and no engine does.
            Token::HexStringLiteral(digits) if !digits.chars().all(|c| c.is_ascii_hexdigit()) => {
                return unclear("bytes X'...' of something other than hexadecimal digits");
            }
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

/// Whether two strings have the end of a line between them and nothing else: then they are one.
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

/// Turns the parser's line and column into an offset in the text.
pub struct Offsets<'a> {
    sql: &'a str,
    lines: Vec<usize>,
}

impl<'a> Offsets<'a> {
    /// Finds the beginnings of its lines.
    pub fn new(sql: &'a str) -> Self {
        let starts = sql.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        Self { sql, lines: std::iter::once(0).chain(starts).collect() }
    }

    /// The offset of a place, in bytes; the end of the text where there is no such line.
    pub fn at(&self, place: Location) -> usize {
        let line = usize::try_from(place.line).unwrap_or(1).saturating_sub(1);
        let Some(&start) = self.lines.get(line) else { return self.sql.len() };
        let column = usize::try_from(place.column).unwrap_or(1).saturating_sub(1);
        self.sql[start..].char_indices().nth(column).map_or(self.sql.len(), |(i, _)| start + i)
    }
}

/// Whether a token carries meaning.
pub fn matters(token: &Token) -> bool {
    !matches!(token, Token::Whitespace(_) | Token::EOF)
}
