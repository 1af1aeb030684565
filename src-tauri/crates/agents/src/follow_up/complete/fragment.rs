//! Splits a follow-up into its parts: each word belongs to a time, a value, a number or a grouping, or has no meaning of its own.

use super::grouping::read_grouping;
use super::lead::Lead;
use super::mention::{Mention, leave_out_named, look_up, mention_at, with_listed};
use super::names::{ColumnSet, StoredNames};
use super::number::{Number, read_number_phrase};
use super::period::{Period, PeriodKind, find_periods};
use super::words::{
    ARTICLES, CONNECTORS, DIRECTIONAL, GENERIC, INSTEAD_OF, ONLY, PRONOUNS, SPECIFIC, TIME_NOUNS, Text, WITHOUT, is_in,
};
use std::collections::HashMap;
use std::ops::Range;

/// Relation of a part to the previous question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Plain,
    /// Index of the word that keeps only the value that follows.
    Only(usize),
    /// Index of the word that excludes the value that follows.
    Without(usize),
}

#[derive(Debug, Clone)]
pub(super) enum PartKind {
    Period(Period),
    Value(Mention),
    Number(Number),
    /// Words of the grouping, with its preposition.
    Grouping(Range<usize>),
}

/// One change that a follow-up asks for.
#[derive(Debug, Clone)]
pub(super) struct FollowUpPart {
    pub kind: PartKind,
    pub mode: Mode,
    /// Words of the part, with preposition and tail.
    pub words: Range<usize>,
    /// True for the first part of its mode.
    pub opens: bool,
    /// Words before and after the part that the previous question must contain at the same position.
    pub head: Range<usize>,
    pub tail: Range<usize>,
}

/// Maximum number of words of a follow-up that is split; longer ones are complete questions.
const MOST_WORDS: usize = 16;
/// Maximum number of words from the beginning of a preposition to the value.
const LEAD_WORDS: usize = 4;
/// Maximum number of words before a part that repeat the previous question.
const HEAD_WORDS: usize = 3;
/// Maximum number of words after a value or a number that repeat the previous question.
const TAIL_WORDS: usize = 3;

/// Splits a follow-up into its parts; `None` if a word is left over.
pub(super) fn read_parts(text: &Text<'_>, before: &Text<'_>, names: &dyn StoredNames) -> Option<Vec<FollowUpPart>> {
    if text.len() > MOST_WORDS {
        return None;
    }
    let periods = leave_out_named(text, find_periods(text, true), names);
    let cores: Vec<Range<usize>> = periods.iter().map(|period| period.core.clone()).collect();
    let values = look_up(text, &cores, names, None);
    let (mut parts, mut mode, mut at, mut head): (Vec<FollowUpPart>, _, _, _) = (Vec::new(), Mode::Plain, 0, 0..0);
    while at < text.len() {
        let only = text.match_phrase(at, ONLY);
        let without = text.match_phrase(at, WITHOUT);
        if only > 0 && at + only == text.len() && mode == Mode::Plain && !parts.is_empty() {
            // "in Berlin only"
            parts.iter_mut().for_each(|part| part.mode = Mode::Only(at));
            at += only;
        } else if only > 0 || without > 0 {
            mode = if only > 0 { Mode::Only(at) } else { Mode::Without(at) };
            at += only.max(without);
        } else if let Some((kind, end)) = read_kind(text, at, &periods, &values, names) {
            let opens = mode != Mode::Plain && parts.last().is_none_or(|part| part.mode != mode);
            let own_head = if head.end == at { std::mem::take(&mut head) } else { at..at };
            head = 0..0;
            parts.push(FollowUpPart { kind, mode, words: at..end, opens, head: own_head, tail: end..end });
            at = end;
        } else if let Some(end) = read_instead_of(text, at, before) {
            at = end;
        } else if let length @ 1.. = text.match_phrase(at, CONNECTORS).max(text.match_phrase(at, PRONOUNS)) {
            at += length;
        } else if let length @ 1.. = count_repeated_beginning(text, at, before, parts.is_empty()) {
            at += length;
        } else if let Some(part) = parts.last_mut().filter(|part| part.takes_tail(at)) {
            part.tail.end = at + 1;
            part.words.end = at + 1;
            at += 1;
        } else if mode != Mode::Plain && is_known_word(text, at, before, names) {
            at += 1;
        } else if at + 1 == text.len() && text.lowercase_word(at) == "aus" {
            // "wie sieht es 2024 aus?"
            at += 1;
        } else if at + 1 < text.len() && (head.is_empty() || (head.end == at && head.len() < HEAD_WORDS)) {
            head = if head.is_empty() { at..at + 1 } else { head.start..at + 1 };
            at += 1;
        } else {
            return None;
        }
        if !head.is_empty() && head.end < at {
            return None;
        }
    }
    (!parts.is_empty() && head.is_empty()).then_some(parts)
}

/// Reads the time, grouping, value or number that begins at an index, after its preposition; also returns its end.
fn read_kind(
    text: &Text<'_>,
    at: usize,
    periods: &[Period],
    values: &HashMap<(usize, usize), ColumnSet>,
    names: &dyn StoredNames,
) -> Option<(PartKind, usize)> {
    // Every word before a time or a value must belong to its preposition.
    let is_led = |core: &usize| *core == at || Lead::read_before(text, *core, at).words.start == at;
    let starts = || (at..text.len().min(at + LEAD_WORDS + 1)).filter(is_led);
    let period_at = |core: usize| periods.iter().find(|period| period.core.start == core);
    let ranges = || periods.iter().find(|period| period.lead.words.start == at && period.kind == PeriodKind::Range);
    if let Some(period) = starts().find_map(period_at).or_else(ranges) {
        let period = with_further_years(text, periods, period);
        let end = period.core.end;
        return Some((PartKind::Period(period), end));
    }
    if let Some(end) = read_grouping(text, at, names) {
        return Some((PartKind::Grouping(at..end), end));
    }
    if let Some(mention) = starts().find_map(|core| mention_at(text, values, core, at, names)) {
        let mention = with_listed(text, values, mention, names);
        let end = mention.core.end;
        return Some((PartKind::Value(mention), end));
    }
    read_number_phrase(text, at).map(|(number, end)| (PartKind::Number(number), end))
}

/// Returns the end of the replaced part if the follow-up names it and the previous question contains it: "2024 instead of 2023".
fn read_instead_of(text: &Text<'_>, at: usize, before: &Text<'_>) -> Option<usize> {
    let length = text.match_phrase(at, INSTEAD_OF);
    let known = |at: usize| before.words.iter().any(|word| word.low == text.lowercase_word(at));
    (length > 0 && at + length < text.len() && (at + length..text.len()).all(known)).then_some(text.len())
}

impl FollowUpPart {
    fn takes_tail(&self, at: usize) -> bool {
        let may = matches!(self.kind, PartKind::Value(_) | PartKind::Number(_));
        may && self.words.end == at && self.tail.len() < TAIL_WORDS
    }
}

fn is_lead(text: &Text<'_>, at: usize) -> bool {
    let word = text.lowercase_word(at);
    // Includes parts of prepositions with several words: "au cours de", "à partir de".
    let part = |list: &[&str]| list.iter().any(|phrase| phrase.split(' ').any(|part| part == word));
    part(GENERIC)
        || part(SPECIFIC)
        || part(DIRECTIONAL)
        || part(ARTICLES)
        || part(TIME_NOUNS)
        || is_in(word, &["between", "zwischen", "entre"])
}

/// Returns true if a word occurs in the previous question, or names a table or a column.
fn is_known_word(text: &Text<'_>, at: usize, before: &Text<'_>, names: &dyn StoredNames) -> bool {
    let word = text.lowercase_word(at);
    before.words.iter().any(|known| known.low == word) || names.is_name(word) || is_lead(text, at)
}

/// Returns the number of words after a connector that repeat the beginning of the previous question: "and how many in 2024?".
fn count_repeated_beginning(text: &Text<'_>, at: usize, before: &Text<'_>, is_first: bool) -> usize {
    if !is_first || at == 0 || at > 3 {
        return 0;
    }
    (0..2).take_while(|&n| at + n < text.len() && text.lowercase_word(at + n) == before.lowercase_word(n)).count()
}

/// Extends a year by the years that are listed after it: "2023 and 2024".
fn with_further_years(text: &Text<'_>, periods: &[Period], period: &Period) -> Period {
    let mut whole = period.clone();
    while whole.kind == PeriodKind::Year {
        let end = whole.core.end;
        let joined =
            text.joins_previous(end) && is_in(text.lowercase_word(end), &["and", "or", "und", "oder", "et", "ou"]);
        let year = |other: &&Period| other.kind == PeriodKind::Year && other.core.start == end + 1;
        match periods.iter().find(year).filter(|_| joined) {
            Some(other) => whole.core.end = other.core.end,
            None => break,
        }
    }
    whole
}
