//! Finds values of one column that probably have the same meaning: `USA`, `US`, `U.S.` and `United States`.
//!
//! The evidence is in the column: letters that only differ in case, spacing, punctuation and accents; codes and names
//! of the same country; initials and abbreviations that match only one other value; a plural of another value; a
//! misspelling in a long word that is much rarer than the correct spelling; the same code in a second column. Values
//! are grouped into blocks by such keys and compared within the blocks.

mod abbreviated;
mod key;
mod letter_case;
mod named;
mod short;
#[cfg(test)]
mod tests;
mod typo;

use key::{Accents, join_words, split_words, value_key};
use letter_case::{CASED, ignores_case};
use named::Named;
use std::collections::HashMap;
use std::hash::Hash;
use typo::Slip;

/// Minimum ratio of the frequencies of the correct spelling and a misspelling.
const FAR_MORE: u64 = 5;
/// Minimum number of codes in a column that identify its values.
const CODES: usize = 4;
/// Minimum length of a singular, in letters.
const SINGULAR: usize = 4;

/// A value of a category column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryValue {
    /// The value as stored in the database.
    pub text: String,
    /// Number of rows with the value, if counted.
    pub rows: Option<u64>,
    /// The code that all of these rows have in a second column, if such a column exists.
    pub code: Option<String>,
}

/// A column whose values are compared.
#[derive(Debug, Clone, Copy)]
pub struct CategoryColumn<'a> {
    /// Name of the column, as in the catalog.
    pub name: &'a str,
    /// True if its values name persons: Maria and Marie are different.
    pub is_personal: bool,
}

/// Returns groups of values that probably have the same meaning, each with the most frequent value first. Misspellings
/// are detected by frequency. For uncounted values, `assume_rare` determines if one may be a misspelling of another.
pub fn same_values(column: CategoryColumn<'_>, values: &[CategoryValue], assume_rare: bool) -> Vec<Vec<CategoryValue>> {
    let texts: Vec<&str> = values.iter().map(|value| value.text.as_str()).collect();
    let mut same = Groups::new(values.len());
    let plain: Vec<String> = texts.iter().map(|text| value_key(text, Accents::Kept)).collect();
    let ignores_case = ignores_case(column.name, &texts, &plain);
    // Values without letters are compared unchanged, and short values are compared with their case.
    let is_empty = |key: &str| !key.chars().any(char::is_alphanumeric);
    let told_apart = |at: usize| is_empty(&plain[at]) || plain[at].chars().count() <= CASED && !ignores_case;
    same.join_by_key(plain.iter().enumerate().map(|(at, key)| match (is_empty(key), told_apart(at)) {
        (true, _) => (true, texts[at].to_owned()),
        (_, true) => (true, texts[at].chars().filter(|c| *c != '.' && !c.is_whitespace()).collect()),
        _ => (false, key.clone()),
    }));
    if column.is_personal {
        return Groups::as_values(same.group_members(), values);
    }
    let split: Vec<Vec<String>> = texts.iter().map(|text| split_words(text, Accents::Dropped)).collect();
    let dropped: Vec<String> = split.iter().map(|words| join_words(words)).collect();
    let written_out: Vec<String> = texts.iter().map(|text| value_key(text, Accents::WrittenOut)).collect();
    let keys: Vec<[&str; 2]> = dropped.iter().zip(&written_out).map(|(a, b)| [a.as_str(), b.as_str()]).collect();
    let named = Named::from_column(column.name, &texts, &keys);
    for things in &named.sets {
        same.join_some(things.iter().copied());
    }
    let is_known = |at: usize| named.sets.iter().any(|things| things[at].is_some());
    #[allow(clippy::needless_range_loop, reason = "a side is a place in every pair of keys")]
    for side in 0..2 {
        same.join_some((0..values.len()).map(|at| (!told_apart(at) || is_known(at)).then(|| keys[at][side])));
    }
    // Both treatments of accents produce one key: Muenchen is München.
    let crossed = keys.iter().enumerate().flat_map(|(at, [a, b])| [(*a, at), (*b, at)]);
    same.join_pairs(crossed.filter(|(_, at)| !told_apart(*at)));
    same.join_pairs(abbreviated::written_out(&texts, &split).iter().map(|(key, at)| (key.as_str(), *at)));
    same.join_pairs(plural_keys(&split).iter().map(|(key, at)| (key.as_str(), *at)));
    let codes: Vec<Option<&str>> = values.iter().map(|value| value.code.as_deref()).collect();
    let differ =
        |a: usize, b: usize| named.are_different(a, b) || matches!((codes[a], codes[b]), (Some(a), Some(b)) if a != b);
    let is_rare = |a: usize, b: usize| match (values[a].rows, values[b].rows) {
        (Some(a), Some(b)) => a.max(b) >= FAR_MORE * a.min(b).max(1),
        _ => assume_rare,
    };
    for (a, b, slip) in typo::find_slips(&split) {
        if !differ(a, b) && (slip == Slip::Certain || is_rare(a, b)) {
            same.join_pair(a, b);
        }
    }
    // A code abbreviates a word and its misspelling.
    let short = short::short_forms(&texts, &split, |at| same.root_of(at));
    let words_cut = abbreviated::cut_words(&texts, |at| same.root_of(at));
    for (code, long) in short.into_iter().chain(words_cut).filter(|(code, long)| !named.are_different(*code, *long)) {
        same.join_pair(code, long);
    }
    if are_codes_identifying(&codes, |at| same.root_of(at)) {
        same.join_some(codes.iter().enumerate().map(|(at, code)| (*code).filter(|_| !told_apart(at))));
    }
    let mut groups = same.group_members();
    groups.retain(|group| group.iter().all(|&a| group.iter().all(|&b| !named.are_different(a, b))));
    Groups::as_values(groups, values)
}

/// Returns true if codes identify values rather than categories: most codes belong to a single value.
fn are_codes_identifying(codes: &[Option<&str>], thing_of: impl Fn(usize) -> usize) -> bool {
    let mut things: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, code) in codes.iter().enumerate() {
        let Some(code) = code else { continue };
        let known = things.entry(code).or_default();
        if !known.contains(&thing_of(at)) {
            known.push(thing_of(at));
        }
    }
    let single = things.values().filter(|things| things.len() == 1).count();
    things.len() >= CODES && single * 4 >= things.len() * 3 && things.values().all(|things| things.len() <= 3)
}

/// Returns keys that are the same for a plural and its singular.
fn plural_keys(split: &[Vec<String>]) -> Vec<(String, usize)> {
    let mut keys = Vec::new();
    for (at, words) in split.iter().enumerate() {
        let of_letters = |(last, _): &(&String, &[String])| last.chars().all(char::is_alphabetic);
        let Some((last, before)) = words.split_last().filter(of_letters) else { continue };
        let before = join_words(before);
        let singular = vitrine_sql::singular_name(last);
        let (short, long) = (singular.chars().count(), last.chars().count());
        // "Boxes" is clearer than "news".
        if singular != *last && (short >= SINGULAR || short + 2 <= long) {
            keys.push((format!("{before} {singular}"), at));
        }
        if long > CASED {
            keys.push((format!("{before} {last}"), at));
        }
    }
    keys
}

/// Groups of values, each identified by its first member.
struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    fn new(count: usize) -> Self {
        Self { parent: (0..count).collect() }
    }

    fn root_of(&self, mut at: usize) -> usize {
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    fn join_pair(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root_of(a), self.root_of(b));
        self.parent[a.max(b)] = a.min(b);
    }

    /// Unites values with the same key.
    fn join_by_key<K: Hash + Eq>(&mut self, keys: impl Iterator<Item = K>) {
        self.join_some(keys.map(Some));
    }

    fn join_some<K: Hash + Eq>(&mut self, keys: impl Iterator<Item = Option<K>>) {
        self.join_pairs(keys.enumerate().filter_map(|(at, key)| Some((key?, at))));
    }

    fn join_pairs<K: Hash + Eq>(&mut self, pairs: impl Iterator<Item = (K, usize)>) {
        let mut first: HashMap<K, usize> = HashMap::new();
        for (key, at) in pairs {
            let other = *first.entry(key).or_insert(at);
            self.join_pair(other, at);
        }
    }

    fn group_members(&self) -> Vec<Vec<usize>> {
        let mut members: HashMap<usize, Vec<usize>> = HashMap::new();
        (0..self.parent.len()).for_each(|at| members.entry(self.root_of(at)).or_default().push(at));
        let mut groups: Vec<Vec<usize>> = members.into_values().filter(|group| group.len() > 1).collect();
        groups.sort_unstable();
        groups
    }

    fn as_values(groups: Vec<Vec<usize>>, values: &[CategoryValue]) -> Vec<Vec<CategoryValue>> {
        let group = |members: Vec<usize>| {
            let mut group: Vec<CategoryValue> = members.into_iter().map(|at| values[at].clone()).collect();
            // Among equally frequent values, the longest is the most informative.
            group.sort_by(|a, b| {
                let by = |value: &CategoryValue| (value.rows.unwrap_or(0), value.text.chars().count());
                by(b).cmp(&by(a)).then_with(|| a.text.cmp(&b.text))
            });
            group
        };
        groups.into_iter().map(group).collect()
    }
}
