//! Entities ("things") with codes and names: countries, states of the US and Canada, cities, months, weekdays, sexes,
//! Boolean values.

use super::key::{Accents, says_nothing, value_key};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Minimum number of codes that identify the set of a column without names.
const CODES: usize = 6;

/// A set of things with their codes and names.
pub(super) struct NamedSet {
    /// The thing for the key of one of its spellings, and true if the spelling is a name.
    things: HashMap<String, (usize, bool)>,
    kind: SetKind,
}

/// Criteria for columns that contain things of a set.
#[derive(Debug, Clone, Copy)]
struct SetKind {
    /// Words of column names that refer to such things, in English, German and French.
    columns: &'static [&'static str],
    /// Minimum share of a column's values that must belong to the set.
    share: f64,
    /// Minimum share if the column's name refers to the things.
    spoken_share: f64,
    /// Minimum length of a name, in letters.
    name_letters: usize,
    /// True if codes may also be in lower case or digits, and are ambiguous without a name.
    has_small_codes: bool,
}

impl Default for SetKind {
    fn default() -> Self {
        Self { columns: &[], share: 0.8, spoken_share: 0.5, name_letters: 4, has_small_codes: false }
    }
}

const COUNTRY: &[&str] =
    &["country", "countries", "nation", "nationality", "land", "länder", "staat", "herkunftsland", "pays"];
const CITY: &[&str] = &[
    "city",
    "cities",
    "town",
    "place",
    "birthplace",
    "location",
    "destination",
    "origin",
    "capital",
    "stadt",
    "ort",
    "wohnort",
    "geburtsort",
    "standort",
    "ville",
    "lieu",
    "commune",
    "capitale",
];

static SETS: LazyLock<[NamedSet; 7]> = LazyLock::new(|| {
    let kind = |columns: &'static [&'static str]| SetKind { columns, ..SetKind::default() };
    [
        NamedSet::parse_table(include_str!("countries.txt"), kind(COUNTRY)),
        NamedSet::parse_table(
            include_str!("regions.txt"),
            kind(&["state", "province", "region", "bundesstaat", "état"]),
        ),
        NamedSet::parse_table(include_str!("months.txt"), kind(&["month", "monat", "mois"])),
        NamedSet::parse_table(include_str!("weekdays.txt"), kind(&["weekday", "day", "wochentag", "tag", "jour"])),
        // Most cities have one name, so few values of a column are duplicates.
        NamedSet::parse_table(include_str!("cities.txt"), SetKind { share: 0.5, spoken_share: 0.0, ..kind(CITY) }),
        NamedSet::parse_table(
            include_str!("sexes.txt"),
            SetKind {
                name_letters: 3,
                has_small_codes: true,
                ..kind(&["sex", "gender", "geschlecht", "sexe", "genre"])
            },
        ),
        NamedSet::parse_table(
            include_str!("truths.txt"),
            SetKind { share: 1.0, name_letters: 2, has_small_codes: true, ..SetKind::default() },
        ),
    ]
});

impl NamedSet {
    fn parse_table(table: &str, kind: SetKind) -> Self {
        let mut things = HashMap::new();
        let lines = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        for (thing, line) in lines.enumerate() {
            for writing in line.split('|') {
                for accents in [Accents::Dropped, Accents::WrittenOut] {
                    let key = value_key(writing, accents);
                    let is_name = key.chars().count() >= kind.name_letters;
                    // A code is never another thing's name.
                    things.entry(key).or_insert((thing, is_name));
                }
            }
        }
        Self { things, kind }
    }

    /// Returns the thing that a value refers to, and true if the value is its name.
    pub(super) fn find_thing(&self, keys: [&str; 2]) -> Option<(usize, bool)> {
        keys.iter().find_map(|key| self.things.get(*key)).copied()
    }

    /// Returns true if the name of a column refers to such things, also as the end of a compound: Geburtsland.
    fn is_spoken_of(&self, column: &str) -> bool {
        let speaks = |word: &String, of: &&str| word == of || of.chars().count() > 3 && word.ends_with(of);
        vitrine_sql::name_words(column).iter().any(|word| self.kind.columns.iter().any(|of| speaks(word, of)))
    }

    /// Returns true if a column contains such things, given the thing of each value and the number of meaningful
    /// values.
    fn fits_column(&self, is_spoken_of: bool, things: &[Option<(usize, bool)>], telling: usize) -> bool {
        let known = things.iter().flatten().count();
        let has_name = things.iter().flatten().any(|(_, is_name)| *is_name);
        let share = if is_spoken_of { self.kind.spoken_share } else { self.kind.share };
        let is_clear = has_name || is_spoken_of || known >= CODES && !self.kind.has_small_codes;
        known > 1 && known as f64 >= share * telling as f64 && is_clear
    }
}

/// The things that the values of a column refer to.
pub(super) struct Named {
    /// For each set that the column belongs to, the thing of each value.
    pub(super) sets: Vec<Vec<Option<usize>>>,
    /// For each set, the thing whose full name the value is, independent of the column.
    full: Vec<Vec<Option<usize>>>,
}

impl Named {
    /// Looks up the values of a column by their keys with accents removed and expanded.
    pub(super) fn from_column(column: &str, texts: &[&str], keys: &[[&str; 2]]) -> Self {
        let mut named = Self { sets: Vec::new(), full: Vec::new() };
        for set in SETS.iter() {
            let is_spoken_of = set.is_spoken_of(column);
            // A lower-case code is a word, such as "in", unless the column indicates otherwise.
            let is_any = is_spoken_of || set.kind.has_small_codes;
            let is_written = |text: &str| is_any || text.chars().any(char::is_uppercase);
            let thing = |(text, keys): (&&str, &[&str; 2])| {
                set.find_thing(*keys).filter(|(_, is_name)| *is_name || is_written(text))
            };
            let things: Vec<Option<(usize, bool)>> = texts.iter().zip(keys).map(thing).collect();
            let says = |(thing, keys): &(&Option<(usize, bool)>, &[&str; 2])| thing.is_some() || !says_nothing(keys[0]);
            let telling = things.iter().zip(keys).filter(says).count();
            if set.fits_column(is_spoken_of, &things, telling) {
                named.sets.push(things.iter().map(|thing| thing.map(|(thing, _)| thing)).collect());
            }
            named.full.push(things.iter().map(|thing| thing.and_then(|(thing, full)| full.then_some(thing))).collect());
        }
        named
    }

    /// Returns true if two values are known to be different things: Austria and Australia.
    pub(super) fn are_different(&self, a: usize, b: usize) -> bool {
        self.sets.iter().chain(&self.full).any(|things| matches!((things[a], things[b]), (Some(a), Some(b)) if a != b))
    }
}
