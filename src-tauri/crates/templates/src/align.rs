//! Alignment of a question with the words of a template, whose slots match any words.

use crate::meaning::PERIOD;
use crate::words::Word;
use std::ops::Range;

/// Maximum number of words of a value.
const LONGEST: usize = 8;
/// Maximum number of slots.
const MOST_SLOTS: usize = 6;

/// A word of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    /// A word that both questions contain.
    Word(String),
    /// A place for the text with this index.
    Slot(usize),
}

/// Returns the range of words of each slot with the index of its text, if there is exactly one way.
pub(crate) fn align_words(template: &[Token], words: &[Word]) -> Option<Vec<(usize, Range<usize>)>> {
    let slots = template.iter().filter(|token| matches!(token, Token::Slot(_))).count();
    if slots > MOST_SLOTS {
        return None;
    }
    let ways = count_ways(template, words);
    let at_most_two = |token: usize, at: usize| ways.get(token)?.get(at).copied();
    if at_most_two(0, 0) != Some(1) {
        return None;
    }
    let mut found = Vec::new();
    let mut at = 0;
    for (index, token) in template.iter().enumerate() {
        let end = match token {
            Token::Word(_) => at + 1,
            Token::Slot(text) => {
                let end = slot_ends(words, at).find(|end| at_most_two(index + 1, *end) == Some(1))?;
                found.push((*text, at..end));
                end
            }
        };
        at = end;
    }
    Some(found)
}

/// Returns the number of alignments, at most two, of the rest of the template with the rest of the words.
fn count_ways(template: &[Token], words: &[Word]) -> Vec<Vec<u8>> {
    let mut ways = vec![vec![0_u8; words.len() + 1]; template.len() + 1];
    ways[template.len()][words.len()] = 1;
    for (index, token) in template.iter().enumerate().rev() {
        for at in 0..words.len() {
            let rest = |end: usize| ways[index + 1][end];
            ways[index][at] = match token {
                Token::Word(text) if words[at].text == *text => rest(at + 1),
                Token::Word(_) => 0,
                Token::Slot(_) => slot_ends(words, at).map(rest).sum::<u8>().min(2),
            };
        }
    }
    ways
}

/// Returns the possible ends of a value that begins at an index. Marks are not part of a value.
fn slot_ends(words: &[Word], at: usize) -> impl Iterator<Item = usize> {
    let free = words.iter().skip(at).take(LONGEST).take_while(|word| !word.is_mark()).count();
    at + 1..=at + free
}

/// Moves the only period of the words to the other end, where the template has it. Elsewhere it may belong to another
/// part of the question.
pub(crate) fn move_period(template: &[Token], words: &mut [Word]) {
    let is_mark = |token: &Token| *token == Token::Word(PERIOD.to_owned());
    let is_only = template.iter().filter(|token| is_mark(token)).count() == 1
        && words.iter().filter(|word| word.text == PERIOD).count() == 1;
    let (Some(first), Some(last)) = (template.first(), template.last()) else { return };
    if !is_only {
        return;
    }
    if is_mark(last) && words.first().is_some_and(|word| word.text == PERIOD) {
        words.rotate_left(1);
    } else if is_mark(first) && words.last().is_some_and(|word| word.text == PERIOD) {
        words.rotate_right(1);
    }
}
