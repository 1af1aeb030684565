//! Words within values that have two spellings: St. and Street, Ltd and Limited, gray and grey.

use super::key::{Accents, join_words, value_key};
use super::letter_case::CASED;
use super::short::{DOTTED, dotted_word, is_shortened, is_written_out};
use std::collections::HashMap;
use std::sync::LazyLock;

static ABBREVIATIONS: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| parse_word_table(include_str!("abbreviations.txt")));
static SPELLINGS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| parse_word_table(include_str!("spellings.txt")));

/// Parses lines of words with the same meaning into a map from each word to its line.
fn parse_word_table(table: &'static str) -> HashMap<&'static str, &'static str> {
    let lines = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.flat_map(|line| line.split('|').map(move |word| (word, line))).collect()
}

/// Returns a key for each value that is the same for other spellings of its words. `split` contains the words of the
/// values.
pub(super) fn written_out(values: &[&str], split: &[Vec<String>]) -> Vec<(String, usize)> {
    let keys = values.iter().zip(split).enumerate().map(|(at, (value, words))| {
        let mut words = words.clone();
        let lower = value.to_lowercase();
        let is_several = words.len() > 1;
        let known_words = words.iter().filter(|word| ABBREVIATIONS.contains_key(word.as_str())).count();
        let has_name = known_words < words.len();
        for word in &mut words {
            if let Some(spelt) = first_spelling(word) {
                *word = spelt;
            }
            // A letter is a direction before a dot or in an address: "N Main St", but not "S Class" nor "E Street".
            let is_letter = word.chars().count() == 1;
            let may_be_short =
                is_several && (!is_letter || known_words > 1 && has_name || lower.contains(&format!("{word}.")));
            if let Some(line) = ABBREVIATIONS.get(word.as_str()).filter(|_| may_be_short) {
                *word = (*line).to_owned();
            }
        }
        (join_words(&words), at)
    });
    keys.filter(|(key, _)| key.chars().count() > CASED).collect()
}

/// Returns the first spelling of a word, also for its plural.
fn first_spelling(word: &str) -> Option<String> {
    let first = |word: &str| SPELLINGS.get(word)?.split('|').next().map(str::to_owned);
    first(word).or_else(|| Some(format!("{}s", first(word.strip_suffix('s')?)?)))
}

/// Returns pairs of values that differ in one word that is abbreviated with a dot: Acme Intern. Trade. `thing_of`
/// returns the same number for values that are known to have the same meaning; an ambiguous abbreviation is not
/// matched.
pub(super) fn cut_words(values: &[&str], thing_of: impl Fn(usize) -> usize) -> Vec<(usize, usize)> {
    let split: Vec<Vec<&str>> = values.iter().map(|value| value.split_whitespace().collect()).collect();
    let cut: Vec<(usize, usize, String)> = split
        .iter()
        .enumerate()
        .filter(|(_, words)| words.len() > 1)
        .flat_map(|(at, words)| words.iter().enumerate().map(move |(place, word)| (at, place, word)))
        .filter_map(|(at, place, word)| Some((at, place, dotted_word(word)?)))
        .take(DOTTED)
        .collect();
    if cut.is_empty() {
        return Vec::new();
    }
    let keys: Vec<Vec<String>> =
        split.iter().map(|words| words.iter().map(|word| value_key(word, Accents::Dropped)).collect()).collect();
    let is_longer = |&(at, place, ref short): &(usize, usize, String), other: usize| {
        let (own, others) = (&keys[at], &keys[other]);
        own.len() == others.len()
            && is_shortened(short, &others[place])
            && is_written_out(split[other][place])
            && own.iter().zip(others).enumerate().all(|(word, (own, other))| word == place || own == other)
    };
    let long_of = |cut: &(usize, usize, String)| {
        let found: Vec<usize> = (0..values.len()).filter(|other| is_longer(cut, *other)).collect();
        let first = *found.first()?;
        found.iter().all(|&other| thing_of(other) == thing_of(first)).then_some((cut.0, first))
    };
    cut.iter().filter_map(long_of).collect()
}
