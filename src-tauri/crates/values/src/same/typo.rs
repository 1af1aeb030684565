//! Misspellings: one edit in a long word.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Minimum length, in letters, of a word in which one edit may be a misspelling.
const LETTERS: usize = 7;
/// Minimum length, in letters, at which a swap, a doubled letter or -ise for -ize is a misspelling without further
/// evidence.
const CERTAIN: usize = 8;
/// Maximum number of values of one block that are compared.
const BLOCK: usize = 50;

/// The confidence that two values are one word with a misspelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slip {
    /// Certain from its form: letters swapped or doubled, -ise for -ize.
    Certain,
    /// Likely only if one of them is far more frequent.
    Likely,
}

/// Returns pairs of values that differ by one edit in one word, found through blocks of values with one letter removed.
pub(super) fn find_slips(values: &[Vec<String>]) -> Vec<(usize, usize, Slip)> {
    let mut blocks: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, words) in values.iter().enumerate() {
        for (place, word) in words.iter().enumerate().filter(|(_, word)| is_long(word)) {
            let letters: Vec<char> = word.chars().collect();
            let mut keys: Vec<u64> =
                (0..=letters.len()).map(|left_out| block_hash(words, place, &letters, left_out)).collect();
            keys.sort_unstable();
            keys.dedup();
            keys.into_iter().for_each(|key| blocks.entry(key).or_default().push(at));
        }
    }
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for block in blocks.values().filter(|block| block.len() > 1 && block.len() <= BLOCK) {
        for (place, &a) in block.iter().enumerate() {
            pairs.extend(block[place + 1..].iter().filter(|&&b| a != b).map(|&b| (a.min(b), a.max(b))));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs.into_iter().filter_map(|(a, b)| Some((a, b, find_slip(&values[a], &values[b])?))).collect()
}

fn is_long(word: &str) -> bool {
    word.chars().count() >= LETTERS - 1 && word.chars().all(char::is_alphabetic)
}

fn block_hash(words: &[String], place: usize, letters: &[char], left_out: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    (words.len(), &words[..place], &words[place + 1..]).hash(&mut hasher);
    letters.iter().enumerate().filter(|(at, _)| *at != left_out).for_each(|(_, c)| c.hash(&mut hasher));
    hasher.finish()
}

/// Returns the misspelling if two values differ by one edit within one word.
fn find_slip(a: &[String], b: &[String]) -> Option<Slip> {
    let mut differing = a.iter().zip(b).filter(|(a, b)| a != b);
    let (a, b) = differing.next()?;
    if differing.next().is_some() || !is_long(a) || !is_long(b) {
        return None;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (long, short) = if a.len() >= b.len() { (&a, &b) } else { (&b, &a) };
    if long.len() < LETTERS {
        return None;
    }
    let begin = long.iter().zip(short).take_while(|(a, b)| a == b).count();
    let end = long.iter().rev().zip(short.iter().rev()).take_while(|(a, b)| a == b).count().min(short.len() - begin);
    // First letters distinguish words: legal and illegal, theist and atheist.
    if begin == 0 {
        return None;
    }
    let of_form = |is_certain: bool| if is_certain && long.len() >= CERTAIN { Slip::Certain } else { Slip::Likely };
    if long.len() == short.len() {
        let (x, y) = (&long[begin..long.len() - end], &short[begin..short.len() - end]);
        return match (x, y) {
            ([a, b], [c, d]) if a == d && b == c => Some(of_form(begin > 1)),
            // "organise" and "organize", "analyse" and "analyze".
            (['s'], ['z']) | (['z'], ['s']) if is_ending(long, begin) => Some(of_form(true)),
            // Endings distinguish words: employer and employee, sulfate and sulfite.
            ([_], [_]) if long.len() >= CERTAIN && end > 2 => Some(Slip::Likely),
            _ => None,
        };
    }
    let doubles = long[begin] == long[begin - 1] || long.get(begin + 1) == Some(&long[begin]);
    match end {
        // A doubled last letter is not an ending.
        _ if doubles && end > 0 => Some(of_form(true)),
        2.. if long.len() >= CERTAIN => Some(Slip::Likely),
        _ => None,
    }
}

/// Returns true if the letter belongs to -ise or -yse, with an optional ending.
fn is_ending(word: &[char], at: usize) -> bool {
    let around = (word[at - 1], word.get(at + 1));
    matches!(around, ('i' | 'y', Some('a' | 'e' | 'i')))
}
