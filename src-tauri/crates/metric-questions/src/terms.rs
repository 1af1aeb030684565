//! The words by which a question can name the metrics, dimensions and values of a file.

use crate::words::{Word, are_joined, is_same_word, split_words};
use vitrine_metrics::{MetricsFile, SemanticTable};
use vitrine_sql::name_words;

/// Articles, which are ignored within a name.
const ARTICLES: [&str; 28] = [
    "the", "a", "an", "der", "die", "das", "den", "dem", "ein", "eine", "einer", "eines", "einem", "einen", "le", "la",
    "les", "l", "un", "une", "el", "los", "las", "una", "unos", "unas", "our", "unser",
];
/// Forms of one preposition.
const OF: [&str; 7] = ["of", "de", "d", "du", "des", "del", "von"];
/// Auxiliary verbs, which may separate the words of a name: "units were sold".
const AUXILIARIES: [&str; 12] =
    ["is", "are", "was", "were", "did", "we", "wurde", "wurden", "ont", "ete", "fueron", "avons"];

/// A dimension of a file, by the indexes of its table and within it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DimensionId {
    pub table: usize,
    pub dimension: usize,
}

/// The meaning of a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A metric, by its index in the file.
    Metric(usize),
    /// A dimension of a table in the file.
    Dimension(DimensionId),
    /// The things that the rows of a table describe.
    Noun(usize),
    /// A stored value of a dimension.
    Value(DimensionId, String),
}

/// A name in words.
#[derive(Debug)]
pub(crate) struct Term {
    words: Vec<String>,
    pub meaning: Meaning,
}

/// A term that matches words of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Match {
    /// The number of words.
    pub length: usize,
    pub meaning: Meaning,
    /// True if each word is written as in the term, so not in another number.
    pub is_exact: bool,
}

/// The terms of a file.
#[derive(Debug)]
pub(crate) struct Terms {
    terms: Vec<Term>,
}

impl Terms {
    /// Collects names, labels and synonyms.
    pub fn from_file(file: &MetricsFile) -> Self {
        let mut terms = Terms { terms: Vec::new() };
        for (at, metric) in file.metrics.iter().enumerate() {
            terms.add_name(&metric.name, &Meaning::Metric(at));
            for text in metric.label.iter().chain(&metric.synonyms) {
                terms.add(text, &Meaning::Metric(at));
            }
        }
        for (at, table) in file.tables.iter().enumerate() {
            for noun in nouns_of(table) {
                terms.add_name(&noun, &Meaning::Noun(at));
            }
            for (place, dimension) in table.dimensions.iter().enumerate() {
                let id = DimensionId { table: at, dimension: place };
                let meaning = Meaning::Dimension(id);
                terms.add_name(&dimension.name, &meaning);
                for text in dimension.label.iter().chain(&dimension.synonyms) {
                    terms.add(text, &meaning);
                }
                for noun in nouns_of(table) {
                    let name = name_words(&dimension.name).join(" ");
                    let noun = name_words(&noun).join(" ");
                    terms.add(&format!("{noun} {name}"), &meaning);
                    terms.add(&format!("{name} of {noun}"), &meaning);
                }
                for (stored, words) in &dimension.values {
                    // A single letter may be any small word; the stored values tell how it is written.
                    let code = Some(stored).filter(|stored| stored.chars().count() > 1);
                    for text in words.iter().chain(code) {
                        terms.add(text, &Meaning::Value(id, stored.clone()));
                    }
                }
            }
        }
        terms
    }

    fn add_name(&mut self, name: &str, meaning: &Meaning) {
        self.add(&name_words(name).join(" "), meaning);
    }

    fn add(&mut self, text: &str, meaning: &Meaning) {
        let all: Vec<String> = split_words(text).into_iter().map(|word| word.folded).collect();
        let named: Vec<String> = all.iter().filter(|word| !ARTICLES.contains(&word.as_str())).cloned().collect();
        let words = if named.is_empty() { all } else { named };
        let is_known = |known: &Term| known.words == words && known.meaning == *meaning;
        if !words.is_empty() && !self.terms.iter().any(is_known) {
            self.terms.push(Term { words, meaning: meaning.clone() });
        }
    }

    /// Returns the terms that begin at a word, the longest match of each meaning.
    pub fn matches_at(&self, words: &[Word], at: usize) -> Vec<Match> {
        let mut found: Vec<Match> = Vec::new();
        for term in &self.terms {
            let Some((length, is_exact)) = match_term(&term.words, words, at) else { continue };
            let one = Match { length, meaning: term.meaning.clone(), is_exact };
            match found.iter_mut().find(|known| known.meaning == one.meaning) {
                Some(known) if (one.length, one.is_exact) > (known.length, known.is_exact) => *known = one,
                Some(_) => {}
                None => found.push(one),
            }
        }
        found
    }
}

/// Returns the names of the things that a table's rows describe.
pub(crate) fn nouns_of(table: &SemanticTable) -> Vec<String> {
    let own = table.entities.iter().filter(|entity| entity.kind != vitrine_metrics::EntityKind::Foreign);
    let own = own.flat_map(|entity| std::iter::once(&entity.name).chain(&entity.label));
    let names = own.chain(&table.primary_entity).chain([&table.name]).chain(&table.label);
    let mut nouns: Vec<String> = names.cloned().collect();
    nouns.sort();
    nouns.dedup();
    nouns
}

/// Returns the number of words of a question that match a term, and true if they are written as in it.
fn match_term(term: &[String], words: &[Word], at: usize) -> Option<(usize, bool)> {
    let (mut next, mut is_exact) = (at, true);
    for (place, part) in term.iter().enumerate() {
        let is_skipped = |word: &Word| {
            let folded = word.folded.as_str();
            folded != part && (ARTICLES.contains(&folded) || AUXILIARIES.contains(&folded))
        };
        while place > 0 && words.get(next).is_some_and(is_skipped) {
            next += 1;
        }
        let word = words.get(next)?;
        if place > 0 && words[at + 1..=next].iter().any(|word| !are_joined(word)) {
            return None;
        }
        let are_of = term.len() > 1 && OF.contains(&part.as_str()) && OF.contains(&word.folded.as_str());
        if !are_of && !is_same_word(part, &word.folded) {
            return None;
        }
        is_exact &= are_of || *part == word.folded;
        next += 1;
    }
    Some((next - at, is_exact))
}
