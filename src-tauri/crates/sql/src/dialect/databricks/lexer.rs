//! Differences between Spark's lexer and the parser's: adjacent strings, names that are substituted before parsing,
//! comments that continue on the next line.

use crate::dialect::lexer::{blanks_inside, count_unicode_blanks};
use crate::rejection::SqlRejection;
use crate::token::is_significant;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan, Whitespace, Word};
use vitrine_words::tr;

/// Merges the tokens of a number that Spark reads as one: `0D`, `1.5BD`, `2S`. A name that only begins with digits
/// stays a name.
pub(super) fn merge_number_tokens(tokens: &mut Vec<TokenWithSpan>) {
    let mut read: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    for token in tokens.drain(..) {
        let Token::Word(Word { value, quote_style: None, .. }) = &token.token else {
            read.push(token);
            continue;
        };
        let before = read.last().filter(|before| before.span.end == token.span.start);
        match before.map(|before| &before.token) {
            Some(Token::Number(digits, false)) if is_number(&format!("{digits}{value}")) => {
                let number = Token::Number(format!("{digits}{value}"), false);
                let span = Span::new(read.pop().map_or(token.span.start, |before| before.span.start), token.span.end);
                read.push(TokenWithSpan { token: number, span });
            }
            _ if is_number(value) => {
                read.push(TokenWithSpan { token: Token::Number(value.clone(), false), span: token.span });
            }
            _ => read.push(token),
        }
    }
    *tokens = read;
}

/// Returns true if a text is a number with a type suffix.
fn is_number(text: &str) -> bool {
    let text = text.to_ascii_uppercase();
    let Some(digits) = ["BD", "D", "F", "L", "S", "Y"].iter().find_map(|ending| text.strip_suffix(ending)) else {
        return false;
    };
    let (number, power) = digits.split_once('E').map_or((digits, None), |(number, power)| (number, Some(power)));
    let all = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    all(whole)
        && all(part)
        && whole.len() + part.len() > 0
        && power.is_none_or(|power| !power.is_empty() && all(power.trim_start_matches(['+', '-'])))
}

/// Rejects tokens that Spark reads differently or that only Spark knows. Unlisted kinds of tokens are rejected, because
/// they may hide a statement. The lexer keeps all escapes in strings.
pub(super) fn reject_unread_tokens(tokens: &[TokenWithSpan], sql: &str) -> Result<(), SqlRejection> {
    let unclear = |say: &dyn Fn() -> String| Err(SqlRejection::unclear(say));
    if sql.contains("${") {
        return unclear(&|| tr!("`${`, behind which Spark puts the value of a variable"));
    }
    if count_unicode_blanks(sql) > tokens.iter().map(|token| blanks_inside(&token.token)).sum() {
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
            | Token::Colon
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
            Token::LBrace | Token::RBrace => return unclear(&|| tr!("braces: parameters are not read here")),
            other => return unclear(&|| tr!("`{token}`, which is not known here", token = other)),
        }
        if is_significant(&token.token) {
            after_text = matches!(token.token, Token::SingleQuotedString(_));
        }
    }
    Ok(())
}

/// Returns the statement with `\'` for each quote in a string: some versions of Spark read `'it''s'` as two strings,
/// `its`.
pub fn with_escaped_quotes(sql: &str) -> String {
    let mut written = String::with_capacity(sql.len());
    let mut letters = sql.chars().peekable();
    // The character that ends the current string, name or line comment; `*` for a block comment.
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
