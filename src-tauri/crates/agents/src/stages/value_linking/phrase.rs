//! Phrases of a question that may be stored values: sequences of words, and texts in quotation marks.

use vitrine_sql::normalize_name;
use vitrine_sql_rules::singular_words as words_of;

/// Maximum number of words of a phrase.
const WORDS: usize = 5;
/// Maximum number of phrases that are looked up, longest first.
const PHRASES: usize = 120;
/// Minimum number of letters of a word that is specific enough to be a value.
pub(super) const LETTERS_OF_A_WORD: usize = 5;
/// Maximum number of letters of a value in a script without spaces between words.
const LETTERS: usize = 8;

/// A sequence of words of the question.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Phrase {
    pub(super) text: String,
    /// Start of the phrase's byte range in the question.
    pub(super) from: usize,
    pub(super) to: usize,
    /// True if the phrase is in quotes, or if all its words except small ones are capitalized within a sentence.
    pub(super) is_name: bool,
    /// Words before and after the phrase, in lower case and the singular.
    pub(super) beside: Vec<String>,
}

impl Phrase {
    pub(super) fn covers(&self, other: &Phrase) -> bool {
        self.from <= other.from && other.to <= self.to
    }

    pub(super) fn overlaps(&self, other: &Phrase) -> bool {
        self.from < other.to && other.from < self.to
    }

    /// Returns true if this phrase contains all words of the other, or the other contains all long words of this one.
    pub(super) fn shares_words(&self, other: &Phrase) -> bool {
        let within = |all: &str, part: &str| format!(" {all} ").contains(&format!(" {part} "));
        within(&self.text, &other.text) || self.long_words().all(|word| other.long_words().any(|known| known == word))
    }

    /// Returns true if the phrase is written like a name: with a capital, or a digit at the front. The lack of capitals means nothing: many
    /// users write without them, and most scripts have none.
    pub(super) fn is_marked(&self) -> bool {
        self.text.chars().next().is_some_and(|first| first.is_uppercase() || first.is_numeric())
    }

    /// Returns true if the phrase's script has no spaces between words, so that the phrase may be part of a longer sequence of letters.
    pub(super) fn is_unparted(&self) -> bool {
        self.text.chars().any(is_unparted)
    }

    /// Iterates over the words that are long enough to be specific, normalized.
    pub(super) fn long_words(&self) -> impl Iterator<Item = String> {
        let long = |word: &str| {
            let letters = normalize_name(word).chars().count();
            letters >= LETTERS_OF_A_WORD || (letters > 1 && word.chars().any(is_unparted))
        };
        self.text.split_whitespace().filter(move |word| long(word)).map(normalize_name)
    }
}

/// Words that neither begin nor end a value.
const SMALL: [&str; 60] = [
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "by", "did", "do", "does", "each", "find", "for", "from",
    "give", "had", "has", "have", "how", "in", "is", "it", "its", "list", "many", "me", "more", "most", "much", "of",
    "on", "or", "per", "show", "tell", "than", "that", "the", "their", "them", "there", "these", "they", "this",
    "those", "to", "was", "were", "what", "when", "where", "which", "who", "whose", "with", "all", "name",
];

/// Extracts the candidate phrases, longest first: quoted texts, and sequences of up to [`WORDS`] words.
pub(super) fn extract_phrases(question: &str) -> Vec<Phrase> {
    let words = word_ranges(question);
    let small = |word: &str| SMALL.contains(&word.to_lowercase().as_str());
    let capital = |index: usize| {
        let (from, to) = words[index];
        let word = &question[from..to];
        // The first word of a sentence is always capitalized.
        let opens = question[..from].trim_end().chars().next_back().is_none_or(|c| ".?!:".contains(c));
        let upper = word.chars().next().is_some_and(char::is_uppercase);
        upper && (!opens || word.chars().filter(|c| c.is_uppercase()).count() > 1)
    };
    let mut found = quoted_phrases(question);
    for length in (1..=WORDS.min(words.len())).rev() {
        for start in 0..=words.len() - length {
            let (first, last) = (start, start + length - 1);
            let (from, to) = (words[first].0, words[last].1);
            let text = &question[from..to];
            let inner = |at: usize| &question[words[at].0..words[at].1];
            let short = normalize_name(text).chars().count() < 3 && !is_upper(text);
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
    for (from, to) in unspaced_ranges(question, &words) {
        let text = question[from..to].to_owned();
        if !found.iter().any(|known| known.text == text) {
            found.push(Phrase { text, from, to, is_name: false, beside: Vec::new() });
        }
    }
    found.truncate(PHRASES);
    found
}

/// Returns byte ranges that may be words in a script without spaces between words, longest first within each sequence of letters.
fn unspaced_ranges(text: &str, words: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    for &(from, to) in words.iter().filter(|&&(from, to)| text[from..to].chars().any(is_unparted)) {
        let ends: Vec<usize> = text[from..to].char_indices().map(|(at, _)| from + at).chain([to]).collect();
        for length in (2..=LETTERS.min(ends.len() - 1)).rev() {
            runs.extend(ends.windows(length + 1).map(|run| (run[0], run[length])));
        }
    }
    runs
}

/// Extracts all candidate phrases, longest first: quoted texts, which are the only names here, and sequences of up to [`WORDS`] words.
/// Small words are not excluded, because they differ between languages. In scripts without spaces between words, sequences of up to
/// [`LETTERS`] letters.
pub(super) fn every_phrase(text: &str) -> Vec<Phrase> {
    let words = word_ranges(text);
    let mut found = quoted_phrases(text);
    let mut add = |from: usize, to: usize| {
        let phrase = &text[from..to];
        // Capital letters before a bracket are a function of a formula: MIN(price).
        if is_upper(phrase) && text[to..].starts_with('(') {
            return;
        }
        let known = |p: &Phrase| p.text == phrase;
        // Ends of sentences and quotations, and operators of formulas.
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
            let letters = normalize_name(&text[from..to]);
            let says =
                letters.chars().count() >= 3 || (letters.chars().count() == 2 && letters.chars().all(is_syllable));
            if says || is_upper(&text[from..to]) {
                add(from, to);
            }
        }
    }
    for (from, to) in unspaced_ranges(text, &words) {
        add(from, to);
    }
    found
}

fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '%' | '-' | '/'))
}

/// Returns the byte ranges of words; an apostrophe or hyphen inside a word belongs to it, a possessive ending does not.
fn word_ranges(text: &str) -> Vec<(usize, usize)> {
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

/// Returns the texts in quotation marks.
fn quoted_phrases(question: &str) -> Vec<Phrase> {
    let mut found = Vec::new();
    for (open, close) in [('"', '"'), ('“', '”'), ('‘', '’'), ('\'', '\'')] {
        let mut rest = 0;
        while let Some(start) = question[rest..].find(open).map(|at| rest + at) {
            // An apostrophe inside a word does not open a quotation.
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

/// Returns true if a letter belongs to a script without spaces between words: Chinese, Japanese, Thai, Lao, Khmer.
fn is_unparted(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// Returns true if a letter is a syllable or more: letters of scripts without spaces between words, and of Korean.
pub(super) fn is_syllable(c: char) -> bool {
    is_unparted(c) || matches!(c, '\u{ac00}'..='\u{d7a3}')
}

/// Returns true if a text is an abbreviation: capital letters and periods only.
pub(super) fn is_upper(text: &str) -> bool {
    text.chars().all(|c| c.is_uppercase() || c == '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_phrases(question: &str) -> Vec<String> {
        extract_phrases(question).into_iter().filter(|p| p.is_name).map(|p| p.text).collect()
    }

    #[test]
    fn names_and_quoted_text_are_taken_whole() {
        assert_eq!(name_phrases("How many customers live in the United States?")[0], "United States");
        assert_eq!(name_phrases("What is the id of the song 'Hey Oh'?")[0], "Hey Oh");
        assert_eq!(
            name_phrases("Which cars does O'Neil's shop sell in Bank of England Road?")[0],
            "Bank of England Road"
        );
        assert!(name_phrases("Which singers are old?").is_empty(), "the first word of a sentence is no name");
        assert!(name_phrases("What do people in the USA earn?").contains(&"USA".to_owned()));
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
        assert_eq!(extract_phrases("How many are there in 2014?"), []);
        let all: Vec<String> = extract_phrases("List the dog owners").into_iter().map(|p| p.text).collect();
        assert_eq!(all, ["dog owners", "dog", "owners"]);
    }

    #[test]
    fn words_are_looked_for_where_a_script_does_not_part_them() {
        let texts = |text: &str| extract_phrases(text).into_iter().map(|p| p.text).collect::<Vec<_>>();
        assert!(texts("东京有多少客户").contains(&"东京".to_owned()));
        assert!(texts("顧客は東京に何人いますか").contains(&"東京".to_owned()));
        assert_eq!(texts("dogs in Wien").iter().filter(|text| text.contains("og")).count(), 2, "dogs in Wien, dogs");
    }
}
