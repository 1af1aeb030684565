//! Numbers that limit a list or that are part of a comparison.

use super::words::{Text, is_in};
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberKind {
    /// A number of rows: "top 10", "the 5 largest".
    Limit,
    /// Bound of a comparison: "more than 5".
    Bound,
    Bare,
}

/// A number in a text.
#[derive(Debug, Clone)]
pub(super) struct Number {
    pub kind: NumberKind,
    pub at: usize,
    /// Index of the ranking word immediately before the number ("top").
    pub rank: Option<usize>,
    /// Words of the comparison and the number.
    pub bound: Range<usize>,
}

const RANKS: &[&str] =
    &["top", "bottom", "first", "last", "best", "worst", "ersten", "letzten", "besten", "premiers", "premières"];
/// Words after a number of rows.
const RANKED: &[&str] = &[
    "most",
    "least",
    "best",
    "worst",
    "top",
    "plus",
    "moins",
    "meilleurs",
    "meilleures",
    "premiers",
    "premières",
    "derniers",
    "dernières",
    "meisten",
    "besten",
    "rows",
    "zeilen",
    "lignes",
];
/// Words before a number of rows.
const COUNTED: &[&str] =
    &["the", "which", "what", "list", "show", "die", "welche", "zeige", "nenne", "les", "quels", "quelles", "liste"];
const COMPARISONS: &[&str] = &[
    "more than",
    "less than",
    "fewer than",
    "greater than",
    "larger than",
    "smaller than",
    "higher than",
    "lower than",
    "at least",
    "at most",
    "over",
    "above",
    "under",
    "below",
    "exactly",
    "mehr als",
    "weniger als",
    "größer als",
    "kleiner als",
    "mindestens",
    "höchstens",
    "über",
    "unter",
    "genau",
    "plus de",
    "moins de",
    "plus que",
    "moins que",
    "au moins",
    "au plus",
    "exactement",
];

/// Returns true if a word is a number, in digits or in letters.
pub(super) fn is_number_word(word: &str) -> bool {
    let digits = word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    digits || vitrine_sql::parse_number_word(word).is_some()
}

/// Reads the number at an index.
pub(super) fn read_number(text: &Text<'_>, at: usize) -> Option<Number> {
    if !is_number_word(text.lowercase_word(at)) {
        return None;
    }
    let compared = text.match_phrase_before(at, COMPARISONS);
    let before = if text.joins_previous(at) { text.lowercase_word(at - 1) } else { "" };
    let after = if text.joins_previous(at + 1) { text.lowercase_word(at + 1) } else { "" };
    let superlative = after.len() > 5 && (after.ends_with("est") || after.ends_with("sten") || after.ends_with("ßten"));
    let ranked = is_in(before, RANKS);
    let kind = if compared > 0 {
        NumberKind::Bound
    } else if ranked || is_in(after, RANKED) || superlative || is_in(before, COUNTED) {
        NumberKind::Limit
    } else {
        NumberKind::Bare
    };
    Some(Number { kind, at, rank: ranked.then(|| at - 1), bound: at - compared..at + 1 })
}

/// Returns the numbers of a text outside of some ranges of words.
pub(super) fn find_numbers(text: &Text<'_>, outside: &[Range<usize>]) -> Vec<Number> {
    let free = |at: &usize| !outside.iter().any(|words| words.contains(at));
    (0..text.len()).filter(free).filter_map(|at| read_number(text, at)).collect()
}

/// Reads the number of rows or the bound that begins at an index, and returns it with its end.
pub(super) fn read_number_phrase(text: &Text<'_>, at: usize) -> Option<(Number, usize)> {
    let compared = text.match_phrase(at, COMPARISONS);
    let ranked =
        usize::from(is_in(text.lowercase_word(at), RANKS) || is_in(text.lowercase_word(at), &["les", "die", "the"]));
    let article = usize::from(
        ranked == 1
            && is_in(text.lowercase_word(at), &["the", "die", "les"])
            && is_in(text.lowercase_word(at + 1), RANKS),
    );
    let place = at + compared.max(ranked + article);
    Some((read_number(text, place)?, place + 1))
}
