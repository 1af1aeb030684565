//! Preposition and article before a time or a value.

use super::words::{ARTICLES, DIRECTIONAL, GENERIC, SPECIFIC, TIME_NOUNS, Text};
use std::ops::Range;

/// Kind of a preposition before a time or a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Preposition {
    None,
    /// Refers only to the previous question: "for", "für", "pour".
    Generic,
    /// Indicates a place or a time itself: "in", "from".
    Specific,
    /// Belongs to a time with an open end: "since".
    Directional,
}

/// Returns the French "of" before a word.
pub(super) fn french_preposition(word: &str) -> &'static str {
    let first = word.chars().next().and_then(|first| first.to_lowercase().next());
    if first.is_some_and(|first| "aeiouyhâàéèêëîïôöùûü".contains(first)) { "d'" } else { "de " }
}

/// Words that precede a time or a value.
#[derive(Debug, Clone)]
pub(super) struct Lead {
    pub preposition: Preposition,
    /// Words of the lead, with article and noun; empty if there are none.
    pub words: Range<usize>,
    /// Words of the preposition within the lead.
    pub preposition_words: Range<usize>,
    /// Article that is separate from the preposition.
    pub article: Option<usize>,
}

/// Contractions of a preposition and an article, each with the preposition alone.
const CONTRACTED: &[(&str, &str)] =
    &[("im", "in"), ("am", "an"), ("zum", "zu"), ("zur", "zu"), ("au", "à"), ("aux", "à"), ("du", "de"), ("des", "de")];

impl Lead {
    /// Reads the lead that ends before a word and begins no earlier than `first`.
    pub(super) fn read_before(text: &Text<'_>, core: usize, first: usize) -> Self {
        let mut from = core;
        let step = |from: usize, list: &[&str]| {
            let length = if from == 0 { 0 } else { text.match_phrase_before(from, list) };
            if from >= first + length { length } else { 0 }
        };
        from -= step(from, TIME_NOUNS);
        let article = match step(from, ARTICLES) {
            0 => None,
            length => {
                from -= length;
                Some(from)
            }
        };
        let mut preposition = Preposition::None;
        let end = from;
        for (list, kind) in [
            (DIRECTIONAL, Preposition::Directional),
            (SPECIFIC, Preposition::Specific),
            (GENERIC, Preposition::Generic),
        ] {
            let length = step(end, list);
            if length > end - from {
                from = end - length;
                preposition = kind;
            }
        }
        Self { preposition, words: from..core, preposition_words: from..end, article }
    }

    /// Returns true if the lead ends in a noun of time: "in the year".
    pub(super) fn has_noun(&self) -> bool {
        self.words.end > self.article.map_or(self.preposition_words.end, |article| article + 1)
    }

    /// Returns the words of the preposition, in lower case and with a straight apostrophe.
    pub(super) fn preposition_text(&self, text: &Text<'_>) -> String {
        text.slice(&self.preposition_words).to_lowercase().replace('’', "'")
    }

    /// Returns the preposition of a contraction without its article; `None` if it is not a contraction.
    pub(super) fn without_contraction(&self, text: &Text<'_>) -> Option<&'static str> {
        let word = self.preposition_text(text);
        CONTRACTED.iter().find(|(held, _)| *held == word).map(|(_, bare)| *bare)
    }
}
