//! Splits a question into words, and finds its texts in quotation marks.

use std::ops::Range;

/// A word with its byte range; digits with their separators are one word.
#[derive(Debug)]
pub(super) struct QuestionWord {
    pub at: Range<usize>,
    pub lower: String,
}

/// The no-break space that joins groups of digits within a word.
const GROUP_BLANK: char = '\u{a0}';

/// Characters that group digits or begin decimals.
pub(super) fn is_digit_separator(c: char) -> bool {
    matches!(c, '.' | ',' | '\'' | '’' | '\u{a0}' | '\u{202f}')
}

/// Splits a question into words.
pub(super) fn split_words(text: &str) -> Vec<QuestionWord> {
    let mut words: Vec<QuestionWord> = Vec::new();
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    for (place, &(at, letter)) in letters.iter().enumerate() {
        let is_digit = |at: usize| letters.get(at).is_some_and(|(_, c)| c.is_ascii_digit());
        let inside = is_digit_separator(letter) && place > 0 && is_digit(place - 1) && is_digit(place + 1);
        if !letter.is_alphanumeric() && letter != '_' && !inside {
            continue;
        }
        // Letters of a script without spaces may touch a number.
        let cut = words.last().is_some_and(|word| {
            let before = text[..at].chars().next_back();
            word.at.end == at
                && before.is_some_and(|before| {
                    letter.is_ascii_digit() != before.is_ascii_digit()
                        && !inside
                        && !is_digit_separator(before)
                        && (!letter.is_ascii() || !before.is_ascii())
                })
        });
        let end = at + letter.len_utf8();
        match words.last_mut().filter(|word| word.at.end == at && !cut) {
            Some(word) => {
                word.at.end = end;
                word.lower.extend(letter.to_lowercase());
            }
            None => words.push(QuestionWord { at: at..end, lower: letter.to_lowercase().collect() }),
        }
    }
    join_groups(text, words)
}

/// Joins groups of three digits separated by a space: "1 500" is one number.
fn join_groups(text: &str, words: Vec<QuestionWord>) -> Vec<QuestionWord> {
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let begins = |word: &str| {
        let end = word.find(GROUP_BLANK).unwrap_or(word.len());
        !word.is_empty() && end <= 3 && !word.starts_with('0') && word.split(GROUP_BLANK).all(are_digits)
    };
    let goes_on = |word: &str| {
        let (group, rest) = word.split_at(word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len()));
        group.len() == 3 && (rest.is_empty() || rest.starts_with([',', '.']) && are_digits(&rest[1..]))
    };
    let mut joined: Vec<QuestionWord> = Vec::with_capacity(words.len());
    for word in words {
        match joined.last_mut() {
            Some(last) if &text[last.at.end..word.at.start] == " " && begins(&last.lower) && goes_on(&word.lower) => {
                last.at.end = word.at.end;
                last.lower.push(GROUP_BLANK);
                last.lower.push_str(&word.lower);
            }
            _ => joined.push(word),
        }
    }
    joined
}

/// Returns the texts in quotation marks, with their byte ranges.
pub(super) fn find_quotes(text: &str) -> Vec<(Range<usize>, String)> {
    const PAIRS: [(char, char); 7] =
        [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('‘', '’'), ('「', '」'), ('\'', '\'')];
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    for (open, close) in PAIRS {
        let mut from = 0;
        while let Some(start) = text[from..].find(open).map(|at| from + at) {
            let inside = start + open.len_utf8();
            from = inside;
            let touches = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            // An apostrophe is not a quotation mark.
            if open == '\'' && touches(text[..start].chars().next_back()) {
                continue;
            }
            let ends = |at: &usize| open != '\'' || !touches(text[at + close.len_utf8()..].chars().next());
            let Some(end) = text[inside..].match_indices(close).map(|(at, _)| inside + at).find(ends) else { continue };
            let quoted = text[inside..end].trim();
            if !quoted.is_empty() && found.iter().all(|(known, _)| known.end <= start || end < known.start) {
                found.push((start..end + close.len_utf8(), quoted.to_owned()));
            }
            from = end + close.len_utf8();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_are_told_from_apostrophes() {
        let quoted = |text: &str| find_quotes(text).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(quoted("the customer's orders of 'Ada' and “Bob” and «Cid»"), ["Bob", "Cid", "Ada"]);
        assert!(quoted("the customers' and vendors' names, d'accord").is_empty());
    }

    #[test]
    fn groups_of_digits_are_one_number() {
        let read = |text: &str| {
            split_words(text).into_iter().map(|word| word.lower.replace(GROUP_BLANK, "'")).collect::<Vec<_>>()
        };
        assert_eq!(read("de 1 500 €, 12 345 678,50"), ["de", "1'500", "12'345'678,50"]);
        assert_eq!(
            read("top 5 of 10, 10 20, 1500 200, 007 100, 5 1000"),
            ["top", "5", "of", "10", "10", "20", "1500", "200", "007", "100", "5", "1000"]
        );
    }
}
