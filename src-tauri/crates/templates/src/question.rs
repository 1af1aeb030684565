//! A question with its words and parts.

use crate::language::Language;
use crate::meaning::{NUMBER, PERIOD, keep_meaning};
use crate::parts::{Part, PartValue, find_parts};
use crate::words::{Word, split_question};
use std::ops::Range;

/// A question with its words and parts.
pub(crate) struct Question<'a> {
    /// The question as written.
    pub text: &'a str,
    /// All words and signs.
    pub words: Vec<Word>,
    /// Periods and numbers.
    pub parts: Vec<Part>,
}

impl<'a> Question<'a> {
    /// Splits a question.
    pub fn parse(text: &'a str) -> Self {
        let words = split_question(text);
        let parts = find_parts(&words);
        Self { text, words, parts }
    }

    /// Returns the text of a part as written.
    pub fn text_of(&self, part: &Part) -> String {
        let words = self.words.get(part.words.clone()).unwrap_or_default();
        let range = words.first().map_or(0, |word| word.at.start)..words.last().map_or(0, |word| word.at.end);
        self.text.get(range).unwrap_or_default().to_owned()
    }

    /// Returns everything between the words before and after a range of bytes, without punctuation at its ends.
    pub fn text_between_words(&self, range: &Range<usize>) -> Option<&'a str> {
        let start = self.words.iter().map(|word| word.at.end).filter(|end| *end <= range.start).max().unwrap_or(0);
        let end = self.words.iter().map(|word| word.at.start).find(|start| *start >= range.end);
        let is_quote = |c: char| {
            c.is_whitespace() || matches!(c, '"' | '\'' | '“' | '”' | '„' | '«' | '»' | '‘' | '’' | '¿' | '¡')
        };
        let is_end = |c: char| is_quote(c) || matches!(c, '.' | ',' | ';' | ':' | '?' | '!');
        let text = self.text.get(start..end.unwrap_or(self.text.len()))?;
        Some(text.trim_start_matches(|c: char| is_quote(c) || matches!(c, ',' | ';' | ':')).trim_end_matches(is_end))
    }

    /// Returns the parts of the question except one for each part of the verified question that is only a word there.
    pub fn without_equal_parts(&self, verified: &Question<'_>, linked: &[usize]) -> Vec<usize> {
        let mut free: Vec<usize> = (0..self.parts.len()).collect();
        for (_, part) in verified.parts.iter().enumerate().filter(|(at, _)| !linked.contains(at)) {
            if let Some(same) = free.iter().position(|own| self.parts[*own].value == part.value) {
                free.remove(same);
            }
        }
        free
    }

    /// Returns the words with a meaning, with marks in place of some parts and of texts at ranges of bytes.
    pub fn marked_words(&self, parts: &[usize], texts: &[Range<usize>], language: Option<&Language>) -> Vec<Word> {
        let part_at = |at: usize| parts.iter().map(|part| &self.parts[*part]).find(|part| part.words.contains(&at));
        let mut marked: Vec<Word> = Vec::new();
        for (at, word) in self.words.iter().enumerate() {
            if let Some(part) = part_at(at) {
                if part.words.start == at {
                    marked.push(word.with_text(mark_of(&part.value)));
                }
            } else if let Some(text) = texts.iter().position(|text| text.contains(&word.at.start)) {
                let mark = slot_mark(text);
                if marked.last().is_none_or(|last| last.text != mark) {
                    marked.push(word.with_text(&mark));
                }
            } else {
                marked.push(word.clone());
            }
        }
        keep_meaning(&marked, language)
    }
}

/// Returns the mark of the text with this index.
pub(crate) fn slot_mark(text: usize) -> String {
    format!("#slot{text}")
}

fn mark_of(value: &PartValue) -> &'static str {
    match value {
        PartValue::Period(_) => PERIOD,
        PartValue::Number(_) => NUMBER,
    }
}
