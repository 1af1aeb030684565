//! Differences between ClickHouse's lexer and the parser's: escapes in strings and names, further kinds of comments and
//! strings.

use crate::dialect::lexer::{blanks_inside, count_unicode_blanks, unescape_text};
use crate::rejection::SqlRejection;
use crate::token::is_significant;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Location, Span, Token, TokenWithSpan, Whitespace, Word};
use vitrine_words::tr;

/// Resolves the escapes in strings and quoted names, which the lexer keeps. In strings, escapes other than of quotes
/// stay, so that the tree prints as the same string.
pub(super) fn unescape_token(token: &mut Token) {
    match token {
        Token::SingleQuotedString(raw) => *raw = unescape_text(raw, '\''),
        Token::Word(Word { value, quote_style: Some(quote @ ('`' | '"')), .. }) => {
            *value = value.replace(&format!("{quote}{quote}"), &quote.to_string());
        }
        _ => {}
    }
}

/// Splits tokens such as `place.1` and `f(x).2.1` into a dot and a name. ClickHouse reads them as tuple members, but
/// this lexer reads numbers. In ClickHouse, a dot after a name, a bracket or a number never begins a number.
pub(super) fn split_tuple_members(tokens: &mut Vec<TokenWithSpan>) {
    let mut read: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    let mut rest = std::mem::take(tokens).into_iter().peekable();
    while let Some(token) = rest.next() {
        let before = read.iter().rfind(|token| is_significant(&token.token)).map(|token| &token.token);
        let goes_on = matches!(before, Some(Token::Word(_) | Token::RParen | Token::RBracket));
        // `.1x` stays a number followed by letters, which is rejected.
        let ends = !matches!(rest.peek(), Some(next) if matches!(next.token, Token::Word(_)) && next.span.start == token.span.end);
        let digits = match &token.token {
            Token::Number(number, false) if goes_on && ends => number.strip_prefix('.'),
            _ => None,
        };
        let Some(digits) = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())) else {
            read.push(token);
            continue;
        };
        let name = Word { value: digits.to_owned(), quote_style: None, keyword: Keyword::NoKeyword };
        let after = Location::new(token.span.start.line, token.span.start.column + 1);
        read.push(TokenWithSpan { token: Token::Period, span: Span::new(token.span.start, after) });
        read.push(TokenWithSpan { token: Token::Word(name), span: Span::new(after, token.span.end) });
    }
    *tokens = read;
}

/// Removes the strictness of joins (`ANY LEFT JOIN`, `ASOF JOIN`, `ALL INNER JOIN`), which the syntax tree cannot
/// represent: the tables and columns that are read do not depend on it. Such a query runs as written, and is neither
/// changed nor split into steps.
pub(super) fn without_strictness(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let places: Vec<usize> = (0..tokens.len()).filter(|&at| is_significant(&tokens[at].token)).collect();
    let is = |at: usize, wanted: &[&str]| {
        let token = places.get(at).map(|&place| &tokens[place].token);
        matches!(token, Some(Token::Word(word)) if word.quote_style.is_none() && wanted.iter().any(|w| word.value.eq_ignore_ascii_case(w)))
    };
    let begins_join = |at: usize| {
        let kind = usize::from(is(at, &["LEFT", "RIGHT", "INNER", "FULL"]));
        is(at + kind + usize::from(kind > 0 && is(at + kind, &["OUTER"])), &["JOIN"])
    };
    let left_out: Vec<usize> = (1..places.len())
        .filter(|&at| {
            is(at, &["ANY", "ASOF", "ALL"])
                && begins_join(at + 1)
                && !is(at - 1, &["AS", "UNION", "EXCEPT", "INTERSECT"])
        })
        .map(|at| places[at])
        .collect();
    let keep = |(at, _): &(usize, TokenWithSpan)| !left_out.contains(at);
    tokens.into_iter().enumerate().filter(keep).map(|(_, token)| token).collect()
}

/// Rejects tokens that ClickHouse reads differently or that only ClickHouse knows. Unlisted kinds of tokens are
/// rejected, because they may hide a statement.
pub(super) fn reject_unread_tokens(tokens: &[TokenWithSpan], sql: &str) -> Result<(), SqlRejection> {
    let unclear = |say: &dyn Fn() -> String| Err(SqlRejection::unclear(say));
    if count_unicode_blanks(sql) > tokens.iter().map(|token| blanks_inside(&token.token)).sum() {
        return unclear(&|| tr!("a blank that is no ordinary one"));
    }
    for pair in tokens.windows(2) {
        if pair.iter().all(|token| token.token == Token::Div) {
            return unclear(&|| tr!("a comment that begins with {sign}; write --", sign = "//"));
        }
    }
    for token in tokens {
        match &token.token {
            // In ClickHouse, a quote after a backslash belongs to the name.
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
