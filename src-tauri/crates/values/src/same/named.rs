//! Things that have codes and names: countries, states of the US and Canada, cities, months, weekdays, sexes, truth values.

use super::key::{Accents, says_nothing, value_key};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Codes without any name that say so by themselves.
const CODES: usize = 6;

/// A set of things, each with its codes and names.
pub(super) struct NamedSet {
    /// The thing by a key of one of its writings, and whether the writing is a name.
    things: HashMap<String, (usize, bool)>,
    kind: SetKind,
}

/// Decides which columns hold things of a set.
#[derive(Debug, Clone, Copy)]
struct SetKind {
    /// Words of column names that speak of such things, in English, German and French.
    columns: &'static [&'static str],
    /// Part of a column's values that must belong to the set.
    share: f64,
    /// The same where the column's name speaks of the things.
    spoken_share: f64,
    /// Letters from which a writing is a name.
    name_letters: usize,
    /// Returns true where codes are written in small letters, or in digits, too, and mean nothing without a name.
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
        // Most cities have one name, so that few of a column have two.
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
                    // A code is no other thing's name.
                    things.entry(key).or_insert((thing, is_name));
                }
            }
        }
        Self { things, kind }
    }

    /// The thing that a value writes, and whether by its name.
    pub(super) fn find_thing(&self, keys: [&str; 2]) -> Option<(usize, bool)> {
        keys.iter().find_map(|key| self.things.get(*key)).copied()
    }

    /// Returns whether the name of a column speaks of such things, also as the end of a compound: Geburtsland.
    fn is_spoken_of(&self, column: &str) -> bool {
        let speaks = |word: &String, of: &&str| word == of || of.chars().count() > 3 && word.ends_with(of);
        vitrine_sql::name_words(column).iter().any(|word| self.kind.columns.iter().any(|of| speaks(word, of)))
    }

    /// Returns whether a column holds such things, given those among its values and the number of values that say anything.
    fn fits_column(&self, is_spoken_of: bool, things: &[Option<(usize, bool)>], telling: usize) -> bool {
        let known = things.iter().flatten().count();
        let has_name = things.iter().flatten().any(|(_, is_name)| *is_name);
        let share = if is_spoken_of { self.kind.spoken_share } else { self.kind.share };
        let is_clear = has_name || is_spoken_of || known >= CODES && !self.kind.has_small_codes;
        known > 1 && known as f64 >= share * telling as f64 && is_clear
    }
}

/// What the sets say of the values of a column.
pub(super) struct Named {
    /// For each set that the column belongs to, the thing of each value.
    pub(super) sets: Vec<Vec<Option<usize>>>,
    /// For each set, the thing that each value names in full, whatever the column is.
    full: Vec<Vec<Option<usize>>>,
}

impl Named {
    /// Looks the values of a column up, given their keys with accents left out and written out.
    pub(super) fn from_column(column: &str, texts: &[&str], keys: &[[&str; 2]]) -> Self {
        let mut named = Self { sets: Vec::new(), full: Vec::new() };
        for set in SETS.iter() {
            let is_spoken_of = set.is_spoken_of(column);
            // In small letters a code is a word, such as "in", unless the column says otherwise.
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

    /// Whether two values are known to be different things: Austria and Australia.
    pub(super) fn are_different(&self, a: usize, b: usize) -> bool {
        self.sets.iter().chain(&self.full).any(|things| matches!((things[a], things[b]), (Some(a), Some(b)) if a != b))
    }
}
