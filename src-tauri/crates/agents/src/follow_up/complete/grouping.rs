//! Phrases that describe the grouping of rows.

use super::names::StoredNames;
use super::words::{Text, is_in, is_small};
use std::ops::Range;

/// Prepositions whose only meaning is grouping.
const GROUPS: &[&str] = &[
    "per",
    "for each",
    "for every",
    "each",
    "every",
    "broken down by",
    "split by",
    "grouped by",
    "group by",
    "je",
    "pro",
    "für jede",
    "für jeden",
    "für jedes",
    "aufgeteilt nach",
    "gruppiert nach",
    "aufgeschlüsselt nach",
    "pour chaque",
    "chaque",
    "regroupé par",
    "ventilé par",
    "réparti par",
];
/// Prepositions that may also belong to a rate: "revenue per customer".
const RATIOS: &[&str] = &[
    "per",
    "for each",
    "for every",
    "each",
    "every",
    "je",
    "pro",
    "für jede",
    "für jeden",
    "für jedes",
    "pour chaque",
    "chaque",
    "par",
];
const AVERAGES: &[&str] = &[
    "average",
    "averages",
    "avg",
    "mean",
    "median",
    "typical",
    "mittlere",
    "mittlerer",
    "mittleres",
    "mittel",
    "schnitt",
    "moyen",
    "moyenne",
    "moyens",
    "moyennes",
    "médian",
    "médiane",
];
/// Prepositions that group, rank or name the agent of an action.
const MAY_GROUP: &[&str] = &["by", "nach", "par"];
/// Words before such a preposition if it ranks instead of groups.
const ORDERS: &[&str] = &[
    "sorted", "ordered", "order", "ranked", "sort", "rank", "sortiert", "geordnet", "trié", "triés", "triées",
    "classé", "classés",
];
const GRAINS: &[&str] = &[
    "hour",
    "day",
    "week",
    "weekday",
    "month",
    "quarter",
    "year",
    "stunde",
    "tag",
    "woche",
    "wochentag",
    "monat",
    "monaten",
    "quartal",
    "quartalen",
    "jahr",
    "jahren",
    "tagen",
    "wochen",
    "heure",
    "jour",
    "semaine",
    "mois",
    "trimestre",
    "an",
    "année",
];
const ADVERBS: &[&str] = &[
    "daily",
    "weekly",
    "monthly",
    "quarterly",
    "yearly",
    "annually",
    "täglich",
    "wöchentlich",
    "monatlich",
    "quartalsweise",
    "jährlich",
];

/// Grouping phrases of a text.
pub(super) enum Groupings {
    /// The words of each phrase.
    Known(Vec<Range<usize>>),
    /// A phrase may or may not group.
    Uncertain,
}

/// Maximum number of words that name the grouped thing.
const MOST_WORDS: usize = 3;

fn is_grain_or_dimension(phrase: &str, names: &dyn StoredNames) -> bool {
    is_in(&phrase.to_lowercase(), GRAINS) || names.names_dimension(phrase)
}

/// Returns the end of the longest known column, table or unit of time that begins at an index.
fn read_known(text: &Text<'_>, at: usize, names: &dyn StoredNames) -> Option<usize> {
    (1..=MOST_WORDS.min(text.len().saturating_sub(at))).rev().map(|length| at + length).find(|&end| {
        let joined = (at + 1..end).all(|word| text.joins_previous(word));
        joined && is_grain_or_dimension(text.slice(&(at..end)), names)
    })
}

/// Returns true if a phrase ends before a word: at the end of the text, or before punctuation, a number or a small word.
fn ends_at(text: &Text<'_>, at: usize) -> bool {
    !text.joins_previous(at)
        || is_small(text.lowercase_word(at))
        || text.lowercase_word(at).starts_with(|c: char| c.is_ascii_digit())
}

/// Returns the preposition of a grouping in lower case; empty if there is none.
pub(super) fn read_preposition(text: &Text<'_>, words: &Range<usize>) -> String {
    let length = text.match_phrase(words.start, GROUPS).max(text.match_phrase(words.start, MAY_GROUP));
    text.slice(&(words.start..words.start + length)).to_lowercase()
}

/// Returns true if a grouping has a preposition that may belong to a rate.
pub(super) fn is_ratio(text: &Text<'_>, words: &Range<usize>) -> bool {
    text.match_phrase(words.start, RATIOS) > 0
}

/// Returns true if a question contains an order: "sorted by revenue".
pub(super) fn is_ordered(text: &Text<'_>) -> bool {
    (1..text.len()).any(|at| is_in(text.lowercase_word(at - 1), ORDERS) && text.match_phrase(at, MAY_GROUP) > 0)
}

/// Returns true if a grouping begins with a word such as "each".
pub(super) fn is_each(text: &Text<'_>, words: &Range<usize>) -> bool {
    is_in(text.lowercase_word(words.start), &["each", "every", "chaque"])
}

/// Returns true if a question asks for an average.
pub(super) fn is_average(text: &Text<'_>) -> bool {
    text.words.iter().any(|word| is_in(&word.low, AVERAGES) || word.low.starts_with("durchschnitt"))
}

/// Returns the end of the grouping phrase that begins at an index of a follow-up.
pub(super) fn read_grouping(text: &Text<'_>, at: usize, names: &dyn StoredNames) -> Option<usize> {
    if is_in(text.lowercase_word(at), ADVERBS) {
        return Some(at + 1);
    }
    let sure = text.match_phrase(at, GROUPS);
    let start = at + sure.max(text.match_phrase(at, MAY_GROUP));
    if start == at || start >= text.len() {
        return None;
    }
    let known = read_known(text, start, names);
    known.or_else(|| {
        (sure > 0 && !is_small(text.lowercase_word(start)) && ends_at(text, start + 1)).then_some(start + 1)
    })
}

/// Returns the grouping phrases of the previous question.
pub(super) fn find_groupings(text: &Text<'_>, names: &dyn StoredNames) -> Groupings {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < text.len() {
        if is_in(text.lowercase_word(at), ADVERBS) {
            found.push(at..at + 1);
        }
        let sure = text.match_phrase(at, GROUPS);
        let start = at + sure.max(text.match_phrase(at, MAY_GROUP));
        // "nach 2020" is a time, "sorted by" an order.
        let numbered = text.lowercase_word(start).starts_with(|c: char| c.is_ascii_digit());
        if start == at || numbered || (at > 0 && is_in(text.lowercase_word(at - 1), ORDERS)) {
            at += 1;
            continue;
        }
        let end = read_known(text, start, names).or_else(|| {
            // A German noun ends before a verb, which is in lower case.
            let nouns = (start..text.len())
                .take_while(|&word| text.is_capital(word) && (word == start || text.joins_previous(word)));
            let end = start + nouns.count().max(1);
            (sure > 0 && end - start <= MOST_WORDS).then_some(end)
        });
        let Some(end) = end.filter(|&end| end <= text.len()) else { return Groupings::Uncertain };
        let goes_on = text.joins_previous(end) && is_in(text.lowercase_word(end), &["and", "und", "et"]);
        let cut =
            sure > 0 && read_known(text, start, names).is_none() && !text.is_capital(start) && !ends_at(text, end);
        if goes_on || cut {
            return Groupings::Uncertain;
        }
        found.push(at..end);
        at = end;
    }
    Groupings::Known(found)
}
