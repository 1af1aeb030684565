//! Words of a question and of names, compared without case, accents and plural endings.

use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

/// A word with its byte range: letters and digits.
#[derive(Debug, Clone)]
pub(crate) struct Word {
    pub at: Range<usize>,
    /// The word in lower case without accents.
    pub folded: String,
    /// The text between the previous word and this one.
    pub gap: String,
}

/// Splits a text into words.
pub(crate) fn split_words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut end = 0;
    let mut start: Option<usize> = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if c.is_alphanumeric() && at < text.len() {
            start.get_or_insert(at);
        } else if let Some(from) = start.take() {
            words.push(Word { at: from..at, folded: fold_text(&text[from..at]), gap: text[end..from].to_owned() });
            end = at;
        }
    }
    words
}

/// Returns true if a word follows the previous one without punctuation.
pub(crate) fn are_joined(word: &Word) -> bool {
    word.gap.chars().all(|c| c.is_whitespace() || matches!(c, '-' | '_' | '\'' | '’' | '.')) && word.gap != ". "
}

/// Converts a text to lower case without accents and with single spaces.
pub(crate) fn fold_text(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let is_mark = |c: &char| ('\u{300}'..='\u{36f}').contains(c);
    for c in text.nfkd().flat_map(char::to_lowercase).filter(|c| !is_mark(c)) {
        match c {
            'ß' => folded.push_str("ss"),
            c if c.is_whitespace() => {
                if !folded.is_empty() && !folded.ends_with(' ') {
                    folded.push(' ');
                }
            }
            c => folded.push(c),
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

/// Plural and genitive endings with the least length of the word before them.
const ENDINGS: [(&str, usize); 6] = [("s", 3), ("es", 4), ("n", 5), ("en", 5), ("e", 5), ("x", 4)];
/// Endings that replace the ending of the singular.
const REPLACED: [(&str, &str); 2] = [("y", "ies"), ("al", "aux")];

/// Returns true if two folded words are equal or one is the plural of the other. Words of a few letters must be equal,
/// because their endings distinguish them: "car" and "care".
pub(crate) fn is_same_word(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if long.chars().any(|c| c.is_ascii_digit()) {
        return false;
    }
    let length = short.chars().count();
    let is_longer = long
        .strip_prefix(short)
        .is_some_and(|ending| ENDINGS.iter().any(|(known, least)| *known == ending && length >= *least));
    let is_replaced = REPLACED.iter().any(|(singular, plural)| {
        let stem = short.strip_suffix(singular).filter(|stem| stem.len() > 2);
        stem.is_some_and(|stem| long.strip_prefix(stem) == Some(plural))
    });
    is_longer || is_replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_letters_and_digits() {
        let words = |text: &str| split_words(text).into_iter().map(|word| word.folded).collect::<Vec<_>>();
        assert_eq!(words("Größe, l'année_2024 (Q1)!"), ["grosse", "l", "annee", "2024", "q1"]);
        assert!(words(" ?! ").is_empty());
    }

    #[test]
    fn plurals_are_the_same_word_in_several_languages() {
        for (one, many) in [
            ("store", "stores"),
            ("category", "categories"),
            ("filiale", "filialen"),
            ("bestellung", "bestellungen"),
            ("produkt", "produkte"),
            ("kanal", "kanale"),
            ("magasin", "magasins"),
            ("canal", "canaux"),
            ("region", "regiones"),
        ] {
            assert!(is_same_word(one, many) && is_same_word(many, one), "{one} {many}");
        }
        for (one, other) in [
            ("car", "care"),
            ("sell", "seller"),
            ("order", "ordered"),
            ("2024", "2024s"),
            ("customer", "custom"),
            ("plan", "plane"),
            ("return", "returned"),
            ("unit", "united"),
        ] {
            assert!(!is_same_word(one, other), "{one} {other}");
        }
    }
}
