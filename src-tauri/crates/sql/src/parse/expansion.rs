//! Tables that a text reads and views that it defines, determined from its tokens, and the number of queries to which
//! an engine expands its views.

use super::tokens::MAX_NESTING_WORDS;
use crate::rejection::SqlRejection;
use crate::token::is_significant;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// Maximum number of queries that the views of a WITH clause may expand to.
const MAX_EXPANSION: u64 = 20_000;

/// The tokens of a text that carry meaning.
pub(crate) struct SignificantTokens<'t>(Vec<&'t Token>);

impl<'t> SignificantTokens<'t> {
    pub(crate) fn new(tokens: &'t [TokenWithSpan]) -> Self {
        Self(tokens.iter().map(|token| &token.token).filter(|token| is_significant(token)).collect())
    }

    fn word_at(&self, at: usize) -> Option<String> {
        match self.0.get(at) {
            Some(Token::Word(word)) => Some(word.value.to_lowercase()),
            _ => None,
        }
    }

    fn is_word_at(&self, at: usize, wanted: &str) -> bool {
        self.word_at(at).is_some_and(|word| word == wanted)
    }

    /// Returns the defined views in lower case, with the position of the opening parenthesis of each definition.
    fn defined_views(&self) -> Vec<(String, usize)> {
        let mut views = Vec::new();
        for at in (0..self.0.len()).filter(|&at| self.is_word_at(at, "as")) {
            let mut opening = at + 1;
            while self.is_word_at(opening, "not") || self.is_word_at(opening, "materialized") {
                opening += 1;
            }
            let before = match at.checked_sub(1).map(|before| self.0[before]) {
                Some(Token::RParen) => {
                    (0..at).rev().find(|&place| *self.0[place] == Token::LParen).and_then(|p| p.checked_sub(1))
                }
                _ => at.checked_sub(1),
            };
            if self.0.get(opening) == Some(&&Token::LParen)
                && let Some(name) = before.and_then(|before| self.word_at(before))
            {
                views.push((name, opening));
            }
        }
        views
    }

    /// Returns the lower-case name at a position if it may be read as a table.
    fn table_read_at(&self, at: usize) -> Option<String> {
        const BEFORE: &[&str] = &["from", "join", "in", "pivot", "pivot_wider", "unpivot"];
        let before = at.checked_sub(1)?;
        let reads = matches!(self.0[before], Token::Comma | Token::LParen)
            || self.word_at(before).is_some_and(|word| BEFORE.contains(&word.as_str()));
        let whole = !matches!(self.0.get(at + 1), Some(Token::Period | Token::LParen));
        self.word_at(at).filter(|_| reads && whole)
    }

    /// Returns the lower-case names that may be read as tables, except the text's own views.
    pub(crate) fn read_tables(&self) -> Vec<String> {
        let own = self.defined_views();
        let read = (0..self.0.len()).filter_map(|at| self.table_read_at(at));
        read.filter(|name| own.iter().all(|(own, _)| own != name)).collect()
    }
}

/// Rejects views that double repeatedly: SQLite expands each of them and cannot be interrupted meanwhile.
pub(crate) fn check_expansion(tokens: &[TokenWithSpan]) -> Result<(), SqlRejection> {
    let told = SignificantTokens::new(tokens);
    // Views with the opening parenthesis of each definition.
    let views = told.defined_views();
    if views.len() > MAX_NESTING_WORDS {
        return Err(SqlRejection::TooDeep);
    }
    // The views that each view reads, once for each read. The last entry is the query itself.
    let mut reads = vec![Vec::new(); views.len() + 1];
    let mut open: Vec<usize> = vec![views.len()];
    for at in 0..told.0.len() {
        match told.0[at] {
            Token::LParen => {
                let around = open.last().copied().unwrap_or(views.len());
                open.push(views.iter().position(|(_, opening)| *opening == at).unwrap_or(around));
            }
            Token::RParen => _ = open.pop(),
            _ => {}
        }
        if let Some(name) = told.table_read_at(at) {
            let reader = open.last().copied().unwrap_or(views.len());
            reads[reader].extend((0..views.len()).filter(|&view| views[view].0 == name && view != reader));
        }
    }
    let mut sizes = vec![None; reads.len()];
    if count_expanded_queries(views.len(), &reads, &mut sizes, 0) > MAX_EXPANSION {
        Err(SqlRejection::TooDeep)
    } else {
        Ok(())
    }
}

/// Returns the number of queries that a view expands to. Circular views are a separate error.
fn count_expanded_queries(view: usize, reads: &[Vec<usize>], sizes: &mut [Option<u64>], depth: usize) -> u64 {
    if let Some(size) = sizes[view] {
        return size;
    }
    if depth > MAX_NESTING_WORDS {
        return MAX_EXPANSION + 1;
    }
    sizes[view] = Some(1);
    let sum = reads[view]
        .iter()
        .fold(1u64, |sum, &read| sum.saturating_add(count_expanded_queries(read, reads, sizes, depth + 1)));
    sizes[view] = Some(sum);
    sum
}
