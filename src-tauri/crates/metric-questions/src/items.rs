//! Divides a question into items: terms of the file, phrases of the language, times and numbers. The longest match
//! counts; words that nothing matches are unknown.

use crate::language::{LANGUAGES, Language, Sign, is_code};
use crate::period::Period;
use crate::terms::{DimensionId, Meaning, Terms};
use crate::times::{TimeReader, parse_number};
use crate::words::{Word, fold_text};
use chrono::NaiveDate;
use std::ops::Range;
use vitrine_metrics::WeekDay;

/// A part of a question with its possible meanings.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub words: Range<usize>,
    /// The part as the user wrote it.
    pub text: String,
    pub kind: ItemKind,
    /// Stored values that are written like a small word, such as the country "US" in "give us".
    pub hidden: Vec<ValueOption>,
    /// True if a comma precedes the part.
    pub after_comma: bool,
}

/// The possible meanings of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ItemKind {
    Sign(Sign),
    Number(u32),
    Time(Period),
    Term(Facets),
    Unknown,
}

/// The meanings of a term.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Facets {
    pub metrics: Vec<usize>,
    pub dimensions: Vec<DimensionId>,
    /// Tables whose rows the term names.
    pub nouns: Vec<usize>,
    pub values: Vec<ValueOption>,
    /// True if a metric is written in another number than in the file: "refund" for "refunds".
    pub is_metric_inflected: bool,
    /// True if a dimension is written in another number than in the file.
    pub is_dimension_inflected: bool,
}

/// A stored value that the words mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValueOption {
    /// The table of the file that describes the column's table; the same table may be described twice.
    pub table: usize,
    /// The dimension that is the column; `None` for a column without one.
    pub dimension: Option<DimensionId>,
    /// The value as it is stored.
    pub stored: String,
}

/// What a question is matched with.
pub(crate) struct Vocabulary<'v> {
    pub terms: &'v Terms,
    /// Stored values that the question may contain.
    pub values: &'v [ValueOption],
    pub today: Option<NaiveDate>,
    pub week_start: WeekDay,
}

/// One match before the choice of the longest ones.
struct Span {
    words: Range<usize>,
    kind: ItemKind,
    hidden: Vec<ValueOption>,
}

impl Span {
    fn new(words: Range<usize>, kind: ItemKind) -> Self {
        Self { words, kind, hidden: Vec::new() }
    }

    /// Adds another meaning of the same words.
    fn join(&mut self, other: Span) {
        let small = |kind: &ItemKind| matches!(kind, ItemKind::Sign(sign) if is_small(*sign));
        for (sign, term) in [(&self.kind, &other.kind), (&other.kind, &self.kind)] {
            if small(sign)
                && let ItemKind::Term(facets) = term
            {
                add_new(&mut self.hidden, facets.values.clone());
                break;
            }
        }
        self.kind = join_kinds(&self.kind, other.kind);
    }
}

/// Divides a question into items, in their order.
pub(crate) fn divide_question(
    question: &str,
    words: &[Word],
    language: &'static Language,
    vocabulary: &Vocabulary<'_>,
) -> Vec<Item> {
    let mut spans = find_spans(question, words, language, vocabulary);
    spans.sort_by_key(|span| (std::cmp::Reverse(span.words.len()), span.words.start));
    let mut kept: Vec<Span> = Vec::new();
    let mut unclear: Vec<Range<usize>> = Vec::new();
    for span in spans {
        let overlaps = |other: &Span| span.words.start < other.words.end && other.words.start < span.words.end;
        match kept.iter_mut().find(|other| overlaps(other)) {
            None => kept.push(span),
            Some(other) if other.words == span.words => other.join(span),
            Some(other) if contains(&other.words, &span.words) => {}
            // Words that belong to two names at once, such as "net sales channel".
            Some(other) => {
                if !matches!(span.kind, ItemKind::Sign(_) | ItemKind::Number(_)) {
                    unclear.push(other.words.start.min(span.words.start)..other.words.end.max(span.words.end));
                }
            }
        }
    }
    for span in &mut kept {
        if unclear.iter().any(|range| contains(range, &span.words)) {
            span.kind = ItemKind::Unknown;
        }
    }
    for at in 0..words.len() {
        if !kept.iter().any(|span| span.words.contains(&at)) {
            kept.push(Span::new(at..at + 1, ItemKind::Unknown));
        }
    }
    kept.sort_by_key(|span| span.words.start);
    let item = |span: Span| Item {
        text: text_of(question, words, &span.words).to_owned(),
        after_comma: words.get(span.words.start).is_some_and(|word| word.gap.contains(',')),
        words: span.words,
        kind: span.kind,
        hidden: span.hidden,
    };
    kept.into_iter().map(item).collect()
}

/// Returns the text of a range of words.
pub(crate) fn text_of<'q>(question: &'q str, words: &[Word], range: &Range<usize>) -> &'q str {
    let (Some(first), Some(last)) = (words.get(range.start), words.get(range.end - 1)) else { return "" };
    &question[first.at.start..last.at.end]
}

/// Returns true if a word within a sentence begins with a capital, like a name.
fn is_capitalized(question: &str, words: &[Word], at: usize) -> bool {
    let Some(word) = words.get(at) else { return false };
    let is_first = at == 0 || word.gap.contains(['.', '?', '!', ':']);
    !is_first && question[word.at.clone()].starts_with(char::is_uppercase)
}

fn contains(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn find_spans(question: &str, words: &[Word], language: &'static Language, vocabulary: &Vocabulary<'_>) -> Vec<Span> {
    let times = TimeReader::new(words, language, vocabulary.today, vocabulary.week_start);
    let has_small_letters = question.chars().any(char::is_lowercase);
    let mut spans = Vec::new();
    for at in 0..words.len() {
        if let Some((end, period)) = times.read_at(at) {
            spans.push(Span::new(at..end, ItemKind::Time(period)));
        }
        for (length, sign) in language.signs_at(words, at) {
            let range = at..at + length;
            // A word in capitals is a code or a name: "DE" is not the French preposition, "Sur" within a sentence neither.
            let is_name = sign == Sign::Filler && length == 1 && is_capitalized(question, words, at);
            if !has_small_letters || !(is_name || is_code(words, &range, question)) {
                spans.push(Span::new(range, ItemKind::Sign(sign)));
            }
        }
        let word = &words[at].folded;
        if let Some(number) = word.parse().ok().or_else(|| parse_number(word)) {
            spans.push(Span::new(at..at + 1, ItemKind::Number(number)));
        }
        for found in vocabulary.terms.matches_at(words, at) {
            let mut facets = Facets::default();
            match found.meaning {
                Meaning::Metric(metric) => {
                    facets.metrics.push(metric);
                    facets.is_metric_inflected = !found.is_exact;
                }
                Meaning::Dimension(id) => {
                    facets.dimensions.push(id);
                    facets.is_dimension_inflected = !found.is_exact;
                }
                Meaning::Noun(table) => facets.nouns.push(table),
                Meaning::Value(id, stored) => {
                    facets.values.push(ValueOption { table: id.table, dimension: Some(id), stored });
                }
            }
            spans.push(Span::new(at..at + found.length, ItemKind::Term(facets)));
        }
        spans.extend(find_values(question, words, at, vocabulary.values));
    }
    spans
}

/// Returns the stored values that begin at a word. A text of digits alone does not count, because it may also be a year, a
/// limit or an amount. A single letter must be written as it is stored, and a value that is also a phrase of a
/// language leaves the question unclear, because it may mix languages.
fn find_values(question: &str, words: &[Word], at: usize, values: &[ValueOption]) -> Vec<Span> {
    const MOST_WORDS: usize = 8;
    let mut spans = Vec::new();
    for end in at + 1..=words.len().min(at + MOST_WORDS) {
        let written = text_of(question, words, &(at..end));
        let text = fold_text(written);
        let is_sign = |language: &Language| {
            language.signs_at(words, at).iter().any(|(length, sign)| *length == end - at && !is_small(*sign))
        };
        if text.chars().all(|c| c.is_ascii_digit()) {
            continue;
        }
        let is_phrase = LANGUAGES.iter().any(|language| is_sign(language));
        let is_letter = text.chars().count() == 1;
        let fits = |stored: &str| if is_letter { stored == written } else { fold_text(stored) == text };
        for known in values.iter().filter(|known| fits(&known.stored)) {
            let facets = Facets { values: vec![known.clone()], ..Facets::default() };
            let kind = if is_phrase { ItemKind::Unknown } else { ItemKind::Term(facets) };
            spans.push(Span::new(at..end, kind));
        }
    }
    spans
}

/// Joins two meanings of the same words. Words that are both a phrase of the language and a value written in the same
/// letters, or a name of the file, have no certain meaning.
fn join_kinds(one: &ItemKind, other: ItemKind) -> ItemKind {
    match (one, &other) {
        (ItemKind::Term(one), ItemKind::Term(other)) => ItemKind::Term(one.join(other.clone())),
        (ItemKind::Number(_), ItemKind::Number(_)) => other,
        // A year in digits is also a number.
        (ItemKind::Time(_), ItemKind::Number(_)) => one.clone(),
        (ItemKind::Number(_), ItemKind::Time(_)) => other,
        (ItemKind::Sign(sign), ItemKind::Term(facets)) | (ItemKind::Term(facets), ItemKind::Sign(sign)) => {
            join_sign(*sign, facets)
        }
        _ => ItemKind::Unknown,
    }
}

/// A small word stays one beside a stored value, because a column that the metrics do not reach may contain any of them;
/// the value is kept as hidden. Other words that are both a sign and a name or a value leave the question unclear, such
/// as "monthly" for a subscription.
fn join_sign(sign: Sign, facets: &Facets) -> ItemKind {
    let is_named = !(facets.metrics.is_empty() && facets.dimensions.is_empty());
    let is_value = !facets.values.is_empty() && !is_small(sign);
    if is_named || is_value { ItemKind::Unknown } else { ItemKind::Sign(sign) }
}

/// Returns true for words that have no meaning of their own.
fn is_small(sign: Sign) -> bool {
    matches!(sign, Sign::Filler | Sign::And | Sign::Group | Sign::Which | Sign::Show)
}

impl Facets {
    fn join(&self, other: Facets) -> Facets {
        let mut joined = self.clone();
        joined.is_metric_inflected |= other.is_metric_inflected;
        joined.is_dimension_inflected |= other.is_dimension_inflected;
        add_new(&mut joined.metrics, other.metrics);
        add_new(&mut joined.dimensions, other.dimensions);
        add_new(&mut joined.nouns, other.nouns);
        add_new(&mut joined.values, other.values);
        joined
    }
}

fn add_new<T: PartialEq>(all: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
        }
    }
}
