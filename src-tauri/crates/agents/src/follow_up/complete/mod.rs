//! Completes a follow-up without a model: "and for 2024?" replaces the only year of the previous question.
//!
//! A follow-up is split into times, stored values, numbers and groupings. Each replaces the only part of the same kind in the previous
//! question. If a word is left over, or if the previous question has no part or several parts of a kind, the follow-up is not completed.

mod certain_year;
mod edit;
mod fragment;
mod grouping;
mod lead;
mod mention;
mod modifier;
mod names;
mod number;
mod period;
mod replace_period;
mod replace_value;
#[cfg(test)]
mod tests;
mod time_words;
mod words;
mod year;

use edit::{Edit, apply_edits};
use fragment::{FollowUpPart, Mode, PartKind, read_parts};
use grouping::{Groupings, find_groupings, is_average, is_each, is_ordered, is_ratio, read_preposition};
use lead::Preposition;
use mention::Mention;
use modifier::is_further_name;
pub(super) use names::{ColumnSet, StoredNames};
use number::{Number, NumberKind, find_numbers};
use period::{Period, PeriodKind, find_periods};
use std::ops::Range;
use time_words::{AND, LAST};
use words::{ARTICLES, GENERIC, Language, SPECIFIC, Text, is_in, is_small};

/// Words that ask for an addition instead of a replacement.
const ADDING: &[&str] = &["also", "too", "additionally", "auch", "zusätzlich", "außerdem", "aussi", "également"];
/// Words that ask for a replacement.
const INSTEAD: &[&str] = &["instead", "rather", "stattdessen", "plutôt", "à la place"];
/// Auxiliary verbs before the subject of a question.
const VERBS: &[&str] = &["did", "does", "do", "has", "have", "had", "was", "were", "is", "are", "can", "will"];
/// Words that can begin both a complete question and a follow-up.
const REQUESTS: &[&str] = &[
    "show",
    "show me",
    "give me",
    "can you",
    "could you",
    "please",
    "zeig",
    "zeig mir",
    "zeige",
    "zeige mir",
    "kannst du",
    "bitte",
    "montre",
    "montre moi",
    "donne moi",
    "peux tu",
];
/// Prepositions that express possession or belonging.
const OF: &[&str] = &["of", "von", "vom", "de", "du", "des", "d'"];
/// Smallest number that may be a year.
const LIKE_A_YEAR: i64 = 100;
/// Maximum difference between the old and the new year for which a number is certainly a year.
const NEAR_YEARS: i64 = 15;

/// Result of completing a follow-up without a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completion {
    /// A complete question, understandable without the previous one.
    Question(String),
    /// The follow-up asks the previous question again.
    Same,
    /// The meaning is unclear without a model.
    Unclear,
}

/// Completes a follow-up with the previous question.
pub fn complete_follow_up(before: &str, text: &str, names: &dyn StoredNames) -> Completion {
    let before = before.trim();
    match complete_question(&Text::new(before), &Text::new(text.trim()), names) {
        Some(question) if is_same_text(&question, before) => Completion::Same,
        Some(question) => Completion::Question(question),
        None => Completion::Unclear,
    }
}

/// Returns the stored values that a follow-up names, in its spelling.
pub fn find_values(text: &str, names: &dyn StoredNames) -> Vec<String> {
    let text = Text::new(text);
    let periods = mention::leave_out_named(&text, find_periods(&text, true), names);
    let cores: Vec<Range<usize>> = periods.into_iter().map(|period| period.core).collect();
    let mentions = mention::find_all(&text, &cores, None, names).into_iter().filter(|mention| !mention.is_name);
    mentions.map(|mention| text.slice(&mention.core).to_owned()).collect()
}

/// Returns true if two texts have the same words.
pub(super) fn is_same_text(one: &str, other: &str) -> bool {
    let words = |text: &str| Text::new(text).words.into_iter().map(|word| word.low).collect::<Vec<_>>();
    words(one) == words(other)
}

/// Returns the numbers and names with digits in a text, which a rewritten follow-up must contain.
pub(super) fn words_with_digits(text: &str) -> Vec<String> {
    let words = Text::new(text).words.into_iter().map(|word| word.low);
    words.filter(|word| word.chars().any(|c| c.is_ascii_digit())).collect()
}

/// Returns true if a text is only the previous question followed by a follow-up with a connector ("and 2024?").
pub(super) fn is_joined(text: &str, before: &str, follow_up: &str) -> bool {
    let words = |text: &str| Text::new(text).words.into_iter().map(|word| word.low).collect::<Vec<_>>();
    let (whole, before, follow_up) = (words(text), words(before), words(follow_up));
    let goes_on = Text::new(text).match_phrase(before.len(), words::CONNECTORS) > 0;
    goes_on
        && whole.len() == before.len() + follow_up.len()
        && whole.starts_with(&before)
        && whole.ends_with(&follow_up)
}

/// The previous question with all parts that can be replaced.
struct Before<'a> {
    text: &'a Text<'a>,
    periods: Vec<Period>,
    /// True if a number may be a year or a quantity.
    has_uncertain_year: bool,
    numbers: Vec<Number>,
    language: Option<Language>,
    names: &'a dyn StoredNames,
}

/// Change of the previous question by a part of a follow-up.
enum Change {
    Edit(Edit),
    /// Condition to append to the question.
    Add(String),
}

fn complete_question(before: &Text<'_>, text: &Text<'_>, names: &dyn StoredNames) -> Option<String> {
    let parts = read_parts(text, before, names)?;
    let periods = mention::leave_out_named(before, find_periods(before, false), names);
    let read = periods.len();
    let periods: Vec<Period> =
        periods.into_iter().filter(|period| certain_year::is_certain(before, period, names)).collect();
    let has_uncertain_year = periods.len() < read;
    let cores: Vec<Range<usize>> = periods.iter().map(|period| period.core.clone()).collect();
    let numbers = find_numbers(before, &cores);
    let language = before.detect_language().or(text.detect_language());
    let question = Before { text: before, periods, has_uncertain_year, numbers, language, names };
    let (mut edits, mut added) = (Vec::new(), Vec::new());
    for part in &parts {
        match question.resolve_change(text, part)? {
            Change::Edit(edit) => edits.push(edit),
            Change::Add(condition) => added.push(condition),
        }
    }
    // "also in France" may refer to both countries.
    if !edits.is_empty() && text.words.iter().any(|word| is_in(&word.low, ADDING)) {
        return None;
    }
    let first_edit = edits.iter().map(|edit| edit.bytes.start).min();
    let may_be_whole = may_be_whole(text, before, &parts, first_edit, names);
    let completed = apply_edits(before.text, edits, &added)?;
    (!may_be_whole || is_same_text(&completed, text.text)).then_some(completed)
}

/// Returns true if a text may be a complete question: it begins like one, and not with a connector.
fn may_be_whole(
    text: &Text<'_>,
    before: &Text<'_>,
    parts: &[FollowUpPart],
    first_edit: Option<usize>,
    names: &dyn StoredNames,
) -> bool {
    let Some(first) = parts.first() else { return false };
    let begins = if first.head.is_empty() { first.words.start } else { first.head.start };
    let mut at = 0;
    while let length @ 1.. = text.match_phrase(at, REQUESTS) {
        at += length;
    }
    if at < begins {
        return (at..begins).all(|word| text.lowercase_word(word) == before.lowercase_word(word - at));
    }
    let article = usize::from(before.match_phrase(0, ARTICLES) > 0);
    let replaces_first =
        first_edit.is_some_and(|byte| before.words.iter().take(article + 1).any(|word| word.from == byte));
    let noun_follows = match first.kind {
        PartKind::Number(_) => first.tail.clone().any(|at| names.is_name(text.lowercase_word(at))),
        _ => !first.tail.is_empty(),
    };
    !first.head.is_empty() || (replaces_first && noun_follows)
}

impl Before<'_> {
    fn resolve_change(&self, text: &Text<'_>, part: &FollowUpPart) -> Option<Change> {
        match &part.kind {
            PartKind::Period(_) if self.has_uncertain_year => None,
            PartKind::Period(new) if self.may_be_quantity(text, new) => None,
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

    /// Returns true if a year of the follow-up may replace a number of the question.
    fn may_be_quantity(&self, text: &Text<'_>, new: &Period) -> bool {
        let written = |number: &Number| self.text.lowercase_word(number.at).replace(['.', ','], "").parse::<i64>().ok();
        let year = |text: &Text<'_>, period: &Period| text.slice(&period.core).parse::<i64>().ok();
        let Some(new_year) = year(text, new).filter(|_| new.lead.words.is_empty()) else { return false };
        let is_near = |old: &Period| {
            let year = old.year.as_ref().and_then(|year| self.text.slice(year).parse::<i64>().ok());
            year.is_some_and(|year| (year - new_year).abs() <= NEAR_YEARS)
        };
        let round = new_year % certain_year::ROUND == 0;
        let is_alike = |number: &Number| round || written(number).is_some_and(|number| number >= LIKE_A_YEAR);
        (round || !self.periods.iter().any(is_near)) && self.numbers.iter().any(is_alike)
    }

    fn change_value(&self, text: &Text<'_>, part: &FollowUpPart, new: &Mention) -> Option<Change> {
        let cores: Vec<Range<usize>> = self.periods.iter().map(|period| period.core.clone()).collect();
        let mentions = mention::find_all(self.text, &cores, Some(&new.columns), self.names);
        // A word that also names a table or a column is ambiguous.
        if new.is_name || mentions.iter().any(|mention| mention.is_name) {
            return None;
        }
        match (mentions.as_slice(), part.mode) {
            ([], Mode::Only(at) | Mode::Without(at)) => {
                let repeats = |word: &str| self.text.words.iter().any(|known| known.low == word);
                let known = |at: usize| repeats(text.lowercase_word(at)) || self.names.is_name(text.lowercase_word(at));
                (part.head.is_empty() && part.tail.clone().all(known)).then(|| add_condition(text, at, part))
            }
            ([old], Mode::Plain | Mode::Only(_)) => {
                self.repeats_head(text, part, old.lead.words.start)?;
                self.repeats_tail(text, part, old.core.end)?;
                let goes_on = |at: usize| is_further_name(self.text, at, |word| self.names.is_name(word));
                let (start, end) = (old.core.start, old.core.end);
                // "New York City" if only "New York" is stored.
                let is_longer = (self.text.joins_previous(end) && goes_on(end))
                    || (start > 1
                        && old.lead.words.is_empty()
                        && self.text.joins_previous(start)
                        && self.language != Some(Language::German)
                        && goes_on(start - 1));
                // "the suburbs of Berlin" and "in Paris".
                let lead = &old.lead;
                let of = is_in(&lead.preposition_text(self.text), OF);
                let is_of_thing = of
                    && new.lead.preposition == Preposition::Specific
                    && !(lead.words.start > 0 && self.names.is_name(self.text.lowercase_word(lead.words.start - 1)));
                if is_longer || is_of_thing {
                    return None;
                }
                replace_value::replace_value(self.text, old, text, new, self.language).map(Change::Edit)
            }
            _ => None,
        }
    }

    /// Checks that the words before a part also precede the corresponding part of the previous question.
    fn repeats_head(&self, text: &Text<'_>, part: &FollowUpPart, place: usize) -> Option<()> {
        let first = place.checked_sub(part.head.len())?;
        part.head
            .clone()
            .enumerate()
            .all(|(n, at)| text.lowercase_word(at) == self.text.lowercase_word(first + n))
            .then_some(())
    }

    /// Checks that the words after a part also follow the corresponding part of the previous question.
    fn repeats_tail(&self, text: &Text<'_>, part: &FollowUpPart, place: usize) -> Option<()> {
        part.tail
            .clone()
            .enumerate()
            .all(|(n, at)| text.lowercase_word(at) == self.text.lowercase_word(place + n))
            .then_some(())
    }

    fn change_number(&self, text: &Text<'_>, part: &FollowUpPart, new: &Number) -> Option<Change> {
        if matches!(part.mode, Mode::Without(_)) {
            return None;
        }
        let alike: Vec<&Number> = match new.kind {
            NumberKind::Bare => self.numbers.iter().collect(),
            kind => self.numbers.iter().filter(|number| number.kind == kind).collect(),
        };
        let [old] = alike.as_slice() else { return None };
        // "the last 30 days" and "the last 7".
        let last = new.rank.is_some_and(|rank| is_in(text.lowercase_word(rank), LAST));
        let counts_units = self.periods.iter().any(|period| period.kind == PeriodKind::LastUnits);
        if counts_units && (last || new.kind == NumberKind::Bare) {
            return None;
        }
        let first = if new.kind == NumberKind::Bound { old.bound.start } else { old.rank.unwrap_or(old.at) };
        self.repeats_head(text, part, first)?;
        self.repeats_tail(text, part, old.at + 1)?;
        let words = |number: &Number| match (new.kind, new.rank, old.rank) {
            (NumberKind::Bound, ..) => number.bound.clone(),
            (_, Some(_), Some(_)) => number.rank.unwrap_or(number.at)..number.at + 1,
            _ => number.at..number.at + 1,
        };
        // "the bottom 3" changes more than the number if the previous question has no such word.
        let reverses = |rank: usize| matches!(text.lowercase_word(rank), "bottom" | "worst" | "last" | "letzten");
        if old.rank.is_none() && new.rank.is_some_and(reverses) {
            return None;
        }
        Some(Change::Edit(Edit::replace_words(self.text, &words(old), text.slice(&words(new)).to_owned())))
    }

    fn change_grouping(&self, text: &Text<'_>, words: &Range<usize>) -> Option<Change> {
        let Groupings::Known(groupings) = find_groupings(self.text, self.names) else { return None };
        let written = text.slice(words);
        // "Monthly revenue" and "each month" are at other positions in a question than "by month".
        let is_other = |text: &Text<'_>, words: &Range<usize>| is_each(text, words) || words.len() == 1;
        match groupings.as_slice() {
            // An existing ranking may apply within each group or to all rows; only a model can decide.
            [] if is_ordered(self.text) => None,
            [] if self.numbers.iter().all(|number| number.kind != NumberKind::Limit) => {
                Some(Change::Add(format!(" {written}")))
            }
            [old] if is_other(self.text, old) == is_other(text, words) => {
                let instead = (0..text.len()).any(|at| text.match_phrase(at, INSTEAD) > 0);
                let adds = (0..words.start).any(|at| is_in(text.lowercase_word(at), AND)) && !instead;
                let unsaid = if is_each(self.text, old) { self.is_subject(old) } else { self.is_named_further(old) };
                if adds || unsaid || self.is_rate(old, text, words) {
                    return None;
                }
                Some(Change::Edit(Edit::replace_words(self.text, old, written.to_owned())))
            }
            _ => None,
        }
    }

    /// Returns true if a grouping may belong to the measure: "revenue per customer", before "by month".
    fn is_rate(&self, old: &Range<usize>, text: &Text<'_>, new: &Range<usize>) -> bool {
        let preposition = read_preposition(text, new);
        let averages = is_average(self.text);
        let is_detached =
            self.periods.iter().any(|period| period.core.end == old.start) || !self.text.joins_previous(old.start);
        let rates = is_ratio(self.text, old) && old.start > 0 && !is_detached;
        let same = read_preposition(self.text, old) == preposition;
        // French has one word for both.
        (rates || averages) && (!same || (averages && preposition == "par"))
    }

    /// Returns true if the subject of the question is each thing: "did each customer buy".
    fn is_subject(&self, old: &Range<usize>) -> bool {
        let previous = if old.start > 0 { self.text.lowercase_word(old.start - 1) } else { "" };
        let ends =
            !self.text.joins_previous(old.end) || self.periods.iter().any(|period| period.lead.words.start == old.end);
        let goes_on =
            is_in(self.text.lowercase_word(old.end), SPECIFIC) || is_in(self.text.lowercase_word(old.end), GENERIC);
        old.start == 0 || is_in(previous, VERBS) || !(ends || goes_on)
    }

    /// Returns true if the word after a grouping specifies it: "by customer Ada Lovelace".
    fn is_named_further(&self, old: &Range<usize>) -> bool {
        let end = old.end;
        if old.len() == 1 {
            return false;
        }
        let in_period = |period: &Period| period.lead.words.start <= end && end < period.core.end;
        self.text.joins_previous(end) && !is_small(self.text.lowercase_word(end)) && !self.periods.iter().any(in_period)
    }
}

/// Returns a condition to append to the question, in the words of the follow-up: its "only" or "without" with the value.
fn add_condition(text: &Text<'_>, opening: usize, part: &FollowUpPart) -> Change {
    let opens = text.slice(&(opening..opening + 1)).to_lowercase();
    let rest = opening + 1..part.words.end;
    // The word "only" is repeated for a second value.
    let said = if part.opens { rest } else { part.words.clone() };
    Change::Add(format!(", {opens} {}", text.slice(&said)))
}
