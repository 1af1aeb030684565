//! Texts that ask for a number of things.

use crate::language::{LANGUAGES, Sign};
use crate::words::split_words;

/// Returns true if a text begins with "number of" in one of the languages.
pub(super) fn begins_with_count(text: &str) -> bool {
    let words = split_words(text);
    let start =
        usize::from(words.first().is_some_and(|word| ["the", "die", "le", "el"].contains(&word.folded.as_str())));
    LANGUAGES.iter().any(|language| language.signs_at(&words, start).iter().any(|(_, sign)| *sign == Sign::Count))
}
