//! Distinguishes tokens with meaning from white space and comments.

use sqlparser::tokenizer::Token;

/// Returns true if a token carries meaning.
pub fn is_significant(token: &Token) -> bool {
    !matches!(token, Token::Whitespace(_) | Token::EOF)
}
