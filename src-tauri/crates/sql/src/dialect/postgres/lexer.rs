//! Sort orders of PostgreSQL that may call a function.

use crate::token::is_significant;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// Returns true if USING is followed by anything but the columns of a join: an operator may call a user-defined
/// function, and the syntax tree has such sort orders in many places.
pub(super) fn sorts_by_operator(tokens: &[TokenWithSpan]) -> bool {
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
