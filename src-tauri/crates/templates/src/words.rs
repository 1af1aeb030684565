//! Words of a question in a form in which equal meanings are equal.

use std::ops::Range;
use vitrine_sql::singular_name;

/// A word or sign with its byte range in the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// The position in the question.
    pub at: Range<usize>,
    /// The text in lower case.
    pub text: String,
}

/// Words that ask, and words that any question may contain, in English, German, French and Spanish.
const FILLERS: [&str; 101] = [
    "a", "an", "the", "of", "in", "for", "during", "is", "was", "were", "are", "be", "did", "do", "does", "show", "me",
    "us", "please", "give", "list", "tell", "what", "which", "can", "could", "you", "i", "we", "our", "want", "need",
    "to", "see", "know", "get", "display", "there", "had", "have", "der", "die", "das", "den", "dem", "des", "ein",
    "eine", "einen", "im", "für", "von", "ist", "war", "waren", "sind", "zeige", "zeigen", "zeig", "mir", "uns", "bitte",
    "nenne", "welche", "welcher", "welches", "sie", "ich", "wir", "gab", "gibt", "es", "le", "la", "les", "l", "un",
    "une", "du", "de", "d", "en", "pour", "est", "était", "sont", "étaient", "montre", "montrez", "moi", "nous",
    "quel", "quelle", "quels", "quelles", "el", "los", "las", "una", "del", "muestra",
];

/// Words before each member of a group.
const EACH: [&str; 17] = [
    "by", "per", "each", "every", "pro", "je", "jede", "jeder", "jedes", "jeden", "jedem", "nach", "par", "chaque", "por",
    "cada", "según",
];

/// Words that ask for a number of things.
const COUNTS: [&[&str]; 11] = [
    &["how", "many"],
    &["number"],
    &["count"],
    &["wie", "viel"],
    &["wie", "viele"],
    &["anzahl"],
    &["combien"],
    &["nombre"],
    &["cuántos"],
    &["cuántas"],
    &["número"],
];

/// Splits a question into words and signs that compare.
pub(crate) fn split_question(question: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut chars = question.char_indices().peekable();
    while let Some((start, first)) = chars.next() {
        let mut end = start + first.len_utf8();
        let is_sign = matches!(first, '<' | '>' | '=' | '≤' | '≥' | '+' | '%' | '€' | '$' | '£' | '&');
        if first.is_alphanumeric() || first == '_' {
            while let Some(&(at, c)) = chars.peek() {
                let is_decimal = matches!(c, '.' | ',')
                    && question[..at].ends_with(|c: char| c.is_ascii_digit())
                    && question[at + 1..].starts_with(|c: char| c.is_ascii_digit());
                if !c.is_alphanumeric() && c != '_' && !is_decimal {
                    break;
                }
                end = at + c.len_utf8();
                chars.next();
            }
        } else if !is_sign && !is_minus(question, start, first) {
            continue;
        }
        words.push(Word { at: start..end, text: question[start..end].to_lowercase() });
    }
    words
}

/// Returns true for a sign before a number, which is not a hyphen.
fn is_minus(question: &str, at: usize, c: char) -> bool {
    matches!(c, '-' | '−')
        && question[at + c.len_utf8()..].starts_with(|c: char| c.is_ascii_digit())
        && question[..at].chars().next_back().is_none_or(char::is_whitespace)
}

/// Removes words without a meaning of their own, and unifies words that count or group.
pub(crate) fn keep_meaning(words: &[Word]) -> Vec<Word> {
    let mut kept: Vec<Word> = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let counts = COUNTS.iter().find(|phrase| {
            phrase.iter().enumerate().all(|(offset, part)| words.get(at + offset).is_some_and(|word| word.text == *part))
        });
        let (text, length) = match counts {
            Some(phrase) => ("#count".to_owned(), phrase.len()),
            None if EACH.contains(&word.text.as_str()) => ("#each".to_owned(), 1),
            None => (word.text.clone(), 1),
        };
        let is_filler = FILLERS.contains(&text.as_str());
        let is_repeated = text == "#each" && kept.last().is_some_and(|last| last.text == text);
        if !is_filler && !is_repeated {
            kept.push(Word { at: word.at.clone(), text: to_singular(text) });
        }
        at += length;
    }
    kept
}

/// Returns a word in the singular; signs and marks stay unchanged.
fn to_singular(text: String) -> String {
    if text.starts_with(char::is_alphabetic) { singular_name(&text) } else { text }
}
