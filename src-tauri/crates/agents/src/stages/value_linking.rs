//! Value linking (CHASE-SQL, 3.1, without a model): finds phrases of the question that are stored values, so that the
//! first query already knows their column and stored spelling.

use crate::run::context::RunContext;
use crate::run::nodes;
use crate::schema::selection::names_table;
use std::collections::HashSet;
use vitrine_domain::{Agent, Catalog, EventBody, Profile, StageKind, Switch, ValueMatch};
use vitrine_sql::normalized;
use vitrine_sql_rules::words as words_of;
use vitrine_values::{SearchTerm, is_variant};
use vitrine_words::tr;

/// Words of the longest phrase.
const WORDS: usize = 5;
/// The most phrases looked up, longest first.
const PHRASES: usize = 120;
/// Least surface similarity of a name whose stored spelling differs from the question's.
const ALIKE: f64 = 0.75;

/// The same among many values: some city is spelled nearly as every common word is ("times" has Timis).
const ALIKE_AMONG_MANY: f64 = 0.85;

/// The most phrases of the question and of the knowledge for a model that deliberates.
const EVERY_PHRASE: usize = 240;
/// Characters of the knowledge that are looked through.
const KNOWLEDGE: usize = 6_000;
/// Letters of a word that says something by itself, and least similarity of meaning of a phrase that says it in other words.
const LETTERS_OF_A_WORD: usize = 5;
const MEANT: f64 = 0.75;
/// Stored values shown for a phrase that is not stored as it is written.
const NEAREST: usize = 3;
/// Letters of the longest value in a script that does not part words.
const LETTERS: usize = 8;

/// Looks up the question's phrases. Finds nothing without a value index; looks up nothing without the switch. For a model
/// that deliberates it also looks up what the knowledge says, and finds what is misspelled or written in small letters:
/// such a model tells by itself what is meant.
pub async fn link_values(context: &RunContext, question: &str) -> Vec<ValueMatch> {
    if context.take(nodes::GROUNDING) {
        return context.earlier_values(nodes::GROUNDING);
    }
    context.begin(nodes::GROUNDING, StageKind::Grounding, tr!("Look up names and values"), &[nodes::SCHEMA]);
    if !context.ask.settings.with(Switch::Values) {
        context.finish(nodes::GROUNDING, tr!("Switched off"));
        return Vec::new();
    }
    if context.model(Agent::Generator).profile().deliberates {
        return link_every_phrase(context, question).await;
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
    // Whether a word that names a table is a value shows beside the others.
    let (tables, values): (Vec<_>, Vec<_>) = phrases.iter().partition(|phrase| phrase.asks_for_table(catalog));
    let values = values.into_iter().map(|phrase| (phrase, false));
    for (phrase, asks_for_table) in values.chain(tables.into_iter().map(|phrase| (phrase, true))) {
        if covered.iter().any(|longer| longer.covers(phrase)) {
            continue;
        }
        let is_beside = |m: &ValueMatch| {
            let same_column = |known: &ValueMatch| (&known.table, &known.column) == (&m.table, &m.column);
            !asks_for_table || phrase.stands_beside(m) || matches.iter().any(same_column)
        };
        let of_phrase = found.iter().filter(|m| m.literal == phrase.text);
        let kept: Vec<&ValueMatch> = of_phrase.filter(|m| phrase.means(m, catalog, profile) && is_beside(m)).collect();
        if !kept.is_empty() {
            covered.push(phrase);
            matches.extend(kept.into_iter().cloned());
        }
    }
    told(context, covered.iter().map(|p| p.text.clone()).collect(), matches)
}

/// The same for every phrase of question and knowledge, whatever language and capitals they are written in.
async fn link_every_phrase(context: &RunContext, question: &str) -> Vec<ValueMatch> {
    let knowledge: String = context.ask.knowledge.iter().flat_map(|text| text.chars()).take(KNOWLEDGE).collect();
    let texts = [every_phrase(question), every_phrase(&knowledge)];
    // What is in quotes is a value wherever it stands; then the question goes before the knowledge.
    let (quoted, plain): (Vec<_>, Vec<_>) = (texts.iter().enumerate())
        .flat_map(|(text, phrases)| phrases.iter().map(move |phrase| (text, phrase)))
        .partition(|(_, phrase)| phrase.is_name);
    let mut phrases: Vec<(usize, &Phrase)> = Vec::new();
    for (text, phrase) in quoted.into_iter().chain(plain) {
        if !phrases.iter().any(|(_, known)| known.text == phrase.text) {
            phrases.push((text, phrase));
        }
    }
    phrases.truncate(EVERY_PHRASE);
    let named = Named::of(&context.ask.catalog, &context.ask.profile);
    // Only what may be meant otherwise than it is written is searched by meaning, which takes most of the time.
    let terms = |alike: bool| {
        let of = phrases.iter().filter(|(_, phrase)| phrase.may_be_like(&named) == alike);
        of.map(|(_, phrase)| SearchTerm::new(phrase.text.clone())).collect::<Vec<_>>()
    };
    let mut found = context.search_values(nodes::GROUNDING, terms(true), context.ask.embedder.clone()).await;
    found.extend(context.search_values(nodes::GROUNDING, terms(false), None).await);
    let mut matches: Vec<ValueMatch> = Vec::new();
    let mut covered: Vec<(usize, &Phrase)> = Vec::new();
    // What is stored as it is written, longest first; then what is alike, most alike first, where nothing is stored.
    for &(text, phrase) in &phrases {
        let of_phrase = found.iter().filter(|m| m.literal == phrase.text);
        let stored: Vec<&ValueMatch> = of_phrase.filter(|m| phrase.is_stored(m, &named)).collect();
        if !stored.is_empty() && !covered.iter().any(|(of, longer)| *of == text && longer.covers(phrase)) {
            covered.push((text, phrase));
            matches.extend(stored.into_iter().cloned());
        }
    }
    let mut alike: Vec<(f64, usize, &Phrase, Vec<&ValueMatch>)> = Vec::new();
    for &(text, phrase) in &phrases {
        let of_phrase = found.iter().filter(|m| m.literal == phrase.text);
        let like: Vec<&ValueMatch> = of_phrase.filter(|m| phrase.is_like(m, &named)).collect();
        let best = like.iter().map(|m| m.edit.max(m.semantic.unwrap_or(0.0))).fold(0.0, f64::max);
        if !like.is_empty() {
            alike.push((best, text, phrase, like));
        }
    }
    alike.sort_by(|one, other| other.0.total_cmp(&one.0));
    // What is stored as it is written in one text is no other value in the other: "English" and "English refers to ...".
    let stored: Vec<&Phrase> = covered.iter().map(|(_, phrase)| *phrase).collect();
    for (_, text, phrase, like) in alike {
        let is_told = !phrase.is_name && stored.iter().any(|known| phrase.says(known));
        if !is_told && !covered.iter().any(|(of, other)| *of == text && other.overlaps(phrase)) {
            covered.push((text, phrase));
            matches.extend(like.into_iter().take(NEAREST).cloned());
        }
    }
    told(context, covered.iter().map(|(_, p)| p.text.clone()).collect(), matches)
}

/// Ends the node and records what was found.
fn told(context: &RunContext, literals: Vec<String>, matches: Vec<ValueMatch>) -> Vec<ValueMatch> {
    context.finish(
        nodes::GROUNDING,
        if literals.is_empty() {
            tr!("No stored value is named")
        } else {
            tr!("Found {values}", values = literals.join(", "))
        },
    );
    context.emit(EventBody::ValuesRetrieved { node: nodes::GROUNDING.to_owned(), literals, matches: matches.clone() });
    matches
}

/// A sequence of words of the question.
#[derive(Debug, Default, PartialEq)]
struct Phrase {
    text: String,
    /// Byte range in the question.
    from: usize,
    to: usize,
    /// Whether it is in quotes, or every word but small ones is capitalized within a sentence.
    is_name: bool,
    /// The words before and behind it, in lower case and the singular.
    beside: Vec<String>,
}

impl Phrase {
    fn covers(&self, other: &Phrase) -> bool {
        self.from <= other.from && other.to <= self.to
    }

    /// Whether the words of the other are among its own, or its own that say something among those of the other.
    fn says(&self, other: &Phrase) -> bool {
        let within = |all: &str, part: &str| format!(" {all} ").contains(&format!(" {part} "));
        within(&self.text, &other.text) || self.long_words().all(|word| other.long_words().any(|known| known == word))
    }

    fn overlaps(&self, other: &Phrase) -> bool {
        self.from < other.to && other.from < self.to
    }

    /// Whether it is a word for a table's rows: "Which store" asks for a store, though a column has the value `store`. A
    /// value it is beside a word of that column or its table ("the store channel"), or another value of the column.
    fn asks_for_table(&self, catalog: &Catalog) -> bool {
        !self.is_name && names_table(&self.text, catalog)
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

/// What a database calls its tables and columns. A word of theirs asks for them, and is hardly a value.
struct Named<'a> {
    catalog: &'a Catalog,
    profile: &'a Profile,
    /// In lower case and the singular.
    words: HashSet<String>,
}

impl<'a> Named<'a> {
    fn of(catalog: &'a Catalog, profile: &'a Profile) -> Self {
        let columns = catalog.tables.iter().flat_map(|table| &table.columns).map(|column| column.name.as_str());
        let names = catalog.tables.iter().map(|table| table.name.name.as_str()).chain(columns);
        Self { catalog, profile, words: names.flat_map(words_of).collect() }
    }

    /// Whether a value is one of few in its column, or comes again and again there, so that a question may well mean it.
    fn is_usual(&self, found: &ValueMatch) -> bool {
        let column =
            self.catalog.table(&found.table).and_then(|table| self.profile.table(&table.name)?.column(&found.column));
        column.is_some_and(|c| c.complete || c.top.iter().any(|(value, count)| *value == found.value && *count > 1))
    }

    /// Whether a word of the text is one of a table's or a column's name.
    fn has_word_of(&self, text: &str) -> bool {
        words_of(text).iter().any(|word| self.words.contains(word))
    }
}

/// What a model that deliberates is shown.
impl Phrase {
    /// Whether a value is stored as the phrase is written, in other letters, in the singular or as a variant.
    fn is_stored(&self, found: &ValueMatch, named: &Named<'_>) -> bool {
        let (phrase, value) = (normalized(&self.text), normalized(&found.value));
        let small = |word: &str| word.chars().next().is_some_and(char::is_lowercase);
        if phrase == value {
            // Somewhere in a column of many values every short word is stored: 'and' as a code, 'price' as a family name.
            let may_be_chance = !self.is_name
                && !self.text.contains(' ')
                && !self.is_marked()
                && (phrase.chars().count() < fewest_letters(&phrase) || named.has_word_of(&self.text));
            return !may_be_chance || named.is_usual(found) || self.stands_beside(found);
        }
        // "How many stores" asks for the table's rows, whichever column stores the word `store`.
        // "Has" is no plural of a language that is called Ha.
        let says = |value: &str| value.chars().count() >= fewest_letters(value) || named.is_usual(found);
        let plural = phrase.strip_suffix('s').is_some_and(|one| one == value && says(one))
            && !names_table(&self.text, named.catalog);
        // The letters of a code are those of many words ("from" has FR, "growth rate" GR): what it stands for is a name, and
        // begins each word with a capital where the script has them. Two letters begin every short word ("Wie" has WI).
        let letters = |text: &str| normalized(text).chars().count();
        let chance = letters(&found.value) == 2 && letters(&self.text) < LETTERS_OF_A_WORD && !is_upper(&self.text);
        // Beside a word of the schema, too, small words bind others: "among the countries" has AT, "united states" has US.
        let binds = |word: &str| small(word) && normalized(word).chars().count() < LETTERS_OF_A_WORD;
        // "Dan Harris" is two values, a first name and a family name.
        let first = self.text.split_once(' ').is_some_and(|(first, _)| normalized(first) == value);
        let variant = is_variant(&found.value, &self.text)
            && !(chance || first || self.text.split_whitespace().any(binds))
            && (!self.text.split_whitespace().any(small) || self.stands_beside(found))
            && (self.is_name || !named.has_word_of(&self.text));
        plural || variant
    }

    /// Whether it is written as names are: with a capital, or a digit at the front. Not to be written so says nothing: many
    /// write without capitals, and most scripts have none.
    fn is_marked(&self) -> bool {
        self.text.chars().next().is_some_and(|first| first.is_uppercase() || first.is_numeric())
    }

    /// Whether it stands beside a word of the table or column that stores a value: "customer acme".
    fn stands_beside(&self, found: &ValueMatch) -> bool {
        // "Kunde" is a word of `kunden`, and "клиента" of `клиент`: endings have two letters at most.
        let extends = |long: &str, short: &str| {
            let letters = short.chars().count();
            letters >= 4 && long.starts_with(short) && long.chars().count() <= letters + 2
        };
        let names: Vec<String> = [&found.table, &found.column].into_iter().flat_map(|name| words_of(name)).collect();
        let is_named =
            |word: &String| names.iter().any(|name| name == word || extends(name, word) || extends(word, name));
        self.beside.iter().any(is_named)
    }

    /// Whether the phrase may be misspelled, or mean what is stored in other words: it is in quotes, or has a word that is
    /// long enough to say something, and asks for no table or column.
    fn may_be_like(&self, named: &Named<'_>) -> bool {
        self.is_name || (self.long_words().next().is_some() && !named.has_word_of(&self.text))
    }

    /// Its words that are long enough to say something, normalized.
    fn long_words(&self) -> impl Iterator<Item = String> {
        let long = |word: &str| {
            let letters = normalized(word).chars().count();
            letters >= LETTERS_OF_A_WORD || (letters > 1 && word.chars().any(is_unparted))
        };
        self.text.split_whitespace().filter(move |word| long(word)).map(normalized)
    }

    /// Whether a value may be what a misspelled phrase means, or one that says it in other words.
    fn is_like(&self, found: &ValueMatch, named: &Named<'_>) -> bool {
        // A code that the phrase's initials spell is alike by its letters, too ("the most populated" has TMP), and is stored
        // as it is written or not meant.
        let least = if named.is_usual(found) { ALIKE } else { ALIKE_AMONG_MANY };
        let spelt = found.edit >= least && !is_variant(&found.value, &self.text);
        let alike = spelt || found.semantic.is_some_and(|cosine| cosine >= MEANT);
        alike && self.may_be_like(named)
    }
}

/// Letters below which a word may be stored by chance, by its script: where a letter is a syllable or more it says much, and in
/// scripts without capitals the words that bind others have one or two letters.
fn fewest_letters(word: &str) -> usize {
    let has_capitals = word.chars().any(|c| c.is_lowercase() || c.is_uppercase());
    match word.chars().any(is_syllable) {
        true => 2,
        false if has_capitals => LETTERS_OF_A_WORD,
        false => 3,
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

/// Every candidate phrase, longest first: quoted texts, which alone count as names, and runs of up to [`WORDS`] words. No
/// word is small in every language. Where a script does not part words, so many letters in a row.
fn every_phrase(text: &str) -> Vec<Phrase> {
    let words = words(text);
    let mut found = quoted(text);
    let mut add = |from: usize, to: usize| {
        let phrase = &text[from..to];
        // Capital letters at a bracket are what a formula computes: MIN(price).
        if is_upper(phrase) && text[to..].starts_with('(') {
            return;
        }
        let known = |p: &Phrase| p.text == phrase;
        // Ends of sentences and of quotations, and what formulas are made of.
        let broken = ['?', '!', ';', ':', '"', '\n', '(', ')', '=', '<', '>', '*', '%'];
        let within = !phrase.contains(broken) && !phrase.contains(". ") && !phrase.contains("' ");
        if within && !is_number(phrase) && !found.iter().any(known) {
            let before = words.iter().rev().find(|word| word.1 <= from);
            let behind = words.iter().find(|word| word.0 >= to);
            let beside = before.into_iter().chain(behind).flat_map(|&(from, to)| words_of(&text[from..to])).collect();
            found.push(Phrase { text: phrase.to_owned(), from, to, is_name: false, beside });
        }
    };
    for length in (1..=WORDS.min(words.len())).rev() {
        for run in words.windows(length) {
            let (from, to) = (run[0].0, run[length - 1].1);
            let letters = normalized(&text[from..to]);
            let says =
                letters.chars().count() >= 3 || (letters.chars().count() == 2 && letters.chars().all(is_syllable));
            if says || is_upper(&text[from..to]) {
                add(from, to);
            }
        }
    }
    for &(from, to) in words.iter().filter(|&&(from, to)| text[from..to].chars().any(is_unparted)) {
        let ends: Vec<usize> = text[from..to].char_indices().map(|(at, _)| from + at).chain([to]).collect();
        for length in (2..=LETTERS.min(ends.len() - 1)).rev() {
            ends.windows(length + 1).for_each(|run| add(run[0], run[length]));
        }
    }
    found
}

/// Whether a letter is of a script that does not part words: Chinese, Japanese, Thai, Lao, Khmer.
fn is_unparted(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// Whether a letter is a syllable or more: those of scripts that do not part words, and of Korean.
fn is_syllable(c: char) -> bool {
    is_unparted(c) || matches!(c, '\u{ac00}'..='\u{d7a3}')
}

/// Whether a text is an abbreviation: capital letters and points alone.
fn is_upper(text: &str) -> bool {
    text.chars().all(|c| c.is_uppercase() || c == '.')
}

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
            let short = normalized(text).chars().count() < 3 && !is_upper(text);
            let broken = text.contains(['?', '!', ';', ':', '"']);
            if small(inner(first)) || small(inner(last)) || short || broken || is_number(text) {
                continue;
            }
            let is_name = (first..=last).all(|at| capital(at) || (at > first && at < last && small(inner(at))));
            let around = [first.checked_sub(1), Some(last + 1)].into_iter().flatten().filter_map(|at| words.get(at));
            let beside = around.flat_map(|&(from, to)| words_of(&question[from..to])).collect();
            let phrase = Phrase { text: text.to_owned(), from, to, is_name, beside };
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
                found.push(Phrase { text: text.to_owned(), from: start, to: rest, is_name: true, beside: Vec::new() });
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
    fn a_model_that_deliberates_is_shown_words_of_any_language_and_script() {
        let texts = |text: &str| every_phrase(text).into_iter().map(|p| p.text).collect::<Vec<_>>();
        assert!(texts("wie viele kunden wohnen in den niederlanden?").contains(&"niederlanden".to_owned()));
        assert!(texts("albums by the who").contains(&"the who".to_owned()), "small words may be a name");
        assert!(texts("东京有多少客户").contains(&"东京".to_owned()));
        assert!(texts("flats in Wien(Österreich)").contains(&"Wien".to_owned()));
        assert!(!texts("refers to MIN(price)").contains(&"MIN".to_owned()), "what a formula computes is no value");
        assert_eq!(every_phrase("street_name = 'san pablo ave'")[0].text, "san pablo ave");
    }

    #[test]
    fn numbers_and_small_words_are_not_looked_up() {
        assert_eq!(phrases("How many are there in 2014?"), []);
        let all: Vec<String> = phrases("List the dog owners").into_iter().map(|p| p.text).collect();
        assert_eq!(all, ["dog owners", "dog", "owners"]);
    }

    /// A database of one table.
    fn catalog(table: &str, columns: &[&str]) -> Catalog {
        let column = |name: &&str| vitrine_domain::Column {
            name: (*name).into(),
            data_type: "TEXT".into(),
            nullable: true,
            comment: None,
        };
        let table = vitrine_domain::Table {
            name: vitrine_domain::TableName::bare(table),
            kind: vitrine_domain::TableKind::Table,
            comment: None,
            row_count: None,
            columns: columns.iter().map(column).collect(),
            primary_key: Vec::new(),
            unique_keys: Vec::new(),
            foreign_keys: Vec::new(),
            definition: None,
        };
        Catalog {
            database: String::new(),
            dialect: vitrine_domain::Dialect::Sqlite,
            search_path: Vec::new(),
            own_functions: Vec::new(),
            fingerprint: String::new(),
            tables: vec![table],
        }
    }

    fn found(value: &str, edit: f64, semantic: Option<f64>) -> ValueMatch {
        let (table, column) = ("country".into(), "code".into());
        ValueMatch { literal: String::new(), table, column, value: value.into(), edit, semantic }
    }

    /// A profile in which the column that values are found in has few of them.
    fn few_values() -> Profile {
        let column = vitrine_domain::ColumnProfile { name: "code".into(), complete: true, ..Default::default() };
        let table = vitrine_domain::TableProfile {
            table: vitrine_domain::TableName::bare("country"),
            row_count: Some(0),
            profiled_rows: 0,
            columns: vec![column],
        };
        Profile { tables: vec![table], ..Profile::default() }
    }

    fn plain(text: &str) -> Phrase {
        Phrase { text: text.into(), to: text.len(), ..Phrase::default() }
    }

    #[test]
    fn a_code_stands_for_a_name_and_not_for_words_that_have_its_letters() {
        let (catalog, profile) = (catalog("country", &["code", "game_id"]), Profile::default());
        let named = Named::of(&catalog, &profile);
        let stored = |phrase: &str, value: &str| plain(phrase).is_stored(&found(value, 0.75, None), &named);
        for (phrase, value) in
            [("United States", "US"), ("USA", "US"), ("California", "CA"), ("PSP", "Phantasy Star Portable")]
        {
            assert!(stored(phrase, value), "{phrase}");
        }
        let few = few_values();
        let named = Named::of(&catalog, &few);
        assert!(plain("us").is_stored(&found("US", 0.75, None), &named), "one of few values, all of which are known");
        for (phrase, value) in [
            ("growth rate of", "GR"),
            ("that", "THA"),
            ("from", "FR"),
            ("Among the", "AT"),
            ("shortest life expectancy", "SLE"),
            ("ID", "Independence Day"),
            ("Wie", "WI"),
            ("Land", "LA"),
            ("Dan Harris", "DAN"),
        ] {
            assert!(!stored(phrase, value), "{phrase}");
        }
        assert!(stored("Dan", "DAN") && stored("Harris", "HARRIS") && stored("Cal Arts", "CA"));
        let beside = |phrase: &str, value: &str| {
            let phrase = Phrase { beside: vec!["country".into()], ..plain(phrase) };
            phrase.is_stored(&found(value, 0.75, None), &named)
        };
        for (phrase, value) in [("among the", "AT"), ("the most populated", "TMP"), ("has the", "HT"), ("that", "THA")]
        {
            assert!(!beside(phrase, value), "{phrase}, beside the name of a table");
        }
        assert!(beside("united states", "US") && beside("great britain", "GB"));
    }

    #[test]
    fn a_small_word_is_a_value_where_that_is_no_chance() {
        let (catalog, profile) = (catalog("orders", &["price", "publisher_name"]), Profile::default());
        let named = Named::of(&catalog, &profile);
        let stored = |phrase: &str, value: &str| plain(phrase).is_stored(&found(value, 1.0, None), &named);
        assert!(stored("kensington", "Kensington") && stored("Price", "Price") && stored("the who", "The Who"));
        assert!(stored("niederlande", "Niederlande") && stored("东京", "东京"));
        for chance in ["and", "are", "full", "price", "publishers"] {
            assert!(!stored(chance, chance), "{chance}");
        }
        assert!(stored("kensingtons", "Kensington") && !stored("has", "Ha"), "a plural says what its singular says");
        let (kinds, few) = (self::catalog("country", &["code"]), few_values());
        assert!(plain("cats").is_stored(&found("cat", 0.75, None), &Named::of(&kinds, &few)));
        let quoted = Phrase { is_name: true, ..plain("and") };
        assert!(quoted.is_stored(&found("AND", 1.0, None), &named), "what is in quotes is a value");
    }

    #[test]
    fn what_tells_a_value_from_a_chance_needs_no_capitals() {
        let catalog = catalog("customers", &["name", "ग्राहक", "عدد", "고객"]);
        let stored_in = |profile: &Profile, question: &str, phrase: &str, value: &str| {
            let named = Named::of(&catalog, profile);
            let found = ValueMatch {
                literal: phrase.into(),
                table: "customers".into(),
                column: "name".into(),
                value: value.into(),
                edit: 1.0,
                semantic: None,
            };
            let phrases = every_phrase(question);
            phrases.iter().find(|p| p.text == phrase).is_some_and(|phrase| phrase.is_stored(&found, &named))
        };
        let nothing_known = Profile::default();
        let stored = |question: &str, phrase: &str, value: &str| stored_in(&nothing_known, question, phrase, value);
        // Short names without capitals, as stored or not: said by the word beside them.
        for (question, phrase, value) in [
            ("orders of customer acme in may", "acme", "acme"),
            ("orders of customer acme in may", "acme", "Acme"),
            ("what did the customer united states buy", "united states", "US"),
            ("كم طلب علي في مايو", "علي", "علي"),
            ("दिल्ली में कितने ग्राहक हैं", "दिल्ली", "दिल्ली"),
            ("서울 고객은 몇 명입니까", "서울", "서울"),
            ("北京有多少客户", "北京", "北京"),
            ("bestellungen des customers acme", "acme", "acme"),
        ] {
            assert!(stored(question, phrase, value), "{phrase}: {question}");
        }
        // Words that bind others, and words that the schema has, in scripts with and without capitals.
        for (question, phrase) in [
            ("orders and returns in may", "and"),
            ("acme orders in may", "acme"),
            ("كم عدد الطلبات في مايو", "عدد"),
            ("ग्राहक और आदेश", "ग्राहक"),
            ("고객 주문은 몇 건입니까", "고객"),
        ] {
            assert!(!stored(question, phrase, phrase), "{phrase}: {question}");
        }
        // A value that comes again and again in its column may well be meant; one of thousands that came once may not.
        let often = |count: u64| Profile {
            tables: vec![vitrine_domain::TableProfile {
                table: vitrine_domain::TableName::bare("customers"),
                row_count: Some(9_000),
                profiled_rows: 9_000,
                columns: vec![vitrine_domain::ColumnProfile {
                    name: "name".into(),
                    top: vec![("acme".into(), count)],
                    ..Default::default()
                }],
            }],
            ..Profile::default()
        };
        let counted = [900, 1].map(|count| stored_in(&often(count), "acme orders in may", "acme", "acme"));
        assert_eq!(counted, [true, false]);
    }

    #[test]
    fn what_is_like_a_value_has_a_word_that_says_something_and_asks_for_no_column() {
        let (catalog, profile) = (catalog("books", &["title", "author_name", "city"]), Profile::default());
        let named = Named::of(&catalog, &profile);
        let like = |phrase: &str| plain(phrase).is_like(&found("x", 0.9, Some(0.8)), &named);
        for phrase in ["roterdam trading", "The queen of Egypt", "vereinigte staaten", "北京"] {
            assert!(like(phrase), "{phrase}");
        }
        for phrase in ["of the", "in the", "is a", "many books", "the city", "author_name", "names"] {
            assert!(!like(phrase), "{phrase}");
        }
        assert!(!plain("roterdam trading").is_like(&found("x", 0.5, Some(0.5)), &named));
        assert!(!plain("the most populated").is_like(&found("TMP", 0.9, None), &named), "a code by its initials");
        let times =
            |profile: &Profile| plain("times").is_like(&found("Timis", 0.8, None), &Named::of(&catalog, profile));
        assert!(!times(&profile), "some value among many is spelled like every word");
        let says = |phrase: &str, known: &str| plain(phrase).says(&plain(known));
        assert!(says("English refers", "English") && says("published by Kensington", "Kensington"));
        assert!(says("of Cyprus", "Cyprus") && !says("Cyprus North", "Norway") && !says("Norwegian", "Norway"));
    }

    #[test]
    fn a_plain_word_has_to_be_one_of_a_categorys_values() {
        let catalog = catalog("pets", &["kind"]);
        let dog = found("dog", 0.8, None);
        assert!(!plain("dogs").means(&dog, &catalog, &Profile::default()), "no profile says that it is a category");
        let name = Phrase { is_name: true, ..plain("New Yrok") };
        assert!(name.means(&found("New York", 0.8, None), &catalog, &Profile::default()));
    }
}
