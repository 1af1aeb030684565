//! Covering of a question: its parts in one language, then the names of its dimensions for its metrics.

use crate::coverage::{Coverage, CoveredQuestion, Gap};
use crate::grammar::{Draft, Parser};
use crate::items::{Item, ItemKind, ValueOption, Vocabulary, divide_question};
use crate::language::LANGUAGES;
use crate::resolve::Resolver;
use crate::same_names::describes_table;
use crate::terms::{DimensionId, Terms};
use crate::words::{Word, split_words};
use chrono::NaiveDate;
use unicode_normalization::UnicodeNormalization;
use vitrine_domain::Catalog;
use vitrine_metrics::MetricsFile;

/// Most words of a phrase that may be a stored value.
const PHRASE_WORDS: usize = 6;

/// A stored value that the question may contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredValue {
    /// The table of the database that stores the value.
    pub table: String,
    /// The column that stores the value.
    pub column: String,
    /// The value as it is stored.
    pub value: String,
}

/// A question with what it is compared with.
#[derive(Debug, Clone, Copy)]
pub struct AskedQuestion<'a> {
    /// The question as the user asked it.
    pub text: &'a str,
    /// The definitions of the connection.
    pub file: &'a MetricsFile,
    /// The catalog of the database.
    pub catalog: &'a Catalog,
    /// All stored values that are equal to phrases of the question, except in case and accents.
    pub values: &'a [StoredValue],
    /// The current day of the user in ISO form; empty if it is unknown.
    pub today: &'a str,
}

/// Returns the phrases of a question that may be stored values.
pub fn list_phrases(question: &str) -> Vec<String> {
    let question: String = question.nfc().collect();
    let words = split_words(&question);
    let mut phrases: Vec<String> = Vec::new();
    for at in 0..words.len() {
        for end in at + 1..=words.len().min(at + PHRASE_WORDS) {
            let text = crate::items::text_of(&question, &words, &(at..end));
            if text.chars().any(char::is_alphabetic) && !phrases.iter().any(|known| known == text) {
                phrases.push(text.to_owned());
            }
        }
    }
    phrases
}

/// Determines if metrics cover a question. The question is covered only if every word has a certain role.
pub fn cover_question(asked: &AskedQuestion<'_>) -> Coverage {
    let question: String = asked.text.nfc().collect();
    let words = split_words(&question);
    let terms = Terms::from_file(asked.file);
    let values = place_values(asked);
    let day = asked.today.get(..10).unwrap_or(asked.today);
    let vocabulary = Vocabulary {
        terms: &terms,
        values: &values,
        today: NaiveDate::parse_from_str(day, "%Y-%m-%d").ok(),
        week_start: asked.file.calendar.week_start,
    };
    let (mut covered, mut gaps, mut metrics) = (Vec::<CoveredQuestion>::new(), Vec::new(), Vec::new());
    for language in LANGUAGES {
        let items = divide_question(&question, &words, language, &vocabulary);
        note_metrics(asked.file, &items, &mut metrics);
        let draft = match find_symbol(&question, &words, &items) {
            Some(symbol) => Err(Gap::Unused(vec![symbol])),
            None => Parser::new(asked.file, language, &words, &items).parse(),
        };
        match draft.and_then(|draft| resolve_draft(asked, &items, &draft)) {
            Ok(one) => covered.push(one),
            Err(gap) => gaps.push(gap),
        }
    }
    // Every word has a role in this language too, so that the reading in another one is not certain.
    let is_ambiguous = |gap: &Gap| matches!(gap, Gap::Ambiguous { .. });
    let mut covered = covered.into_iter().filter(|_| !gaps.iter().any(is_ambiguous));
    if let Some(first) = covered.next() {
        return match covered.find(|other| other.query != first.query) {
            None => Coverage::Complete(Box::new(first)),
            Some(other) => {
                Coverage::Ambiguous { text: question, meanings: [first, other].iter().map(describe).collect(), metrics }
            }
        };
    }
    // The language that leaves the fewest words is probably the question's.
    let left = |gap: &Gap| match gap {
        Gap::Ambiguous { .. } => 0,
        Gap::Unused(words) => words.len(),
    };
    match gaps.into_iter().min_by_key(left) {
        Some(Gap::Ambiguous { text, meanings }) => Coverage::Ambiguous { text, meanings, metrics },
        Some(Gap::Unused(unused)) => Coverage::Incomplete { unused, metrics },
        None => Coverage::Incomplete { unused: Vec::new(), metrics },
    }
}

/// Describes a query shortly, to distinguish two readings of a question.
fn describe(covered: &CoveredQuestion) -> String {
    let answer = &covered.answer;
    let metrics = answer.metrics.iter().map(|metric| &metric.label);
    metrics.chain(&answer.by).chain(&answer.filters).chain(&answer.period).cloned().collect::<Vec<_>>().join(", ")
}

fn resolve_draft(asked: &AskedQuestion<'_>, items: &[Item], draft: &Draft) -> Result<CoveredQuestion, Gap> {
    Resolver::new(asked.file, asked.catalog.dialect, items, draft)?.resolve()
}

/// Adds the names of metrics that items mention without ambiguity.
fn note_metrics(file: &MetricsFile, items: &[Item], metrics: &mut Vec<String>) {
    for item in items {
        if let ItemKind::Term(facets) = &item.kind
            && let [metric] = facets.metrics.as_slice()
            && let Some(metric) = file.metrics.get(*metric)
            && !metrics.contains(&metric.name)
        {
            metrics.push(metric.name.clone());
        }
    }
}

/// Places stored values in the tables and dimensions of the file. Values of other tables have no meaning for metrics.
fn place_values(asked: &AskedQuestion<'_>) -> Vec<ValueOption> {
    let mut options = Vec::new();
    for value in asked.values {
        let Some(stored) = asked.catalog.find_table(&value.table) else { continue };
        for (at, table) in asked.file.tables.iter().enumerate() {
            if !describes_table(table, stored) {
                continue;
            }
            let is_column = |dimension: &vitrine_metrics::Dimension| {
                dimension.expression().trim().eq_ignore_ascii_case(&value.column)
            };
            let of_column: Vec<usize> =
                (0..table.dimensions.len()).filter(|place| is_column(&table.dimensions[*place])).collect();
            let ids = of_column.iter().map(|&dimension| Some(DimensionId { table: at, dimension }));
            let ids: Vec<Option<DimensionId>> = if of_column.is_empty() { vec![None] } else { ids.collect() };
            let option = |dimension| ValueOption { table: at, dimension, stored: value.value.clone() };
            options.extend(ids.into_iter().map(option));
        }
    }
    options
}

/// Returns a symbol outside of the items that may change the meaning, such as `>` or `/`.
fn find_symbol(question: &str, words: &[Word], items: &[Item]) -> Option<String> {
    let is_inside = |at: usize| items.iter().any(|item| item.words.start < at && at < item.words.end);
    let has_no_meaning = |c: char| c.is_whitespace() || ",?!:'’\"“”„«»‘()¿¡".contains(c);
    // "!web" is a negation.
    let is_negated = |gap: &str| gap.trim_end_matches(['(', '"', '“', '„', '«', '\'', '’', '‘']).ends_with('!');
    let outside = words.iter().enumerate().filter(|(at, _)| !is_inside(*at)).map(|(_, word)| word.gap.as_str());
    let tail = words.last().map_or(question, |word| &question[word.at.end..]);
    for gap in outside {
        let is_stop = gap.trim_end() == "." && gap.ends_with(char::is_whitespace);
        if gap != "-" && !is_stop && (is_negated(gap) || !gap.chars().all(has_no_meaning)) {
            return Some(gap.trim().to_owned());
        }
    }
    let is_of_time = |c: char| c.is_whitespace() || ",.-–'’".contains(c);
    for item in items.iter().filter(|item| matches!(item.kind, ItemKind::Time(_))) {
        let inner = words.get(item.words.start + 1..item.words.end).unwrap_or_default();
        if let Some(word) = inner.iter().find(|word| !word.gap.chars().all(is_of_time)) {
            return Some(word.gap.trim().to_owned());
        }
    }
    let is_end = |c: char| c == '.' || has_no_meaning(c);
    (!tail.chars().all(is_end)).then(|| tail.trim().to_owned())
}
