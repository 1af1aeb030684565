//! Abbreviations of longer values in the same column: initials, and prefixes of words.

use super::key::{Accents, value_key};

/// Length of a code in letters.
const CODE: std::ops::RangeInclusive<usize> = 2..=5;
/// Number of multi-word values above which a code of two, or three, letters may match initials by coincidence.
const CHANCE: [usize; 2] = [30, 1_000];
/// Minimum number of codes in a column that must be prefixes of other values before they are treated as abbreviations.
const SEVERAL: usize = 2;
/// Maximum number of examined words that end with a dot.
pub(super) const DOTTED: usize = 100;
/// Words that are omitted from initials.
const SMALL: [&str; 14] = ["of", "the", "and", "&", "for", "in", "on", "de", "la", "du", "des", "der", "die", "und"];
/// Codes for a missing value.
const MISSING: [&str; 4] = ["na", "nan", "nil", "tbd"];

/// Returns pairs of an abbreviation and the longer value. `split` contains the words of the values. `thing_of` returns
/// the same number for values that are known to have the same meaning; an ambiguous code is not matched.
pub(super) fn short_forms(
    values: &[&str],
    split: &[Vec<String>],
    thing_of: impl Fn(usize) -> usize,
) -> Vec<(usize, usize)> {
    let codes: Vec<(usize, String)> =
        values.iter().enumerate().filter_map(|(at, v)| Some((at, parse_code(v)?))).collect();
    let dotted: Vec<(usize, String)> =
        values.iter().enumerate().filter_map(|(at, v)| Some((at, dotted_word(v)?))).collect();
    if codes.is_empty() && dotted.is_empty() {
        return Vec::new();
    }
    let mut by_initials = std::collections::HashMap::<String, Vec<usize>>::new();
    for (at, words) in split.iter().enumerate().filter(|(_, words)| words.len() > 1) {
        for initials in word_initials(words) {
            by_initials.entry(initials).or_default().push(at);
        }
    }
    let only = |found: &[usize]| {
        let first = *found.first()?;
        found.iter().all(|&at| thing_of(at) == thing_of(first)).then_some(first)
    };
    let several_words = split.iter().filter(|words| words.len() > 1).count();
    let spelt_out: Vec<(usize, usize, usize)> = codes
        .iter()
        .filter_map(|(at, code)| Some((*at, only(by_initials.get(code)?)?, code.chars().count(), code)))
        // "CD digipak" is a kind of CD.
        .filter(|(_, long, _, code)| !split[*long].contains(code))
        .map(|(at, long, letters, _)| (at, long, letters))
        .collect();
    let is_no_chance = |letters: usize| {
        let most = letters.checked_sub(2).and_then(|at| CHANCE.get(at)).copied().unwrap_or(usize::MAX);
        spelt_out.len() >= SEVERAL && several_words <= most.saturating_mul(SEVERAL) || several_words <= most
    };
    let mut pairs: Vec<(usize, usize)> =
        spelt_out.iter().filter(|(_, _, letters)| is_no_chance(*letters)).map(|(at, long, _)| (*at, *long)).collect();
    // Values with the same prefix are adjacent after sorting by their keys.
    let mut sorted: Vec<(String, usize)> = split
        .iter()
        .enumerate()
        .filter(|(_, words)| words.len() == 1 && words[0].chars().all(char::is_alphabetic))
        .map(|(at, words)| (words[0].clone(), at))
        .collect();
    sorted.sort_unstable();
    let begun = |code: &str| -> Vec<usize> {
        let from = sorted.partition_point(|(key, _)| key.as_str() < code);
        let long = sorted[from..].iter().take_while(|(key, _)| key.starts_with(code));
        long.filter(|(key, at)| key.chars().count() > code.chars().count() + 1 && is_written_out(values[*at]))
            .map(|(_, at)| *at)
            .collect()
    };
    let shortened = |short: &str| -> Vec<usize> {
        let first: String = short.chars().take(1).collect();
        begun(&first).into_iter().filter(|&at| is_shortened(short, &split[at][0])).collect()
    };
    pairs.extend(dotted.iter().take(DOTTED).filter_map(|(at, short)| Some((*at, only(&shortened(short))?))));
    let systematic: Vec<(usize, usize)> =
        codes.iter().filter_map(|(at, code)| Some((*at, only(&begun(code))?))).collect();
    if systematic.len() >= SEVERAL && systematic.len() * 2 >= codes.len() {
        pairs.extend(systematic);
    }
    pairs
}

/// Returns an upper-case code, also with dots, in lower case.
fn parse_code(value: &str) -> Option<String> {
    let letters: String = value.trim().chars().filter(|c| !matches!(c, '.' | ' ' | '&')).collect();
    let is_code = CODE.contains(&letters.chars().count())
        && letters.chars().all(|c| c.is_alphabetic() && !c.is_lowercase())
        && value
            .split_whitespace()
            .all(|part| part.chars().filter(|c| c.is_alphabetic()).count() < 2 || part == value.trim());
    let code = value_key(&letters, Accents::Dropped);
    (is_code && !MISSING.contains(&code.as_str())).then_some(code)
}

/// Returns true if a word is abbreviated to its prefix, or to some of its letters and the last one: `Corp`, `Dept`.
pub(super) fn is_shortened(short: &str, long: &str) -> bool {
    let mut letters = long.chars();
    let is_part = short.chars().all(|c| letters.any(|own| own == c));
    let is_longer = long.chars().count() > short.chars().count() + 1;
    is_longer && (long.starts_with(short) || is_part && short.chars().last() == long.chars().last())
}

/// Returns a word that ends with a dot: `Dept.`
pub(super) fn dotted_word(value: &str) -> Option<String> {
    let start = value.trim().strip_suffix('.')?;
    let is_word = start.chars().count() > 2 && start.chars().all(char::is_alphabetic);
    is_word.then(|| value_key(start, Accents::Dropped))
}

pub(super) fn is_written_out(value: &str) -> bool {
    value.chars().any(char::is_lowercase)
}

/// Returns the first letters of all words, and of all but small words.
fn word_initials(words: &[String]) -> Vec<String> {
    let first = |words: &mut dyn Iterator<Item = &String>| -> String {
        words.filter_map(|word| word.chars().next()).filter(|c| c.is_alphabetic()).collect()
    };
    let all = first(&mut words.iter());
    let main = first(&mut words.iter().filter(|word| !SMALL.contains(&word.as_str())));
    let mut found = vec![all];
    if main.chars().count() > 1 && !found.contains(&main) {
        found.push(main);
    }
    found
}
