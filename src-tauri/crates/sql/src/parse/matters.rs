//! Which tokens say something.

use sqlparser::tokenizer::Token;

/// Whether a token carries meaning.
pub fn is_significant(token: &Token) -> bool {
    !matches!(token, Token::Whitespace(_) | Token::EOF)
}
