//! Value linking (CHASE-SQL, 3.1, without a model): finds phrases of the question that are stored values, so that the
//! first query already knows their column and stored spelling.

use crate::run::context::RunContext;
use crate::run::nodes;
use crate::schema::selection::names_table;
use vitrine_domain::{Catalog, EventBody, Profile, StageKind, Switch, ValueMatch};
use vitrine_sql::normalized;
use vitrine_values::{SearchTerm, is_variant};

/// Words of the longest phrase.
const WORDS: usize = 5;
/// The most phrases looked up, longest first.
const PHRASES: usize = 120;
/// Least surface similarity of a name whose stored spelling differs from the question's.
const ALIKE: f64 = 0.75;

/// Looks up the question's phrases. Finds nothing without a value index; looks up nothing without the switch.
pub async fn link_values(context: &RunContext, question: &str) -> Vec<ValueMatch> {
    context.begin(nodes::GROUNDING, StageKind::Grounding, "Look up names and values", &[nodes::SCHEMA]);
    if !context.ask.settings.with(Switch::Values) {
        context.finish(nodes::GROUNDING, "Switched off");
        return Vec::new();
    }
    let phrases = phrases(question);
    // Only names are searched by meaning: there are few of them, and a plain word has to be stored as it is.
    let terms = |names: bool| {
        phrases.iter().filter(|p| p.is_name == names).map(|p| SearchTerm::new(p.text.clone())).collect::<Vec<_>>()
    };
    let mut found = context.search_values(nodes::GROUNDING, terms(true), context.ask.embedder.clone()).await;
    found.extend(context.search_values(nodes::GROUNDING, terms(false), None).await);
    let (catalog, profile) = (&context.ask.catalog, &context.ask.profile);
    let mut matches: Vec<ValueMatch> = Vec::new();
    let mut covered: Vec<&Phrase> = Vec::new();
    for phrase in &phrases {
        if covered.iter().any(|longer| longer.covers(phrase)) {
            continue;
        }
        let of_phrase = found.iter().filter(|m| m.literal == phrase.text);
        let kept: Vec<&ValueMatch> = of_phrase.filter(|m| phrase.means(m, catalog, profile)).collect();
        if !kept.is_empty() {
            covered.push(phrase);
            matches.extend(kept.into_iter().cloned());
        }
    }
    let literals: Vec<String> = covered.iter().map(|p| p.text.clone()).collect();
    context.finish(
        nodes::GROUNDING,
        if literals.is_empty() {
            "No stored value is named".to_owned()
        } else {
            format!("Found {}", literals.join(", "))
        },
    );
    context.emit(EventBody::ValuesRetrieved { node: nodes::GROUNDING.to_owned(), literals, matches: matches.clone() });
    matches
}

/// A sequence of words of the question.
#[derive(Debug, PartialEq)]
struct Phrase {
    text: String,
    /// Byte range in the question.
    from: usize,
    to: usize,
    /// Whether it is in quotes, or every word but small ones is capitalized within a sentence.
    is_name: bool,
}

impl Phrase {
    fn covers(&self, other: &Phrase) -> bool {
        self.from <= other.from && other.to <= self.to
    }

    /// Whether a stored value is what the phrase means. A plain word has to be one of the values of a category: any
    /// word occurs somewhere in a column of free text.
    fn means(&self, found: &ValueMatch, catalog: &Catalog, profile: &Profile) -> bool {
        let same = normalized(&found.value) == normalized(&self.text);
        if self.is_name {
            return same || is_variant(&found.value, &self.text) || (found.edit >= ALIKE && self.text.contains(' '));
        }
        let singular = |text: &str| normalized(text).strip_suffix('s').map(str::to_owned);
        let plural = singular(&self.text).is_some_and(|one| one == normalized(&found.value));
        // "How many stores" asks for the table's rows, whichever column stores the word `store`.
        if !same && names_table(&self.text, catalog) {
            return false;
        }
        (same || plural) && (self.text.contains(' ') || is_category(found, catalog, profile))
    }
}

/// Whether the column of a match has few values, all known to the profile.
fn is_category(found: &ValueMatch, catalog: &Catalog, profile: &Profile) -> bool {
    let table = catalog.table(&found.table).and_then(|t| profile.table(&t.name));
    table.and_then(|t| t.column(&found.column)).is_some_and(|c| c.complete)
}

/// Words that neither begin nor end a value.
const SMALL: [&str; 60] = [
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "by", "did", "do", "does", "each", "find", "for", "from",
    "give", "had", "has", "have", "how", "in", "is", "it", "its", "list", "many", "me", "more", "most", "much", "of",
    "on", "or", "per", "show", "tell", "than", "that", "the", "their", "them", "there", "these", "they", "this",
    "those", "to", "was", "were", "what", "when", "where", "which", "who", "whose", "with", "all", "name",
];

/// The candidate phrases, longest first: quoted texts, and runs of up to [`WORDS`] words.
fn phrases(question: &str) -> Vec<Phrase> {
    let words = words(question);
    let small = |word: &str| SMALL.contains(&word.to_lowercase().as_str());
    let capital = |index: usize| {
        let (from, to) = words[index];
        let word = &question[from..to];
        // The first word of a sentence is always capitalized.
        let opens = question[..from].trim_end().chars().next_back().is_none_or(|c| ".?!:".contains(c));
        let upper = word.chars().next().is_some_and(char::is_uppercase);
        upper && (!opens || word.chars().filter(|c| c.is_uppercase()).count() > 1)
    };
    let mut found = quoted(question);
    for length in (1..=WORDS.min(words.len())).rev() {
        for start in 0..=words.len() - length {
            let (first, last) = (start, start + length - 1);
            let (from, to) = (words[first].0, words[last].1);
            let text = &question[from..to];
            let inner = |at: usize| &question[words[at].0..words[at].1];
            let short = normalized(text).chars().count() < 3 && !text.chars().all(|c| c.is_uppercase() || c == '.');
            let broken = text.contains(['?', '!', ';', ':', '"']);
            if small(inner(first)) || small(inner(last)) || short || broken || is_number(text) {
                continue;
            }
            let is_name = (first..=last).all(|at| capital(at) || (at > first && at < last && small(inner(at))));
            let phrase = Phrase { text: text.to_owned(), from, to, is_name };
            if !found.iter().any(|p: &Phrase| p.text == phrase.text) {
                found.push(phrase);
            }
        }
    }
    found.truncate(PHRASES);
    found
}

fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '%' | '-' | '/'))
}

/// Byte ranges of words; an apostrophe or hyphen inside a word belongs to it, a possessive ending does not.
fn words(text: &str) -> Vec<(usize, usize)> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '.' | '&' | '/' | '_' | '@');
    let mut words = Vec::new();
    let mut from = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (from, inside(c)) {
            (None, true) => from = Some(at),
            (Some(start), false) => {
                let word = text[start..at].trim_end_matches(|c: char| !c.is_alphanumeric());
                let lead = word.len() - word.trim_start_matches(|c: char| !c.is_alphanumeric()).len();
                let word = word.strip_suffix("'s").or(word.strip_suffix("’s")).unwrap_or(word);
                if word.len() > lead {
                    words.push((start + lead, start + word.len()));
                }
                from = None;
            }
            _ => {}
        }
    }
    words
}

/// Texts in quotation marks.
fn quoted(question: &str) -> Vec<Phrase> {
    let mut found = Vec::new();
    for (open, close) in [('"', '"'), ('“', '”'), ('‘', '’'), ('\'', '\'')] {
        let mut rest = 0;
        while let Some(start) = question[rest..].find(open).map(|at| rest + at) {
            // An apostrophe inside a word opens no quotation.
            let within = question[..start].chars().next_back().is_some_and(char::is_alphanumeric);
            let from = start + open.len_utf8();
            rest = from;
            if within {
                continue;
            }
            let Some(to) = question[from..].find(close).map(|at| from + at) else { break };
            rest = to + close.len_utf8();
            let text = question[from..to].trim();
            if !text.is_empty() && text.chars().count() <= 80 {
                found.push(Phrase { text: text.to_owned(), from: start, to: rest, is_name: true });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(question: &str) -> Vec<String> {
        phrases(question).into_iter().filter(|p| p.is_name).map(|p| p.text).collect()
    }

    #[test]
    fn names_and_quoted_text_are_taken_whole() {
        assert_eq!(names("How many customers live in the United States?")[0], "United States");
        assert_eq!(names("What is the id of the song 'Hey Oh'?")[0], "Hey Oh");
        assert_eq!(names("Which cars does O'Neil's shop sell in Bank of England Road?")[0], "Bank of England Road");
        assert!(names("Which singers are old?").is_empty(), "the first word of a sentence is no name");
        assert!(names("What do people in the USA earn?").contains(&"USA".to_owned()));
    }

    #[test]
    fn numbers_and_small_words_are_not_looked_up() {
        assert_eq!(phrases("How many are there in 2014?"), []);
        let all: Vec<String> = phrases("List the dog owners").into_iter().map(|p| p.text).collect();
        assert_eq!(all, ["dog owners", "dog", "owners"]);
    }

    #[test]
    fn a_plain_word_has_to_be_one_of_a_categorys_values() {
        let catalog = Catalog {
            database: String::new(),
            dialect: vitrine_domain::Dialect::Sqlite,
            search_path: Vec::new(),
            fingerprint: String::new(),
            tables: Vec::new(),
        };
        let found = |value: &str| ValueMatch {
            literal: "dogs".into(),
            table: "pets".into(),
            column: "kind".into(),
            value: value.into(),
            edit: 0.8,
            semantic: None,
        };
        let plain = Phrase { text: "dogs".into(), from: 0, to: 4, is_name: false };
        assert!(!plain.means(&found("dog"), &catalog, &Profile::default()), "no profile says that it is a category");
        let name = Phrase { text: "New Yrok".into(), from: 0, to: 8, is_name: true };
        assert!(name.means(&found("New York"), &catalog, &Profile::default()));
    }
}
