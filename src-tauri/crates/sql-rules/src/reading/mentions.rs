//! Positions of values in a question, in any language.

use crate::words::singularize;

/// Minimum length of a value, in characters, that may be the beginning of a longer word: `Jazz` in "Jazzbands".
const STEM: usize = 4;

/// The words of a question in order, in lower case.
pub(super) struct QuestionWords(Vec<String>);

/// Position of a value in a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mention {
    /// Index of its first word.
    pub(super) first: usize,
    /// Index of the word after it.
    pub(super) after: usize,
    /// True if the question has another form than the stored value: a noun of the sentence instead of a name.
    pub(super) inflected: bool,
}

impl QuestionWords {
    pub(super) fn from_question(question: &str) -> Self {
        Self(split_tokens(question))
    }

    /// Returns the words of a range.
    pub(super) fn words_between(&self, from: usize, to: usize) -> &[String] {
        self.0.get(from..to.min(self.0.len())).unwrap_or_default()
    }

    /// Returns the number of words.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the first position at which the question mentions a value. A date is also mentioned by its year, and a
    /// multi-word name by its first word: documentaries are of the kind "Documentary Series".
    pub(super) fn find_mention(&self, value: &str) -> Option<Mention> {
        let wanted = split_tokens(value);
        let shorter = || (1..wanted.len()).rev().map(|words| &wanted[..words]).filter(|words| is_name(words));
        self.find_words(&wanted)
            .or_else(|| self.find_words(&[leading_year(value)?]))
            .or_else(|| shorter().find_map(|words| self.find_words(words)))
    }

    fn find_words(&self, wanted: &[String]) -> Option<Mention> {
        if wanted.is_empty() {
            return None;
        }
        let is_there = |run: &[String]| run.iter().zip(wanted).all(|(word, wanted)| is_form(word, wanted));
        let first = self.0.windows(wanted.len()).position(is_there)?;
        let after = first + wanted.len();
        Some(Mention { first, after, inflected: self.0[first..after] != *wanted })
    }
}

/// Splits a text into words and numbers in lower case. Points and commas within a number are part of it.
fn split_tokens(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.to_lowercase().chars().collect();
    let is_digit = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
    let mut parts = vec![String::new()];
    for (at, c) in letters.iter().enumerate() {
        let within = matches!(c, '.' | ',') && is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
        match parts.last_mut() {
            Some(part) if c.is_alphanumeric() || within => part.push(*c),
            _ => parts.push(String::new()),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn is_form(word: &str, of: &str) -> bool {
    if of.starts_with(|c: char| c.is_ascii_digit()) {
        return word == of || number_readings(word).any(|number| number_readings(of).any(|other| number == other));
    }
    word == of || singularize(word) == singularize(of) || is_name(&[of.to_owned()]) && word.starts_with(of)
}

/// Returns the possible numbers of a text, with points or commas as thousands separators.
fn number_readings(text: &str) -> impl Iterator<Item = f64> {
    [text.replace(',', ""), text.replace('.', "").replace(',', ".")].into_iter().filter_map(|plain| plain.parse().ok())
}

/// Returns true if words are long enough to be meaningful on their own.
fn is_name(words: &[String]) -> bool {
    words.iter().any(|word| word.chars().count() >= STEM && word.chars().all(char::is_alphabetic))
}

/// Returns the year at the beginning of a date.
fn leading_year(value: &str) -> Option<String> {
    let (year, rest) = value.split_at_checked(4)?;
    let is_year = year.chars().all(|c| c.is_ascii_digit()) && rest.starts_with('-');
    is_year.then(|| year.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_in_the_form_that_the_sentence_gives_it() {
        let said = QuestionWords::from_question("Show comic books and Jazzbands from 2018, please");
        let at = |value| said.find_mention(value).map(|found| (found.first, found.after, found.inflected));
        assert_eq!(at("Comic Book"), Some((1, 3, true)));
        assert_eq!(at("comic books"), Some((1, 3, false)));
        assert_eq!(at("Jazz"), Some((4, 5, true)));
        assert_eq!(at("2018-03-01"), Some((6, 7, false)));
        assert_eq!(at("2018"), Some((6, 7, false)));
        assert_eq!(at("Rock"), None);
        assert_eq!(at("20"), None);
        assert_eq!(at("Jazz Standards"), Some((4, 5, true)));
        assert_eq!(at("-"), None);
    }

    #[test]
    fn a_number_is_found_as_each_language_writes_it() {
        for question in ["with a limit of 20,000", "mit einem Limit von 20.000,00", "above 20000.0 each", "20000?"] {
            assert!(QuestionWords::from_question(question).find_mention("20000").is_some(), "{question}");
        }
        assert_eq!(QuestionWords::from_question("fees of 0.01").find_mention("0.01").map(|at| at.first), Some(2));
        assert_eq!(QuestionWords::from_question("fees of 20,001").find_mention("20000"), None);
    }
}
