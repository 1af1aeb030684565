//! Fills the query of a verified question with the values of another question.

use crate::align::{Token, align_words};
use crate::link::{link_parts, selects_time, translate_constant};
use crate::parts::{Part, PartValue, find_parts};
use crate::words::{Word, keep_meaning, split_question};
use std::collections::BTreeMap;
use std::ops::Range;
use vitrine_sql::{Parameter, ParameterKind, ReadOnlySql, Subject, compared_with, extract_parameters, with_values};

/// A question that has the structure of a verified one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateMatch {
    /// Texts that must be stored values of a column; [`TemplateMatch::fill`] needs their stored spelling.
    pub texts: Vec<TextSlot>,
    values: BTreeMap<String, String>,
    replaced: Vec<(String, String)>,
}

/// A text of the new question that takes the place of a stored value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextSlot {
    /// The name of the column that contains the value.
    pub column: String,
    /// The text in the new question.
    pub text: String,
    parameter: String,
    before: String,
}

/// The query of a verified question with new values.
#[derive(Debug, Clone)]
pub struct FilledTemplate {
    /// The query.
    pub sql: ReadOnlySql,
    /// The replaced words of the verified question, each with the new ones; empty for the same question.
    pub replaced: Vec<(String, String)>,
}

impl TemplateMatch {
    /// Returns the query with the new values, given the stored spelling of each text. `None` if an old value remains in
    /// the query.
    pub fn fill(mut self, sql: &ReadOnlySql, stored: &[String]) -> Option<FilledTemplate> {
        if stored.len() != self.texts.len() {
            return None;
        }
        for (slot, value) in self.texts.iter().zip(stored) {
            self.values.insert(slot.parameter.clone(), value.clone());
            self.replaced.push((slot.before.clone(), value.clone()));
        }
        if self.values.is_empty() {
            return Some(FilledTemplate { sql: sql.clone(), replaced: self.replaced });
        }
        let filled = with_values(sql, &self.values).ok()?;
        let is_left = |old: &str| {
            let is_new = self.values.values().any(|value| contains_word(value, old));
            !is_new && contains_word(filled.as_str(), old)
        };
        let old_words = self.replaced.iter().flat_map(|(old, _)| old_remainders(old));
        if old_words.into_iter().any(|old| is_left(&old)) {
            return None;
        }
        Some(FilledTemplate { sql: filled, replaced: self.replaced })
    }
}

/// Compares a question with a verified one. `None` if it asks for something else, or if a part that differs has no known
/// place in the query.
pub fn match_template(verified: &str, sql: &ReadOnlySql, question: &str) -> Option<TemplateMatch> {
    let parameters = extract_parameters(sql);
    let own = Question::parse(verified);
    let new = Question::parse(question);
    let links = link_parts(&own.parts, &parameters)?;
    // A time that no word of the question explains may come from "last month", or depend on a period that changes.
    let is_linked = |at: usize| links.iter().any(|of_part| of_part.contains(&at));
    if parameters.iter().enumerate().any(|(at, parameter)| selects_time(parameter) && !is_linked(at)) {
        return None;
    }
    let linked: Vec<usize> = (0..own.parts.len()).filter(|at| !links[*at].is_empty()).collect();
    let free = new.without_equal_parts(&own, &linked);
    let pairs = pair_parts(&own, &linked, &new, &free)?;

    let texts = find_texts(sql, verified, &own, &parameters, &links);
    let is_repeated = |at: &usize| {
        linked.iter().any(|other| other != at && own.parts[*other].value.is_alike(&own.parts[*at].value))
    };
    let marks = linked.iter().any(is_repeated);
    let template = own.template(&linked, &texts, marks);
    let words = new.remaining_words(&free, marks);
    let spans = align_words(&template, &words)?;

    let mut found = TemplateMatch { texts: Vec::new(), values: BTreeMap::new(), replaced: Vec::new() };
    for (own_part, new_part) in pairs {
        let (before, after) = (&own.parts[own_part], &new.parts[new_part]);
        if before.value == after.value {
            continue;
        }
        for parameter in links[own_part].iter().map(|at| &parameters[*at]) {
            let value = translate_constant(parameter, &before.value, &after.value)?;
            found.values.insert(parameter.name.clone(), value);
        }
        found.replaced.push((own.text_of(verified, before), new.text_of(question, after)));
    }
    for (slot, span) in texts.iter().zip(spans) {
        let covered = words.get(span)?;
        let (first, last) = (covered.first()?, covered.last()?);
        let text = question.get(first.at.start..last.at.end)?.to_owned();
        let parameter = &parameters[slot.parameter];
        if text.to_lowercase() != parameter.value.to_lowercase() {
            let (parameter, before) = (parameter.name.clone(), parameter.value.clone());
            found.texts.push(TextSlot { column: slot.column.clone(), text, parameter, before });
        }
    }
    Some(found)
}

/// A question with its words and parts.
struct Question {
    words: Vec<Word>,
    parts: Vec<Part>,
}

/// A text constant of the query that the verified question mentions.
struct MentionedText {
    parameter: usize,
    column: String,
    /// The range of bytes in the question.
    at: Range<usize>,
}

impl Question {
    fn parse(text: &str) -> Self {
        let words = split_question(text);
        let parts = find_parts(&words);
        Self { words, parts }
    }

    fn text_of(&self, question: &str, part: &Part) -> String {
        let range = self.bytes_of(part);
        question.get(range).unwrap_or_default().to_owned()
    }

    fn bytes_of(&self, part: &Part) -> Range<usize> {
        let words = &self.words[part.words.clone()];
        words.first().map_or(0, |word| word.at.start)..words.last().map_or(0, |word| word.at.end)
    }

    /// Returns the parts of the question except one for each part of the verified question that is only a word there.
    fn without_equal_parts(&self, verified: &Question, linked: &[usize]) -> Vec<usize> {
        let mut free: Vec<usize> = (0..self.parts.len()).collect();
        for (_, part) in verified.parts.iter().enumerate().filter(|(at, _)| !linked.contains(at)) {
            if let Some(same) = free.iter().position(|own| self.parts[*own].value == part.value) {
                free.remove(same);
            }
        }
        free
    }

    /// Returns the words outside the given parts; with marks in their places if `marks` is true.
    fn remaining_words(&self, parts: &[usize], marks: bool) -> Vec<Word> {
        let inside = |at: usize| parts.iter().find(|part| self.parts[**part].words.contains(&at));
        let mut words = Vec::new();
        for (at, word) in self.words.iter().enumerate() {
            match inside(at) {
                Some(part) if marks && self.parts[*part].words.start == at => {
                    words.push(Word { at: word.at.clone(), text: mark_of(&self.parts[*part].value).to_owned() });
                }
                Some(_) => {}
                None => words.push(word.clone()),
            }
        }
        keep_meaning(&words)
    }

    fn template(&self, linked: &[usize], texts: &[MentionedText], marks: bool) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut slots = 0;
        for word in self.remaining_words(linked, marks) {
            match texts.iter().position(|text| text.at.contains(&word.at.start)) {
                Some(text) if text < slots => {}
                Some(text) => {
                    slots = text + 1;
                    tokens.push(Token::Slot);
                }
                None => tokens.push(Token::Word(word.text)),
            }
        }
        tokens
    }
}

fn mark_of(value: &PartValue) -> &'static str {
    match value {
        PartValue::Period(_) => "#period",
        PartValue::Number(_) => "#number",
    }
}

/// Pairs the linked parts of the verified question with those of the new one, in order within each kind.
fn pair_parts(own: &Question, linked: &[usize], new: &Question, free: &[usize]) -> Option<Vec<(usize, usize)>> {
    if linked.len() != free.len() {
        return None;
    }
    let mut open = free.to_vec();
    let mut pairs = Vec::new();
    for at in linked {
        let place = open.iter().position(|other| own.parts[*at].value.is_alike(&new.parts[*other].value))?;
        pairs.push((*at, open.remove(place)));
    }
    Some(pairs)
}

/// Finds the text constants that the verified question mentions exactly once, in the order of the question.
fn find_texts(
    sql: &ReadOnlySql,
    verified: &str,
    own: &Question,
    parameters: &[Parameter],
    links: &[Vec<usize>],
) -> Vec<MentionedText> {
    let mut found = Vec::new();
    for (at, parameter) in parameters.iter().enumerate() {
        let is_linked = links.iter().any(|of_part| of_part.contains(&at));
        let is_name = parameter.value.chars().any(char::is_alphabetic) && !parameter.value.contains(['%', '\'']);
        let is_unique = parameters.iter().filter(|other| other.value.eq_ignore_ascii_case(&parameter.value)).count() == 1;
        if parameter.kind != ParameterKind::Text || is_linked || !is_name || !is_unique {
            continue;
        }
        let Some(Subject::Column(column)) = compared_with(sql, &parameter.value) else { continue };
        if let Some(place) = only_mention(own, &split_question(&parameter.value)).filter(|place| verified.is_char_boundary(place.start)) {
            found.push(MentionedText { parameter: at, column, at: place });
        }
    }
    found.sort_by_key(|text| text.at.start);
    found
}

/// Returns the bytes of the only place where the question has these words.
fn only_mention(own: &Question, value: &[Word]) -> Option<Range<usize>> {
    if value.is_empty() {
        return None;
    }
    let mut places = own
        .words
        .windows(value.len())
        .filter(|window| window.iter().map(|word| &word.text).eq(value.iter().map(|word| &word.text)));
    let only = places.next().filter(|_| places.next().is_none())?;
    Some(only.first()?.at.start..only.last()?.at.end)
}

/// Returns the words of a replaced text whose presence in the query shows that it still depends on the old value.
fn old_remainders(old: &str) -> Vec<String> {
    let words = split_question(old);
    let digits: Vec<String> = words
        .iter()
        .map(|word| word.text.clone())
        .filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()) && word.len() > 1)
        .collect();
    if digits.is_empty() { vec![old.to_lowercase()] } else { digits }
}

/// Returns true if a text contains a word, regardless of case.
fn contains_word(text: &str, word: &str) -> bool {
    let lower = text.to_lowercase();
    lower.match_indices(word).any(|(at, _)| {
        let before = lower[..at].chars().next_back();
        let after = lower[at + word.len()..].chars().next();
        let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric());
        !joins(before) && !joins(after)
    })
}
