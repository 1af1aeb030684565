//! Stored values that a text names.

use super::lead::Lead;
use super::names::{ColumnSet, StoredNames};
use super::period::Period;
use super::words::{Text, is_in, is_small};
use std::collections::HashMap;
use std::ops::Range;

/// Maximum number of words of a value.
const MOST_WORDS: usize = 5;

/// A stored value in a text.
#[derive(Debug, Clone)]
pub(super) struct Mention {
    /// Words of the value, without preposition and article.
    pub core: Range<usize>,
    pub columns: ColumnSet,
    pub lead: Lead,
    /// True if the same words are the name of a table or a column.
    pub is_name: bool,
}

/// Returns true if the punctuation before a word ends a value. Values may contain "&" and full stops: "S. Oliver", "Q & A".
fn is_parted(text: &Text<'_>, at: usize) -> bool {
    text.words[at].gap.contains([',', ';', ':', '?', '!', '(', ')'])
}

/// Removes the times that are part of a longer stored value or name: "Galaxy 2000".
pub(super) fn leave_out_named(text: &Text<'_>, periods: Vec<Period>, names: &dyn StoredNames) -> Vec<Period> {
    let (mut places, mut phrases) = (Vec::new(), Vec::new());
    for (place, period) in periods.iter().enumerate() {
        let core = &period.core;
        for start in core.end.saturating_sub(MOST_WORDS)..=core.start {
            for end in core.end..=text.len().min(start + MOST_WORDS) {
                let whole = !(start + 1..end).any(|at| is_parted(text, at));
                let bound = is_small(text.lowercase_word(start)) || is_small(text.lowercase_word(end - 1));
                if whole && !bound && end - start > core.len() {
                    places.push(place);
                    phrases.push(text.slice(&(start..end)).to_owned());
                }
            }
        }
    }
    let stored = names.find_columns(&phrases, None).into_iter().map(|columns| !columns.is_empty());
    let named = stored.zip(&phrases).map(|(stored, phrase)| stored || names.is_name(phrase));
    let named: Vec<usize> = places.into_iter().zip(named).filter(|(_, named)| *named).map(|(place, _)| place).collect();
    let kept = periods.into_iter().enumerate().filter(|(place, _)| !named.contains(place));
    kept.map(|(_, period)| period).collect()
}

/// Looks up sequences of words that may be values, and returns the columns that store them.
pub(super) fn look_up(
    text: &Text<'_>,
    outside: &[Range<usize>],
    names: &dyn StoredNames,
    within: Option<&ColumnSet>,
) -> HashMap<(usize, usize), ColumnSet> {
    let mut runs = Vec::new();
    for start in 0..text.len() {
        for end in start + 1..=text.len().min(start + MOST_WORDS) {
            if end - 1 > start && is_parted(text, end - 1) {
                break;
            }
            let free = !outside.iter().any(|words| words.start < end && start < words.end);
            let digits = text.lowercase_word(start).chars().all(|c| c.is_ascii_digit()) && end == start + 1;
            if free && !digits && !is_small(text.lowercase_word(start)) && !is_small(text.lowercase_word(end - 1)) {
                runs.push((start, end));
            }
        }
    }
    let phrases: Vec<String> = runs.iter().map(|&(start, end)| text.slice(&(start..end)).to_owned()).collect();
    let columns = names.find_columns(&phrases, within);
    runs.into_iter().zip(columns).filter(|(_, columns)| !columns.is_empty()).collect()
}

/// Returns the longest stored value that begins at an index.
pub(super) fn mention_at(
    text: &Text<'_>,
    found: &HashMap<(usize, usize), ColumnSet>,
    at: usize,
    first: usize,
    names: &dyn StoredNames,
) -> Option<Mention> {
    let (&(start, end), columns) =
        found.iter().filter(|((start, _), _)| *start == at).max_by_key(|((_, end), _)| *end)?;
    let is_name = names.is_name(text.slice(&(start..end)));
    Some(Mention { core: start..end, columns: columns.clone(), lead: Lead::read_before(text, at, first), is_name })
}

/// Returns the values that a text names, limited to the given columns if there are any.
pub(super) fn find_all(
    text: &Text<'_>,
    outside: &[Range<usize>],
    columns: Option<&ColumnSet>,
    names: &dyn StoredNames,
) -> Vec<Mention> {
    let runs = look_up(text, outside, names, columns);
    let (mut mentions, mut at) = (Vec::new(), 0);
    while at < text.len() {
        match mention_at(text, &runs, at, 0, names) {
            Some(mention) => {
                at = mention.core.end;
                mentions.push(mention);
            }
            None => at += 1,
        }
    }
    mentions
}

/// Extends a value by other values of its column that are listed after it: "Germany and France".
pub(super) fn with_listed(
    text: &Text<'_>,
    found: &HashMap<(usize, usize), ColumnSet>,
    mut mention: Mention,
    names: &dyn StoredNames,
) -> Mention {
    loop {
        let end = mention.core.end;
        let comma = text.words.get(end).is_some_and(|word| word.gap == ", ");
        let joined =
            text.joins_previous(end) && is_in(text.lowercase_word(end), &["and", "or", "und", "oder", "et", "ou"]);
        let next = if joined { end + 1 } else { end };
        let listed = (joined || comma).then(|| mention_at(text, found, next, next, names)).flatten();
        match listed.filter(|other| !other.columns.is_disjoint(&mention.columns)) {
            Some(other) => mention.core.end = other.core.end,
            None => return mention,
        }
    }
}
