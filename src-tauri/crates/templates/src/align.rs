//! Alignment of a question with the words of a template, whose slots match any words.

use crate::words::Word;
use std::ops::Range;

/// Maximum number of words of a value.
const LONGEST: usize = 8;
/// Maximum number of alignments that are compared; more are ambiguous anyway.
const MOST: usize = 2;

/// A word of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    /// A word that both questions contain.
    Word(String),
    /// A place for a value.
    Slot,
}

/// Returns the ranges of words that the slots match, if there is exactly one way. A single slot may be elsewhere than in
/// the template.
pub(crate) fn align_words(template: &[Token], words: &[Word]) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    align_rest(template, words, 0, &mut Vec::new(), &mut found);
    if found.is_empty() && template.iter().filter(|token| **token == Token::Slot).count() == 1 {
        found.extend(align_moved(template, words).into_iter().map(|range| vec![range]));
    }
    match found.len() {
        1 => found.pop(),
        _ => None,
    }
}

fn align_rest(
    template: &[Token],
    words: &[Word],
    at: usize,
    taken: &mut Vec<Range<usize>>,
    found: &mut Vec<Vec<Range<usize>>>,
) {
    if found.len() >= MOST {
        return;
    }
    match template.split_first() {
        None if at == words.len() => found.push(taken.clone()),
        None => {}
        Some((Token::Word(text), rest)) => {
            if words.get(at).is_some_and(|word| word.text == *text) {
                align_rest(rest, words, at + 1, taken, found);
            }
        }
        Some((Token::Slot, rest)) => {
            for end in at + 1..=words.len().min(at + LONGEST) {
                taken.push(at..end);
                align_rest(rest, words, end, taken, found);
                taken.pop();
            }
        }
    }
}

/// Returns the spans whose removal leaves the words of the template.
fn align_moved(template: &[Token], words: &[Word]) -> Vec<Range<usize>> {
    let fixed: Vec<&str> = template
        .iter()
        .filter_map(|token| match token {
            Token::Word(text) => Some(text.as_str()),
            Token::Slot => None,
        })
        .collect();
    let Some(length) = words.len().checked_sub(fixed.len()).filter(|length| (1..=LONGEST).contains(length)) else {
        return Vec::new();
    };
    (0..=fixed.len())
        .map(|start| start..start + length)
        .filter(|span| {
            let rest = words.iter().take(span.start).chain(words.iter().skip(span.end));
            rest.map(|word| word.text.as_str()).eq(fixed.iter().copied())
        })
        .collect()
}
