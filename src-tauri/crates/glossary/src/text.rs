//! Sanitizes texts of definitions, which come from people, databases and files.

use vitrine_domain::{Definition, Definitions};

/// Maximum number of characters of a connection's free text.
pub(crate) const LONGEST_TEXT: usize = 4_000;
/// Maximum number of characters of a meaning or a condition.
pub(crate) const LONGEST_MEANING: usize = 600;
/// Maximum number of characters of a term or a synonym.
const LONGEST_TERM: usize = 80;
/// Maximum number of synonyms of one term.
const SYNONYMS: usize = 20;
/// Maximum number of characters of a merged stored value, and of such values per definition.
const LONGEST_VALUE: usize = 200;
const MERGED: usize = 200;
/// Maximum number of definitions of one connection.
const MOST: usize = 20_000;

/// Returns the text as one line without control characters, truncated to `most` characters.
pub(crate) fn to_single_line(text: &str, most: usize) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut words = String::new();
    for word in plain.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    truncate_text(&words, most)
}

pub(crate) fn truncate_text(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// Normalizes definitions for storage: trims and truncates them, and removes empty and duplicate ones.
pub fn normalize_definitions(known: Definitions) -> Definitions {
    let mut entries: Vec<Definition> = Vec::new();
    for entry in known.entries.into_iter().take(MOST) {
        let is_stored = merges_values(&entry);
        let tidied = Definition {
            term: if is_stored { entry.term } else { to_single_line(&entry.term, LONGEST_TERM) },
            synonyms: if is_stored { dedup_values(entry.synonyms) } else { dedup_synonyms(entry.synonyms) },
            meaning: to_single_line(&entry.meaning, LONGEST_MEANING),
            condition: entry
                .condition
                .map(|text| to_single_line(&text, LONGEST_MEANING))
                .filter(|text| !text.is_empty()),
            subject: entry.subject.map(|text| to_single_line(&text, LONGEST_MEANING)).filter(|text| !text.is_empty()),
            always: entry.always,
            source: entry.source,
        };
        let renames = tidied.subject.is_some() && !tidied.synonyms.is_empty();
        let says = renames || !tidied.meaning.is_empty() || tidied.condition.is_some();
        if !tidied.term.is_empty() && says && !entries.contains(&tidied) {
            entries.push(tidied);
        }
    }
    let plain: String = known.text.chars().filter(|c| !c.is_control() || *c == '\n').collect();
    Definitions { text: truncate_text(plain.trim(), LONGEST_TEXT), entries }
}

/// Returns true if a definition merges stored values of a column. Such values are kept unchanged, since blanks are
/// significant.
fn merges_values(entry: &Definition) -> bool {
    let is_short = |text: &String| text.chars().count() <= LONGEST_VALUE && !text.contains('\0');
    let has_condition = entry.condition.as_deref().is_some_and(|text| !text.trim().is_empty());
    entry.always
        && !has_condition
        && entry.subject.is_some()
        && is_short(&entry.term)
        && entry.synonyms.iter().all(is_short)
}

fn dedup_values(given: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for value in given {
        if !kept.contains(&value) && kept.len() < MERGED {
            kept.push(value);
        }
    }
    kept
}

fn dedup_synonyms(given: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for word in given.iter().map(|word| to_single_line(word, LONGEST_TERM)) {
        if !word.is_empty() && !kept.contains(&word) && kept.len() < SYNONYMS {
            kept.push(word);
        }
    }
    kept
}

/// Converts a database name to words: `order_total` and `OrderTotal` become `order total`.
pub(crate) fn name_to_words(name: &str) -> String {
    let mut said = String::new();
    let mut lower = false;
    for c in name.chars() {
        if lower && c.is_uppercase() {
            said.push(' ');
        }
        lower = c.is_lowercase();
        if c.is_alphanumeric() {
            said.extend(c.to_lowercase());
        } else {
            said.push(' ');
        }
    }
    to_single_line(&said, LONGEST_TERM)
}
