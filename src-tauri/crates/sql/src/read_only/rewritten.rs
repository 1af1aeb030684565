//! Prints a changed tree as text, only if the tree holds everything that the text contains.

use super::query::ReadOnlySql;
use crate::dialect::DialectExt;
use crate::parse::{self, is_significant, with_large_stack};
use sqlparser::ast::Statement;
use sqlparser::tokenizer::{Token, TokenWithSpan};
use std::collections::HashMap;
use vitrine_domain::Dialect;

/// Words that a tree may omit without a change of meaning; MySQL's operator `MOD` is printed as `%`.
const IDLE: &[&str] = &["AS", "ASC", "INNER", "OUTER", "ISNULL", "NOTNULL", "ROW", "NEXT", "MOD"];

impl ReadOnlySql {
    /// Accepts `written` as a rewrite of this query's tree. `None` if printing this query's tree loses a part, so that
    /// the query must stay unchanged, or if the rewrite is not proven read-only.
    pub fn with_text(&self, written: &str) -> Option<Self> {
        if self.survives_round_trip() { self.prove_text(written) } else { None }
    }

    /// Proves another text under the same conditions as this one. `None` if it is not proven read-only.
    pub fn prove_text(&self, other: &str) -> Option<Self> {
        Self::parse_with(other, self.dialect, &self.allowed).ok()
    }

    /// Returns true if this crate can parse the query; otherwise only its engine can.
    pub fn has_tree(&self) -> bool {
        self.has_tree
    }

    /// Returns the query with its tree printed unchanged. `None` if that loses a part.
    pub fn written_out(&self) -> Option<Self> {
        self.with_text(&self.with_query(|query| query.to_string())?)
    }

    /// Returns true if the printed tree parses to the same tree, and contains all words and values of the text.
    fn survives_round_trip(&self) -> bool {
        with_large_stack(|| {
            let Ok(tokens) = parse::tokenize_sql(&self.text, self.dialect) else { return false };
            let Some((tree, again)) = self.with_query(|query| (query.to_string(), query)) else { return false };
            let Ok(printed) = parse::tokenize_sql(&tree, self.dialect) else { return false };
            let same = matches!(
                parse::parse_tokens(printed.clone(), self.dialect).as_deref(),
                Ok([Statement::Query(query)]) if **query == again
            );
            same && find_lost_tokens(&tokens, &printed, self.dialect).is_empty()
        })
    }
}

/// Returns the words and values that `after` contains less often than `before`.
fn find_lost_tokens(before: &[TokenWithSpan], after: &[TokenWithSpan], dialect: Dialect) -> Vec<String> {
    let mut left: HashMap<String, usize> = HashMap::new();
    for token in after.iter().filter_map(|token| normalize_token(&token.token, dialect)) {
        *left.entry(token).or_default() += 1;
    }
    let mut lost = Vec::new();
    let mut lateral = false;
    for token in before.iter().filter_map(|token| normalize_token(&token.token, dialect)) {
        let is_view = lateral && dialect.sql().converts_lateral_views() && token == "VIEW";
        lateral = token == "LATERAL";
        match left.get_mut(&token) {
            Some(count) if *count > 0 => *count -= 1,
            _ if is_view || IDLE.contains(&token.as_str()) => {}
            _ => lost.push(token),
        }
    }
    lost
}

/// Returns the normal form of a word or value for comparison.
fn normalize_token(token: &Token, dialect: Dialect) -> Option<String> {
    match token {
        Token::Word(word) if word.quote_style.is_some() => Some(format!("\"{}", word.value)),
        // Unquoted words are compared without case.
        Token::Word(word) => Some(word.value.to_uppercase()),
        Token::SingleQuotedString(text) => Some(format!("'{text}")),
        Token::DoubleQuotedString(text) if dialect.sql().prints_texts_in_single_quotes() => Some(format!("'{text}")),
        Token::Number(digits, _) => Some(digits.to_lowercase()),
        Token::LParen
        | Token::RParen
        | Token::Comma
        | Token::SemiColon
        | Token::Eq
        | Token::DoubleEq
        | Token::Neq
        | Token::Plus => None,
        token if is_significant(token) => Some(format!("{token:?}")),
        _ => None,
    }
}
