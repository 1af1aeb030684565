//! Texts of definitions, which come from people, databases and files.

use vitrine_domain::{Definition, Definitions};

/// Letters of a connection's plain text at most.
pub(crate) const LONGEST_TEXT: usize = 4_000;
/// Letters of a meaning or a condition at most.
pub(crate) const LONGEST_MEANING: usize = 600;
/// Letters of a term or a synonym at most.
const LONGEST_TERM: usize = 80;
/// Synonyms of one term at most.
const SYNONYMS: usize = 20;
/// Letters of a stored value that counts as another, and such values of one definition, at most.
const LONGEST_VALUE: usize = 200;
const MERGED: usize = 200;
/// Definitions of one connection at most.
const MOST: usize = 20_000;

/// A text in one line without control characters, cut where it is longer.
pub(crate) fn line(text: &str, most: usize) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut words = String::new();
    for word in plain.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    cut(&words, most)
}

pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// Definitions as they are kept: trimmed, bounded, without those that say nothing, each once.
pub fn tidy(known: Definitions) -> Definitions {
    let mut entries: Vec<Definition> = Vec::new();
    for entry in known.entries.into_iter().take(MOST) {
        let is_stored = merges_values(&entry);
        let tidied = Definition {
            term: if is_stored { entry.term } else { line(&entry.term, LONGEST_TERM) },
            synonyms: if is_stored { stored(entry.synonyms) } else { synonyms(entry.synonyms) },
            meaning: line(&entry.meaning, LONGEST_MEANING),
            condition: entry.condition.map(|text| line(&text, LONGEST_MEANING)).filter(|text| !text.is_empty()),
            subject: entry.subject.map(|text| line(&text, LONGEST_MEANING)).filter(|text| !text.is_empty()),
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
    Definitions { text: cut(plain.trim(), LONGEST_TEXT), entries }
}

/// Whether a definition says which stored values of a column count as one. They are kept to the letter: blanks are a part of them.
fn merges_values(entry: &Definition) -> bool {
    let is_short = |text: &String| text.chars().count() <= LONGEST_VALUE && !text.contains('\0');
    let has_condition = entry.condition.as_deref().is_some_and(|text| !text.trim().is_empty());
    entry.always
        && !has_condition
        && entry.subject.is_some()
        && is_short(&entry.term)
        && entry.synonyms.iter().all(is_short)
}

fn stored(given: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for value in given {
        if !kept.contains(&value) && kept.len() < MERGED {
            kept.push(value);
        }
    }
    kept
}

fn synonyms(given: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for word in given.iter().map(|word| line(word, LONGEST_TERM)) {
        if !word.is_empty() && !kept.contains(&word) && kept.len() < SYNONYMS {
            kept.push(word);
        }
    }
    kept
}

/// A name of a database as people say it: `order_total` and `OrderTotal` are `order total`.
pub(crate) fn spoken(name: &str) -> String {
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
    line(&said, LONGEST_TERM)
}
