//! Reduces a question to the words that decide what it asks.

use crate::language::Language;
use crate::words::{Letters, Word};
use vitrine_sql::singular_name;

/// Mark of a period.
pub(crate) const PERIOD: &str = "#period";
/// Mark of a number.
pub(crate) const NUMBER: &str = "#number";
const COUNT: &str = "#count";
const EACH: &str = "#each";

/// Returns the only language of two questions: `Some(None)` if it is unknown, `None` if they differ.
pub(crate) fn common_language(one: &[Word], other: &[Word]) -> Option<Option<&'static Language>> {
    let detect = |words: &[Word]| {
        let small = words.iter().enumerate().filter(|(at, word)| may_be_small(word, *at == 0));
        Language::detect(&small.map(|(_, word)| word.text.as_str()).collect::<Vec<_>>())
    };
    match (detect(one), detect(other)) {
        (Some(one), Some(other)) if !one.is(other) => None,
        (one, other) => Some(one.or(other)),
    }
}

/// Removes words without a meaning of their own, and unifies words that count or group. Without a known language, all
/// words remain.
pub(crate) fn keep_meaning(words: &[Word], language: Option<&Language>) -> Vec<Word> {
    let Some(language) = language else {
        return words.iter().map(to_singular).collect();
    };
    let periods = words.iter().filter(|word| word.text == PERIOD).count();
    let mut reader = Reader { words, language, periods, kept: Vec::new(), is_opening: true };
    let end = words.len() - reader.polite_length();
    let mut at = 0;
    while at < end {
        at += reader.read(at);
    }
    reader.kept
}

/// Returns true unless the word is written like a name or code. The first word of a question has a capital anyway.
fn may_be_small(word: &Word, is_first: bool) -> bool {
    word.letters == Letters::Lower || is_first && word.letters == Letters::Title
}

/// Returns a word in the singular; signs and marks stay unchanged.
fn to_singular(word: &Word) -> Word {
    if word.text.starts_with(char::is_alphabetic) { word.with_text(&singular_name(&word.text)) } else { word.clone() }
}

struct Reader<'a> {
    words: &'a [Word],
    language: &'a Language,
    periods: usize,
    kept: Vec<Word>,
    /// True until the first word with a meaning.
    is_opening: bool,
}

impl Reader<'_> {
    /// Reads the word or phrase at an index and returns its length.
    fn read(&mut self, at: usize) -> usize {
        let Some(word) = self.words.get(at) else { return 1 };
        if word.is_mark() {
            self.is_opening &= word.text == PERIOD;
            self.kept.push(word.clone());
            return 1;
        }
        if let Some(length) = self.filler_length(at) {
            return length;
        }
        if let Some(length) = self.count_length(at) {
            self.keep(word.with_text(COUNT));
            return length;
        }
        if let Some(length) = self.each_length(at) {
            if self.kept.last().is_none_or(|last| last.text != EACH) {
                self.keep(word.with_text(EACH));
            }
            return length;
        }
        self.keep(to_singular(word));
        1
    }

    fn keep(&mut self, word: Word) {
        self.is_opening = false;
        self.kept.push(word);
    }

    /// Returns the length of the longest of these phrases that begins at an index.
    fn phrase_length(&self, at: usize, phrases: &[&str]) -> Option<usize> {
        let fits = |offset: usize, part: &str| {
            self.words.get(at + offset).is_some_and(|word| {
                // "Zeigen Sie" has a capital in a known place.
                let is_small = may_be_small(word, at + offset == 0) || word.letters == Letters::Title && part == "sie";
                is_small && word.text == part
            })
        };
        phrases
            .iter()
            .filter(|phrase| phrase.split(' ').enumerate().all(|(offset, part)| fits(offset, part)))
            .map(|phrase| phrase.split(' ').count())
            .max()
    }

    fn is_at(&self, at: usize, list: &[&str]) -> bool {
        self.phrase_length(at, list).is_some()
    }

    fn is_period(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.text == PERIOD)
    }

    fn polite_length(&self) -> usize {
        let length = |phrase: &&&str| {
            let length = phrase.split(' ').count();
            let start = self.words.len().checked_sub(length).filter(|start| *start > 0)?;
            self.phrase_length(start, &[**phrase])
        };
        self.language.polite.iter().filter_map(|phrase| length(&phrase)).max().unwrap_or(0)
    }

    fn filler_length(&self, at: usize) -> Option<usize> {
        let language = self.language;
        // With two periods, their prepositions may distinguish them.
        if self.periods == 1 && self.is_period(at + 1) && self.is_at(at, language.before_period) {
            return Some(1);
        }
        if self.is_opening {
            let is_all = |at: usize| self.is_at(at, language.articles) || self.is_at(at, &["all"]);
            if self.is_at(at, language.asking_before_article) && is_all(at + 1) {
                return Some(1);
            }
            if let Some(length) = self.phrase_length(at, language.asking) {
                return Some(length);
            }
        }
        if self.is_at(at, language.articles) {
            return Some(1);
        }
        if at == 0 {
            return None;
        }
        if let Some(length) = self.phrase_length(at, language.present) {
            return Some(length);
        }
        if self.periods == 1
            && let Some(length) = self.phrase_length(at, language.past)
            && (length > 1
                || self.is_period(at + 1)
                || self.is_period(at + 2) && self.is_at(at + 1, language.before_period))
        {
            return Some(length);
        }
        let is_verb = self.is_at(at, &["is", "are", "ist", "sind", "sont", "están"]);
        (is_verb && self.is_at(at + 1, language.places)).then_some(1)
    }

    fn count_length(&self, at: usize) -> Option<usize> {
        // "Anzahl" has a capital like every German noun.
        let is_noun = self.words.get(at).is_some_and(|word| word.letters == Letters::Title && word.text == "anzahl");
        let counted = self.phrase_length(at, self.language.counts).or(is_noun.then_some(1));
        if let Some(length) = counted {
            return Some(length + usize::from(self.is_at(at + length, self.language.after_count)));
        }
        // "The order number of customers" does not ask for a count.
        let is_counted =
            self.is_opening && self.is_at(at, self.language.counts_of) && self.is_at(at + 1, self.language.after_count);
        is_counted.then_some(2)
    }

    fn each_length(&self, at: usize) -> Option<usize> {
        if self.is_at(at, self.language.members) {
            return Some(1);
        }
        if self.is_at(at, self.language.before_member) && self.is_at(at + 1, self.language.members) {
            return Some(2);
        }
        if !self.is_at(at, self.language.groups) {
            return None;
        }
        // "Placed by customers", "by 2024" and "nach Rom" do not group.
        let next =
            self.words.get(at + 1).filter(|next| !next.is_mark() && next.text.starts_with(char::is_alphabetic))?;
        let is_agent = self.is_at(at, &["by", "par", "por"])
            && (singular_name(&next.text) != next.text
                || self.kept.last().is_some_and(|last| is_participle(&last.text)));
        (!is_agent).then_some(1)
    }
}

/// Returns true for words that an agent may follow, in English, French and Spanish.
fn is_participle(word: &str) -> bool {
    const IRREGULAR: [&str; 14] = [
        "sold", "made", "bought", "paid", "spent", "given", "sent", "written", "done", "held", "taken", "won", "run",
        "led",
    ];
    IRREGULAR.contains(&word)
        || ["ed", "é", "ée", "és", "ées", "ado", "ada", "ido", "ida"].iter().any(|ending| word.ends_with(ending))
}
