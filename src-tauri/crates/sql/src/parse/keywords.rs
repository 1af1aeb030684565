//! Keyword fixes: changes words before parsing that this parser reads differently from the engines.

use super::matters::is_significant;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};
use vitrine_domain::Dialect;

/// Turns keywords into plain words where they can be names: SQLite has far fewer keywords than this parser, and
/// `interval` without a value is a keyword in no dialect. Unquoted names are folded to lower case for PostgreSQL.
pub(super) fn plain_names(mut tokens: Vec<TokenWithSpan>, dialect: Dialect) -> Vec<TokenWithSpan> {
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
        if !is_significant(&token.token) {
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

/// Rewrites `x ISNULL` as `x IS NULL`, because the parser reads the word as an alias of `x`.
pub(super) fn is_null(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    const BEFORE_A_VALUE: &[&str] = &[
        "SELECT", "DISTINCT", "ALL", "WHERE", "HAVING", "ON", "AND", "OR", "NOT", "BY", "WHEN", "THEN", "ELSE", "CASE",
        "AS", "IN", "LIKE", "BETWEEN", "IS", "FROM", "JOIN", "WITH", "VALUES", "LIMIT", "OFFSET", "QUALIFY",
    ];
    let told: Vec<usize> = (0..tokens.len()).filter(|&at| is_significant(&tokens[at].token)).collect();
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

/// Removes `INDEXED BY name` and `NOT INDEXED`, which affect SQLite's speed but not its result.
pub(super) fn without_index_hints(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let places: Vec<usize> = (0..tokens.len()).filter(|&at| is_significant(&tokens[at].token)).collect();
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
