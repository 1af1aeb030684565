//! Completes a follow-up without a model: "and for 2024?" replaces the only year of the question before.
//!
//! A follow-up is taken apart into times, stored values, numbers and groupings. Each replaces the one of its kind that the question
//! before has. Where a word is left over, or the question before has none or several of a kind, nothing is guessed.

mod edit;
mod fragment;
mod grouping;
mod lead;
mod mention;
mod names;
mod number;
mod period;
mod replace_period;
mod replace_value;
#[cfg(test)]
mod tests;
mod time_words;
mod words;

use edit::{Edit, apply};
use fragment::{Mode, Part, PartKind, read_parts};
use grouping::{Groupings, find_groupings};
use mention::Mention;
pub(super) use names::{ColumnSet, StoredNames};
use number::{Number, NumberKind, find_numbers};
use period::{Period, find_periods};
use std::ops::Range;
use words::{Language, Text};

/// What becomes of a follow-up without a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completion {
    /// A question that stands alone.
    Question(String),
    /// It asks what the question before asks.
    Same,
    /// It is not clear without a model.
    Unclear,
}

/// Completes a follow-up with the question before it.
pub fn complete_follow_up(before: &str, text: &str, names: &dyn StoredNames) -> Completion {
    let before = before.trim();
    match complete(&Text::new(before), &Text::new(text.trim()), names) {
        Some(question) if is_same_text(&question, before) => Completion::Same,
        Some(question) => Completion::Question(question),
        None => Completion::Unclear,
    }
}

/// Returns the stored values that a follow-up names, as it writes them.
pub fn find_values(text: &str, names: &dyn StoredNames) -> Vec<String> {
    let text = Text::new(text);
    let cores: Vec<Range<usize>> = find_periods(&text, true).into_iter().map(|period| period.core).collect();
    let mentions = mention::find_all(&text, &cores, None, names).into_iter().filter(|mention| !mention.is_name);
    mentions.map(|mention| text.slice(&mention.core).to_owned()).collect()
}

/// Returns true for texts with the same words.
pub(super) fn is_same_text(one: &str, other: &str) -> bool {
    let words = |text: &str| Text::new(text).words.into_iter().map(|word| word.low).collect::<Vec<_>>();
    words(one) == words(other)
}

/// Returns the numbers and names with digits in a text: a rewritten follow-up has to hold them.
pub(super) fn words_with_digits(text: &str) -> Vec<String> {
    let words = Text::new(text).words.into_iter().map(|word| word.low);
    words.filter(|word| word.chars().any(|c| c.is_ascii_digit())).collect()
}

/// Returns true where a text is the question before with a follow-up behind it that only goes on ("and 2024?").
pub(super) fn is_joined(text: &str, before: &str, follow_up: &str) -> bool {
    let words = |text: &str| Text::new(text).words.into_iter().map(|word| word.low).collect::<Vec<_>>();
    let (whole, before, follow_up) = (words(text), words(before), words(follow_up));
    let goes_on = Text::new(text).match_phrase(before.len(), words::CONNECTORS) > 0;
    goes_on
        && whole.len() == before.len() + follow_up.len()
        && whole.starts_with(&before)
        && whole.ends_with(&follow_up)
}

/// The question before with all that can be replaced in it.
struct Before<'a> {
    text: &'a Text<'a>,
    periods: Vec<Period>,
    numbers: Vec<Number>,
    language: Option<Language>,
    names: &'a dyn StoredNames,
}

/// What a part of a follow-up does to the question before.
enum Change {
    Edit(Edit),
    /// A condition behind it.
    Add(String),
}

fn complete(before: &Text<'_>, text: &Text<'_>, names: &dyn StoredNames) -> Option<String> {
    let parts = read_parts(text, before, names)?;
    let periods = find_periods(before, false);
    let cores: Vec<Range<usize>> = periods.iter().map(|period| period.core.clone()).collect();
    let numbers = find_numbers(before, &cores);
    let before = Before { text: before, periods, numbers, language: before.language().or(text.language()), names };
    let (mut edits, mut added) = (Vec::new(), Vec::new());
    for part in &parts {
        match before.change(text, part)? {
            Change::Edit(edit) => edits.push(edit),
            Change::Add(condition) => added.push(condition),
        }
    }
    apply(before.text.text, edits, &added)
}

impl Before<'_> {
    fn change(&self, text: &Text<'_>, part: &Part) -> Option<Change> {
        match &part.kind {
            PartKind::Period(new) => match (self.periods.as_slice(), part.mode) {
                ([], Mode::Only(at) | Mode::Without(at)) => Some(add_condition(text, at, part)),
                ([old], Mode::Plain | Mode::Only(_)) => {
                    self.repeats_head(text, part, old.lead.words.start)?;
                    replace_period::replace_period(self.text, old, text, new, self.language).map(Change::Edit)
                }
                _ => None,
            },
            PartKind::Value(new) => self.change_value(text, part, new),
            PartKind::Number(new) => self.change_number(text, part, new),
            PartKind::Grouping(words) if part.mode == Mode::Plain && part.head.is_empty() => {
                self.change_grouping(text, words)
            }
            PartKind::Grouping(_) => None,
        }
    }

    fn change_value(&self, text: &Text<'_>, part: &Part, new: &Mention) -> Option<Change> {
        let cores: Vec<Range<usize>> = self.periods.iter().map(|period| period.core.clone()).collect();
        let mentions = mention::find_all(self.text, &cores, Some(&new.columns), self.names);
        // A word that also names a table or a column may be either.
        if new.is_name || mentions.iter().any(|mention| mention.is_name) {
            return None;
        }
        match (mentions.as_slice(), part.mode) {
            ([], Mode::Only(at) | Mode::Without(at)) => {
                let repeats = |word: &str| self.text.words.iter().any(|known| known.low == word);
                let known = |at: usize| repeats(text.low(at)) || self.names.is_name(text.low(at));
                (part.head.is_empty() && part.tail.clone().all(known)).then(|| add_condition(text, at, part))
            }
            ([old], Mode::Plain | Mode::Only(_)) => {
                self.repeats_head(text, part, old.lead.words.start)?;
                self.repeats_tail(text, part, old.core.end)?;
                replace_value::replace_value(self.text, old, text, new, self.language).map(Change::Edit)
            }
            _ => None,
        }
    }

    /// Checks that the words before a part come before the same place of the question before, too.
    fn repeats_head(&self, text: &Text<'_>, part: &Part, place: usize) -> Option<()> {
        let first = place.checked_sub(part.head.len())?;
        part.head.clone().enumerate().all(|(n, at)| text.low(at) == self.text.low(first + n)).then_some(())
    }

    /// Checks that the words behind a part follow the same place of the question before, too.
    fn repeats_tail(&self, text: &Text<'_>, part: &Part, place: usize) -> Option<()> {
        part.tail.clone().enumerate().all(|(n, at)| text.low(at) == self.text.low(place + n)).then_some(())
    }

    fn change_number(&self, text: &Text<'_>, part: &Part, new: &Number) -> Option<Change> {
        if matches!(part.mode, Mode::Without(_)) {
            return None;
        }
        let alike: Vec<&Number> = match new.kind {
            NumberKind::Bare => self.numbers.iter().collect(),
            kind => self.numbers.iter().filter(|number| number.kind == kind).collect(),
        };
        let [old] = alike.as_slice() else { return None };
        let first = if new.kind == NumberKind::Bound { old.bound.start } else { old.rank.unwrap_or(old.at) };
        self.repeats_head(text, part, first)?;
        self.repeats_tail(text, part, old.at + 1)?;
        let words = |number: &Number| match (new.kind, new.rank, old.rank) {
            (NumberKind::Bound, ..) => number.bound.clone(),
            (_, Some(_), Some(_)) => number.rank.unwrap_or(number.at)..number.at + 1,
            _ => number.at..number.at + 1,
        };
        // "the bottom 3" says more than a number where the question before has no such word.
        let reverses = |rank: usize| matches!(text.low(rank), "bottom" | "worst" | "last" | "letzten");
        if old.rank.is_none() && new.rank.is_some_and(reverses) {
            return None;
        }
        Some(Change::Edit(Edit::replace(self.text, &words(old), text.slice(&words(new)).to_owned())))
    }

    fn change_grouping(&self, text: &Text<'_>, words: &Range<usize>) -> Option<Change> {
        let Groupings::Known(groupings) = find_groupings(self.text, self.names) else { return None };
        let written = text.slice(words);
        let is_subject = |text: &Text<'_>, words: &Range<usize>| {
            let first = text.low(words.start);
            ["each", "every", "chaque"].contains(&first) || !text.slice(words).contains(' ')
        };
        match groupings.as_slice() {
            // What is ranked already is ranked within each group, or not: only a model can say.
            [] if self.numbers.iter().all(|number| number.kind != NumberKind::Limit) => {
                Some(Change::Add(format!(" {written}")))
            }
            [old] if is_subject(self.text, old) == is_subject(text, words) => {
                Some(Change::Edit(Edit::replace(self.text, old, written.to_owned())))
            }
            _ => None,
        }
    }
}

/// A condition behind the question, in the words of the follow-up: its "only" or "without", and what that is said of.
fn add_condition(text: &Text<'_>, opening: usize, part: &Part) -> Change {
    let opens = text.slice(&(opening..opening + 1)).to_lowercase();
    let rest = opening + 1..part.words.end;
    // A second value behind one "only" has it again.
    let said = if part.opens { rest } else { part.words.clone() };
    Change::Add(format!(", {opens} {}", text.slice(&said)))
}
