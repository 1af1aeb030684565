//! Keyword fixes: changes words before parsing that this parser reads differently from the engines.

use crate::dialect::{DialectExt, UnquotedCase};
use crate::token::is_significant;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};
use vitrine_domain::Dialect;

/// Turns keywords into plain words where they can be names: some dialects have far fewer keywords than this parser, and
/// `interval` without a value is a keyword in no dialect. Unquoted names are folded where the engine stores them in lower
/// case.
pub(super) fn plain_names(mut tokens: Vec<TokenWithSpan>, dialect: Dialect) -> Vec<TokenWithSpan> {
    const NO_VALUE: &[&str] = &[
        "FROM", "LIKE", "IN", "IS", "AS", "AND", "OR", "BETWEEN", "NOT", "ASC", "DESC", "GROUP", "ORDER", "THEN",
        "ELSE", "END",
    ];
    let names = dialect.sql().keywords_as_names();
    let is_lowered = dialect.sql().unquoted_case() == UnquotedCase::Lower;
    let mut value_follows = false;
    for token in tokens.iter_mut().rev() {
        if !is_significant(&token.token) {
            continue;
        }
        if let Token::Word(word) = &mut token.token
            && word.quote_style.is_none()
        {
            if is_lowered {
                word.value.make_ascii_lowercase();
            }
            let is = |list: &[&str]| list.iter().any(|k| word.value.eq_ignore_ascii_case(k));
            let name = is(names) || (is(&["INTERVAL"]) && !value_follows);
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
