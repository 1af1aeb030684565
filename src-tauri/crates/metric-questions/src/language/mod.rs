//! The words of a language that belong to questions rather than to data: closed lists, in lower case without accents.
//! A question is read in one language at a time, because small words mean different things: French `pour` and `est`,
//! English `per` and `est`.

mod english;
mod french;
mod german;
mod lexicon;
mod spanish;

pub(crate) use lexicon::{Language, Rank, Relative, Sign, TimeWords, match_any, match_phrase};

use crate::words::Word;
use std::ops::Range;

/// All languages.
pub(crate) static LANGUAGES: [&Language; 4] =
    [&english::LANGUAGE, &german::LANGUAGE, &french::LANGUAGE, &spanish::LANGUAGE];

/// Returns true if a range of words is written in capitals, like a code: "US".
pub(crate) fn is_code(words: &[Word], range: &Range<usize>, question: &str) -> bool {
    words[range.clone()].iter().any(|word| {
        let text = &question[word.at.clone()];
        text.chars().filter(|c| c.is_alphabetic()).count() > 1 && !text.chars().any(char::is_lowercase)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::fold_text;

    #[test]
    fn the_lists_are_folded_and_no_phrase_has_two_meanings_in_a_language() {
        for language in LANGUAGES {
            let mut known: Vec<&str> = Vec::new();
            for phrase in language.signs.iter().flat_map(|(_, phrases)| phrases.iter()) {
                assert_eq!(fold_text(phrase), **phrase, "{:?}", language.id);
                assert!(!known.contains(phrase), "{phrase} twice in {:?}", language.id);
                known.push(phrase);
            }
        }
    }

    #[test]
    fn words_that_change_the_meaning_of_a_question_are_no_fillers() {
        let changing = [
            "not",
            "no",
            "without",
            "except",
            "excluding",
            "or",
            "more",
            "less",
            "than",
            "average",
            "median",
            "maximum",
            "never",
            "until",
            "all",
            "net",
            "gross",
            "nicht",
            "kein",
            "keine",
            "ohne",
            "ausser",
            "oder",
            "mehr",
            "weniger",
            "als",
            "durchschnittlich",
            "bis",
            "alle",
            "netto",
            "brutto",
            "pas",
            "sans",
            "sauf",
            "hors",
            "ou",
            "plus",
            "moins",
            "moyenne",
            "jusqu",
            "tous",
            "toutes",
            "sin",
            "excepto",
            "o",
            "mas",
            "menos",
            "promedio",
            "hasta",
            "todos",
        ];
        for language in LANGUAGES {
            let known = |word: &str| language.signs.iter().any(|(_, phrases)| phrases.contains(&word));
            for word in changing {
                assert!(!known(word), "{word} in {:?}", language.id);
            }
        }
    }
}
