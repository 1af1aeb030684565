//! Spark's lexer, where it differs from the parser's: texts that stand side by side, names that are replaced before anything is
//! read, comments that go on in the next line.

use super::matters::matters;
use super::mysql::{blanks, blanks_inside};
use super::rejection::SqlRejection;
use sqlparser::tokenizer::{Token, TokenWithSpan, Whitespace, Word};
use vitrine_words::tr;

/// Rejects what Spark reads in another way, or what only it knows: a kind of token that is not listed here may hide anything.
/// The lexer has left all escapes in texts.
pub(super) fn unambiguous(tokens: &[TokenWithSpan], sql: &str) -> Result<(), SqlRejection> {
    let unclear = |say: &dyn Fn() -> String| Err(SqlRejection::unclear(say));
    if sql.contains("${") {
        return unclear(&|| tr!("`${`, behind which Spark puts the value of a variable"));
    }
    if blanks(sql) > tokens.iter().map(|token| blanks_inside(&token.token)).sum() {
        return unclear(&|| tr!("a blank that is no ordinary one"));
    }
    for pair in tokens.windows(2) {
        if let [Token::Word(word), Token::SingleQuotedString(_)] = [&pair[0].token, &pair[1].token]
            && word.quote_style.is_none()
            && word.value.eq_ignore_ascii_case("r")
        {
            return unclear(&|| tr!("a raw text r'...'; use an ordinary one"));
        }
    }
    let mut after_text = false;
    for token in tokens {
        match &token.token {
            Token::SingleQuotedString(_) if after_text => {
                return unclear(&|| tr!("two texts side by side; write concat(a, b)"));
            }
            Token::Word(Word { value, quote_style: Some(_), .. }) if value.contains('\\') => {
                return unclear(&|| tr!("a backslash in a name"));
            }
            Token::Word(Word { quote_style: None | Some('`'), .. })
            | Token::EOF
            | Token::Number(..)
            | Token::SingleQuotedString(_)
            | Token::Comma
            | Token::Eq
            | Token::DoubleEq
            | Token::Spaceship
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
            Token::Whitespace(Whitespace::SingleLineComment { prefix, comment })
                if prefix != "--" || comment.trim_end_matches(['\r', '\n']).ends_with('\\') =>
            {
                return unclear(&|| {
                    tr!("a comment that may go on in the next line; write -- and no backslash at its end")
                });
            }
            Token::Whitespace(Whitespace::MultiLineComment(text)) if text.starts_with('+') => {
                return unclear(&|| tr!("a hint /*+ ... */"));
            }
            Token::Whitespace(_) => {}
            Token::Colon => {
                return unclear(&|| {
                    tr!("`:`; write get_json_object(text, '$.key') or variant_get(value, '$.key', 'STRING')")
                });
            }
            Token::LBrace | Token::RBrace => return unclear(&|| tr!("braces: parameters are not read here")),
            other => return unclear(&|| tr!("`{token}`, which is not known here", token = other)),
        }
        if matters(&token.token) {
            after_text = matches!(token.token, Token::SingleQuotedString(_));
        }
    }
    Ok(())
}

/// The same statement with `\'` for each quote in a text: some versions of Spark read `'it''s'` as two texts, `its`.
pub fn with_escaped_quotes(sql: &str) -> String {
    let mut written = String::with_capacity(sql.len());
    let mut letters = sql.chars().peekable();
    // The sign that ends what is being read: a text, a name, a comment of one line, or `*` for a longer comment.
    let mut until: Option<char> = None;
    while let Some(letter) = letters.next() {
        written.push(letter);
        let next = letters.peek().copied();
        match (until, letter, next) {
            (None, '\'' | '"' | '`', _) => until = Some(letter),
            (None, '-', Some('-')) => until = Some('\n'),
            (None, '/', Some('*')) => {
                written.extend(letters.next());
                until = Some('*');
            }
            (Some('*'), '*', Some('/')) => {
                written.extend(letters.next());
                until = None;
            }
            (Some('\'' | '"'), '\\', Some(_)) => written.extend(letters.next()),
            (Some(quote), _, Some(next)) if letter == quote && letter == next && letter != '\n' && letter != '*' => {
                if quote != '`' {
                    written.pop();
                    written.push('\\');
                }
                written.extend(letters.next());
            }
            (Some(end), _, _) if letter == end && end != '*' => until = None,
            _ => {}
        }
    }
    written
}
