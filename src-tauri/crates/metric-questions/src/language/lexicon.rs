//! The parts of a language's word lists.

use crate::words::{Word, are_joined};
use vitrine_metrics::Grain;

/// The meaning of a phrase that belongs to the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Article, preposition, polite word or light verb.
    Filler,
    /// Introduces a question: "which", "what".
    Which,
    /// Requests a list or a number: "show".
    Show,
    /// Requests a number of things: "how many".
    Count,
    /// Requests an amount: "how much".
    Amount,
    /// The whole of a sum: "total".
    Total,
    /// Joins the elements of a list.
    And,
    /// Precedes a group: "by", "per".
    Group,
    /// Makes a group of its noun: "each".
    Each,
    /// The noun of a period; `plural` for several.
    Grain {
        /// The period.
        grain: Grain,
        /// True for the plural.
        plural: bool,
    },
    /// Groups by a period: "monthly".
    Adverb(Grain),
    /// Ranks groups.
    Rank(Rank),
    /// Adds shares of the total.
    Share,
    /// Adds running totals.
    Running,
    /// Adds the value of the year before.
    PreviousYear,
    /// Adds the value of the period before, which must be of this grain.
    PreviousPeriod(Grain),
}

/// A word that ranks groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rank {
    /// Precedes the groups: "top 5 stores". True for the highest first.
    Groups(bool),
    /// Judges the groups: "the 5 best stores".
    Best,
    /// Precedes or follows the metric: "the highest revenue". True for the highest first.
    Metric(bool),
    /// Precedes a metric that counts, or a mass: "the most orders". True for the highest first.
    Many(bool),
}

/// A period relative to today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relative {
    /// The period that contains today, moved by a number of periods.
    Whole(Grain, i32),
    /// From the first day of the period that contains today up to today.
    ToDate(Grain),
}

/// The words of times in a language.
pub(crate) struct TimeWords {
    /// Letters before the number of a quarter: `Q1`.
    pub quarter_letters: &'static [&'static str],
    /// Letters before the number of half a year: `H1`.
    pub half_letters: &'static [&'static str],
    /// Nouns of half a year.
    pub halves: &'static [&'static str],
    /// Words for first to fourth.
    pub ordinals: [&'static [&'static str]; 4],
    /// Endings of ordinal numbers in digits.
    pub ordinal_endings: &'static [&'static str],
    /// Nouns before a year: "the year 2024".
    pub year_nouns: &'static [&'static str],
    /// Words between a period and its year.
    pub of: &'static [&'static str],
    /// Words before the first period of a range.
    pub from: &'static [&'static str],
    /// Words before the last period of a range that begins with `from`.
    pub to: &'static [&'static str],
    /// Words before the only period of a question that may end a range.
    pub until: &'static [&'static str],
    /// Words before a day that may ask for the state on it.
    pub at_day: &'static [&'static str],
    /// Words before two periods that are joined by `and`.
    pub between: &'static [&'static str],
    /// Words between these periods.
    pub and: &'static [&'static str],
    /// Words before a period with which a range begins.
    pub since: &'static [&'static str],
    /// Words before a period after which a range begins.
    pub after: &'static [&'static str],
    /// Words before a period before which a range ends.
    pub before: &'static [&'static str],
    /// Periods relative to today.
    pub relative: &'static [(&'static str, Relative)],
    /// Words of the preceding periods: "last 30 days".
    pub last: &'static [&'static str],
    /// True if dates in digits begin with the day.
    pub day_first: bool,
}

/// A language in which questions are understood.
pub(crate) struct Language {
    /// The language in the lists of other crates.
    pub id: vitrine_domain::Language,
    /// Phrases with their meanings; the longest match counts.
    pub signs: &'static [(Sign, &'static [&'static str])],
    /// Words of times.
    pub times: &'static TimeWords,
    /// Verbs in the plural, after which a question asks for several groups.
    pub plural_verbs: &'static [&'static str],
    /// How to recognize a noun in the singular.
    pub singular: Singular,
}

/// The signs of a noun in the singular.
pub(crate) struct Singular {
    /// True if the form of nouns does not tell their number, so that a word beside the noun must.
    pub is_hidden: bool,
    /// Nouns of periods with the same form in the plural.
    pub alike: &'static [&'static str],
    /// Articles and interrogatives that precede only a singular.
    pub leads: &'static [&'static str],
    /// Verbs in the singular.
    pub verbs: &'static [&'static str],
}

impl Language {
    /// Returns the phrases that begin at a word, with the number of their words.
    pub fn signs_at(&self, words: &[Word], at: usize) -> Vec<(usize, Sign)> {
        let mut found: Vec<(usize, Sign)> = Vec::new();
        for (sign, phrases) in self.signs {
            let longest = phrases.iter().filter_map(|phrase| match_phrase(words, at, phrase)).max();
            found.extend(longest.map(|length| (length, *sign)));
        }
        found
    }

    /// Returns the period of a noun, if the word is one: "days".
    pub fn grain_of(&self, word: &str) -> Option<Grain> {
        self.signs.iter().find_map(|(sign, phrases)| match sign {
            Sign::Grain { grain, .. } if phrases.contains(&word) => Some(*grain),
            _ => None,
        })
    }

    /// Returns true if the words contain a verb in the singular.
    pub fn has_singular_verb(&self, words: &[Word]) -> bool {
        words.iter().any(|word| self.singular.verbs.contains(&word.folded.as_str()))
    }

    /// Returns true if the words contain a verb in the plural.
    pub fn has_plural_verb(&self, words: &[Word]) -> bool {
        words.iter().any(|word| self.plural_verbs.contains(&word.folded.as_str()))
    }
}

/// Returns the number of words of a phrase if it begins at a word.
pub(crate) fn match_phrase(words: &[Word], at: usize, phrase: &str) -> Option<usize> {
    let mut length = 0;
    for part in phrase.split(' ') {
        let word = words.get(at + length)?;
        if word.folded != part || (length > 0 && !are_joined(word)) {
            return None;
        }
        length += 1;
    }
    Some(length)
}

/// Returns the end of the longest of these phrases that begins at a word.
pub(crate) fn match_any(words: &[Word], at: usize, phrases: &[&str]) -> Option<usize> {
    phrases.iter().filter_map(|phrase| match_phrase(words, at, phrase)).max().map(|length| at + length)
}
