//! Words and signs of a question.

use std::ops::Range;

/// The letters of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Letters {
    /// No capital at the beginning.
    Lower,
    /// A capital only at the beginning.
    Title,
    /// Several letters, all of them capital, such as a code.
    Upper,
}

/// A word or sign with its byte range in the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// The position in the question.
    pub at: Range<usize>,
    /// The text in lower case, or a mark that begins with `#`.
    pub text: String,
    /// The letters as written.
    pub letters: Letters,
}

impl Word {
    /// Returns this word with another text.
    pub fn with_text(&self, text: &str) -> Self {
        Self { at: self.at.clone(), text: text.to_owned(), letters: self.letters }
    }

    /// Returns true for a mark, which stands for a part of a question. A sign has one character.
    pub fn is_mark(&self) -> bool {
        self.text.len() > 1 && self.text.starts_with('#')
    }
}

/// Splits a question into words and signs. Only punctuation and hyphens are omitted.
pub(crate) fn split_question(question: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut chars = question.char_indices().peekable();
    while let Some((start, first)) = chars.next() {
        let mut end = start + first.len_utf8();
        if is_letter(first) {
            while let Some(&(at, c)) = chars.peek() {
                let is_decimal = matches!(c, '.' | ',')
                    && question[..at].ends_with(|c: char| c.is_ascii_digit())
                    && question[at + 1..].starts_with(|c: char| c.is_ascii_digit());
                if !is_letter(c) && !is_decimal {
                    break;
                }
                end = at + c.len_utf8();
                chars.next();
            }
        } else if !is_sign(question, start, first) {
            continue;
        }
        let written = &question[start..end];
        words.push(Word { at: start..end, text: written.to_lowercase(), letters: letters_of(written) });
    }
    words
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn letters_of(word: &str) -> Letters {
    let is_several = word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    if !word.starts_with(char::is_uppercase) {
        Letters::Lower
    } else if is_several && !word.chars().any(char::is_lowercase) {
        Letters::Upper
    } else {
        Letters::Title
    }
}

/// Returns true for a character that changes what a question asks, which punctuation and hyphens do not.
fn is_sign(question: &str, at: usize, c: char) -> bool {
    let before = question[..at].chars().next_back();
    let rest = &question[at + c.len_utf8()..];
    let after = rest.chars().next();
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let is_end = |c: Option<char>| c.is_none_or(char::is_whitespace);
    match c {
        '-' | '–' | '—' | '−' => {
            let is_minus = is_digit(after) && !before.is_some_and(is_letter);
            let is_range = is_digit(before) && is_digit(after) && !(c == '-' && is_date_hyphen(&question[..at], rest));
            is_end(before) && is_end(after) || is_minus || is_range
        }
        // A decimal point without a digit before it.
        '.' | ',' => is_digit(after) && !before.is_some_and(is_letter),
        '!' => !is_end(after) || !before.is_some_and(is_letter),
        '?' | ':' | ';' | '(' | ')' | '[' | ']' | '{' | '}' | '…' | '¿' | '¡' => false,
        '"' | '\'' | '`' | '´' | '‘' | '’' | '‚' | '“' | '”' | '„' | '«' | '»' | '‹' | '›' => false,
        _ => !c.is_whitespace() && !c.is_control(),
    }
}

/// Returns true for the hyphens of `2024-03-05`.
fn is_date_hyphen(before: &str, after: &str) -> bool {
    let start = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-').len();
    let lengths: Vec<usize> = before[start..].split('-').map(str::len).collect();
    let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    matches!(lengths.as_slice(), [4] | [4, 2]) && digits == 2
}
