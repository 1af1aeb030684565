//! Fills the query of a verified question with the values of another question.

use crate::align::{Token, align_words, move_period};
use crate::link::{has_open_range, link_parts, selects_time, translate_constant};
use crate::meaning::common_language;
use crate::parts::PartValue;
use crate::question::{Question, slot_mark};
use crate::texts::{MentionedText, find_texts, has_companion};
use crate::times::Remainder;
use crate::words::Word;
use std::collections::BTreeMap;
use std::ops::Range;
use vitrine_sql::{Parameter, ReadOnlySql, extract_parameters, with_values};

/// A question that has the structure of a verified one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateMatch {
    /// Texts that must be stored values of a column; [`TemplateMatch::fill`] needs their stored spelling.
    pub texts: Vec<TextSlot>,
    values: BTreeMap<String, String>,
    replaced: Vec<(String, String)>,
    /// Parameters that follow the question.
    linked: Vec<String>,
    /// True if a constant that the question does not mention may depend on a text.
    has_companion: bool,
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
    /// Returns the query with the new values, given the stored spelling of each text. `None` if the query may depend on
    /// an old text in another place.
    pub fn fill(mut self, sql: &ReadOnlySql, stored: &[String]) -> Option<FilledTemplate> {
        if stored.len() != self.texts.len() {
            return None;
        }
        let names: Vec<&str> = self.linked.iter().map(String::as_str).collect();
        let remainder = Remainder::without_parameters(sql, &names)?;
        for (slot, value) in self.texts.iter().zip(stored).filter(|(slot, value)| slot.before != **value) {
            if self.has_companion || remainder.has_text(&slot.before) {
                return None;
            }
            self.values.insert(slot.parameter.clone(), value.clone());
            self.replaced.push((slot.before.clone(), value.clone()));
        }
        if self.values.is_empty() {
            return Some(FilledTemplate { sql: sql.clone(), replaced: self.replaced });
        }
        let filled = with_values(sql, &self.values).ok()?;
        Some(FilledTemplate { sql: filled, replaced: self.replaced })
    }
}

/// Compares a question with a verified one. `None` if it asks for something else, or if a part that differs has no known
/// place in the query.
pub fn match_template(verified: &str, sql: &ReadOnlySql, question: &str) -> Option<TemplateMatch> {
    let parameters = extract_parameters(sql);
    let own = Question::parse(verified);
    let new = Question::parse(question);
    let language = common_language(&own.words, &new.words)?;
    let links = link_parts(&own.parts, &parameters)?;
    // A time that no word of the question explains may come from "last month", or depend on a period that changes.
    let is_linked = |at: usize| links.iter().any(|of_part| of_part.contains(&at));
    if parameters.iter().enumerate().any(|(at, parameter)| selects_time(parameter) && !is_linked(at)) {
        return None;
    }
    let of_parts: Vec<&str> = links.iter().flatten().map(|at| parameters[*at].name.as_str()).collect();
    let remainder = Remainder::without_parameters(sql, &of_parts)?;
    if remainder.has_time() {
        return None;
    }
    if has_open_range(&own, &links, &parameters) {
        return None;
    }
    let linked: Vec<usize> = (0..own.parts.len()).filter(|at| !links[*at].is_empty()).collect();
    let free = new.without_equal_parts(&own, &linked);
    let pairs = pair_parts(&own, &linked, &new, &free)?;

    let texts = find_texts(sql, &own, &parameters, &links);
    let places: Vec<Range<usize>> = texts.iter().map(|text| text.at.clone()).collect();
    let template = build_template(own.marked_words(&linked, &places, language), texts.len())?;
    let mut words = new.marked_words(&free, &[], language);
    move_period(&template, &mut words);
    let spans = align_words(&template, &words)?;

    let names = of_parts.into_iter().chain(texts.iter().map(|text| parameters[text.parameter].name.as_str()));
    let mut found = TemplateMatch {
        texts: Vec::new(),
        values: BTreeMap::new(),
        replaced: Vec::new(),
        linked: names.map(str::to_owned).collect(),
        has_companion: has_companion(sql, &parameters, &links, &texts),
    };
    for (own_part, new_part) in pairs {
        let (before, after) = (&own.parts[own_part], &new.parts[new_part]);
        if before.value == after.value {
            continue;
        }
        if remainder.depends_on(&before.value, &after.value) {
            return None;
        }
        for parameter in links[own_part].iter().map(|at| &parameters[*at]) {
            let value = translate_constant(parameter, &before.value, &after.value)?;
            found.values.insert(parameter.name.clone(), value);
        }
        found.replaced.push((own.text_of(before), new.text_of(after)));
    }
    for (text, span) in spans {
        let covered = words.get(span)?;
        let bytes = covered.first()?.at.start..covered.last()?.at.end;
        let text_slot = new_slot(&new, &bytes, texts.get(text)?, &parameters)?;
        found.texts.extend(text_slot);
    }
    Some(found)
}

/// Returns true if two questions have the same words with a meaning, so that no third question explains one of them
/// better.
pub fn is_same_question(one: &str, other: &str) -> bool {
    let (one, other) = (Question::parse(one), Question::parse(other));
    let Some(language) = common_language(&one.words, &other.words) else { return false };
    let texts = |question: &Question<'_>| -> Vec<String> {
        let parts: Vec<usize> = (0..question.parts.len()).collect();
        question.marked_words(&parts, &[], language).into_iter().map(|word| word.text).collect()
    };
    let values =
        |question: &Question<'_>| -> Vec<PartValue> { question.parts.iter().map(|part| part.value.clone()).collect() };
    texts(&one) == texts(&other) && values(&one) == values(&other)
}

/// Returns the slot of a text; `Some(None)` if the question has the text of the query.
fn new_slot(
    new: &Question<'_>,
    bytes: &Range<usize>,
    mentioned: &MentionedText,
    parameters: &[Parameter],
) -> Option<Option<TextSlot>> {
    let parameter = &parameters[mentioned.parameter];
    let text = new.text_between_words(bytes).filter(|text| !text.is_empty())?.to_owned();
    let (name, before) = (parameter.name.clone(), parameter.value.clone());
    let slot = TextSlot { column: mentioned.column.clone(), text, parameter: name, before };
    Some((slot.text != slot.before).then_some(slot))
}

/// Converts words with marks to a template. `None` unless each text has one slot.
fn build_template(words: Vec<Word>, texts: usize) -> Option<Vec<Token>> {
    let marks: Vec<String> = (0..texts).map(slot_mark).collect();
    let tokens: Vec<Token> = words
        .into_iter()
        .map(|word| match marks.iter().position(|mark| *mark == word.text) {
            Some(text) => Token::Slot(text),
            None => Token::Word(word.text),
        })
        .collect();
    let slots = |text: usize| tokens.iter().filter(|token| **token == Token::Slot(text)).count();
    (0..texts).all(|text| slots(text) == 1).then_some(tokens)
}

/// Pairs the linked parts of the verified question with those of the new one: periods in their order, and numbers in theirs.
fn pair_parts(own: &Question<'_>, linked: &[usize], new: &Question<'_>, free: &[usize]) -> Option<Vec<(usize, usize)>> {
    let split = |question: &Question<'_>, parts: &[usize]| -> (Vec<usize>, Vec<usize>) {
        parts.iter().partition(|at| matches!(question.parts[**at].value, PartValue::Period(_)))
    };
    let ((own_periods, own_numbers), (periods, numbers)) = (split(own, linked), split(new, free));
    if own_periods.len() != periods.len() || own_numbers.len() != numbers.len() {
        return None;
    }
    let pairs: Vec<(usize, usize)> =
        own_periods.into_iter().chain(own_numbers).zip(periods.into_iter().chain(numbers)).collect();
    let is_alike = |(one, other): &(usize, usize)| own.parts[*one].value.is_alike(&new.parts[*other].value);
    pairs.iter().all(is_alike).then_some(pairs)
}
