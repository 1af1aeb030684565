//! SQLite has far fewer keywords than the parser, and index hints that the parser lacks.

use crate::token::is_significant;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// Keywords of the parser that are names in SQLite.
pub(super) const KEYWORDS_AS_NAMES: &[&str] = &[
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
