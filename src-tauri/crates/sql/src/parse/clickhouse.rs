//! ClickHouse's lexer, where it differs from the parser's: escapes in texts and names, further kinds of comments and of texts.

use super::mysql::{blanks, blanks_inside, text};
use super::rejection::SqlRejection;
use sqlparser::tokenizer::{Token, TokenWithSpan, Whitespace, Word};
use vitrine_words::tr;

/// Texts and quoted names as the tree holds them: the lexer has left all escapes in. In a text, escapes other than those of
/// quotes stay, so that the tree written out is read as the same text again.
pub(super) fn unescape(token: &mut Token) {
    match token {
        Token::SingleQuotedString(raw) => *raw = text(raw, '\''),
        Token::Word(Word { value, quote_style: Some(quote @ ('`' | '"')), .. }) => {
            *value = value.replace(&format!("{quote}{quote}"), &quote.to_string());
        }
        _ => {}
    }
}

/// Rejects what ClickHouse reads in another way, or what only it knows: a kind of token that is not listed here may hide
/// anything.
pub(super) fn unambiguous(tokens: &[TokenWithSpan], sql: &str) -> Result<(), SqlRejection> {
    let unclear = |say: &dyn Fn() -> String| Err(SqlRejection::unclear(say));
    if blanks(sql) > tokens.iter().map(|token| blanks_inside(&token.token)).sum() {
        return unclear(&|| tr!("a blank that is no ordinary one"));
    }
    for pair in tokens.windows(2) {
        if pair.iter().all(|token| token.token == Token::Div) {
            return unclear(&|| tr!("a comment that begins with {sign}; write --", sign = "//"));
        }
    }
    for token in tokens {
        match &token.token {
            // There, the quote behind a backslash belongs to the name.
            Token::Word(Word { value, quote_style: Some(_), .. }) if value.contains('\\') => {
                return unclear(&|| tr!("a backslash in a name"));
            }
            Token::Word(Word { quote_style: None | Some('`' | '"'), .. })
            | Token::EOF
            | Token::Number(..)
            | Token::SingleQuotedString(_)
            | Token::Comma
            | Token::Eq
            | Token::DoubleEq
            | Token::Neq
            | Token::Lt
            | Token::Gt
            | Token::LtEq
            | Token::GtEq
            | Token::Plus
            | Token::Minus
            | Token::Mul
            | Token::Div
            | Token::Mod
            | Token::StringConcat
            | Token::LParen
            | Token::RParen
            | Token::LBracket
            | Token::RBracket
            | Token::Period
            | Token::DoubleColon
            | Token::SemiColon
            | Token::Arrow
            | Token::Placeholder(_) => {}
            Token::Whitespace(Whitespace::SingleLineComment { prefix, .. }) if prefix != "--" => {
                return unclear(&|| tr!("a comment that begins with {sign}; write --", sign = prefix));
            }
            Token::Whitespace(_) => {}
            Token::LBrace | Token::RBrace => return unclear(&|| tr!("braces: parameters and maps are not read here")),
            other => return unclear(&|| tr!("`{token}`, which is not known here", token = other)),
        }
    }
    Ok(())
}
