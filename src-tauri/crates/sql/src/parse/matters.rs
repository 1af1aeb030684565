//! Which tokens say something.

use sqlparser::tokenizer::Token;

/// Whether a token carries meaning.
pub fn matters(token: &Token) -> bool {
    !matches!(token, Token::Whitespace(_) | Token::EOF)
}
