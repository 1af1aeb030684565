//! Things that have codes and names: countries, states of the US and Canada, months, weekdays.

use super::key::{Accents, key};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Part of a column's values that must belong to one set, so that the column is one of such things.
const MOST: f64 = 0.8;
/// Codes without any name that say so by themselves.
const CODES: usize = 6;

/// A set of things, each with its codes and names.
pub(super) struct NamedSet {
    /// The thing by a key of one of its writings, and whether the writing is a name.
    things: HashMap<String, (usize, bool)>,
    /// Words of column names that speak of such things, in English, German and French.
    columns: &'static [&'static str],
}

static SETS: LazyLock<[NamedSet; 4]> = LazyLock::new(|| {
    [
        NamedSet::read(
            include_str!("countries.txt"),
            &["country", "countries", "nation", "nationality", "land", "länder", "staat", "herkunftsland", "pays"],
        ),
        NamedSet::read(include_str!("regions.txt"), &["state", "province", "region", "bundesstaat", "état"]),
        NamedSet::read(include_str!("months.txt"), &["month", "monat", "mois"]),
        NamedSet::read(include_str!("weekdays.txt"), &["weekday", "day", "wochentag", "tag", "jour"]),
    ]
});

impl NamedSet {
    fn read(table: &str, columns: &'static [&'static str]) -> Self {
        let mut things = HashMap::new();
        let lines = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        for (thing, line) in lines.enumerate() {
            for writing in line.split('|') {
                for accents in [Accents::Dropped, Accents::WrittenOut] {
                    let key = key(writing, accents);
                    let is_name = key.chars().count() > 3;
                    // A code is no other thing's name.
                    things.entry(key).or_insert((thing, is_name));
                }
            }
        }
        Self { things, columns }
    }

    /// The thing that a value writes, and whether by its name.
    pub(super) fn thing(&self, keys: [&str; 2]) -> Option<(usize, bool)> {
        keys.iter().find_map(|key| self.things.get(*key)).copied()
    }

    /// Whether the name of a column speaks of such things.
    fn is_spoken_of(&self, column: &str) -> bool {
        vitrine_sql::name_words(column).iter().any(|word| self.columns.contains(&word.as_str()))
    }

    /// Whether a column with these values holds such things.
    fn fits(&self, is_spoken_of: bool, things: &[Option<(usize, bool)>]) -> bool {
        let known = things.iter().flatten().count();
        let has_name = things.iter().flatten().any(|(_, is_name)| *is_name);
        known > 1 && known as f64 >= MOST * things.len() as f64 && (has_name || is_spoken_of || known >= CODES)
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
    pub(super) fn of(column: &str, texts: &[&str], keys: &[[&str; 2]]) -> Self {
        let mut named = Self { sets: Vec::new(), full: Vec::new() };
        for set in SETS.iter() {
            let is_spoken_of = set.is_spoken_of(column);
            // In small letters a code is a word, such as "in", unless the column says otherwise.
            let is_written = |text: &str| is_spoken_of || text.chars().any(char::is_uppercase);
            let thing = |(text, keys): (&&str, &[&str; 2])| {
                set.thing(*keys).filter(|(_, is_name)| *is_name || is_written(text))
            };
            let things: Vec<Option<(usize, bool)>> = texts.iter().zip(keys).map(thing).collect();
            if set.fits(is_spoken_of, &things) {
                named.sets.push(things.iter().map(|thing| thing.map(|(thing, _)| thing)).collect());
            }
            named.full.push(things.iter().map(|thing| thing.and_then(|(thing, full)| full.then_some(thing))).collect());
        }
        named
    }

    /// Whether two values are known to be different things: Austria and Australia.
    pub(super) fn differ(&self, a: usize, b: usize) -> bool {
        self.sets.iter().chain(&self.full).any(|things| matches!((things[a], things[b]), (Some(a), Some(b)) if a != b))
    }
}
