//! Search for tables, columns and keys in a catalog of any size, without sending the whole catalog.

use crate::types::{FoundName, NameKind, Reach};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};
use vitrine_domain::{Catalog, Table, TableName};

/// Maximum number of equally good names that are sorted, because sorting more would take too long.
const SORTED: usize = 5_000;

/// A catalog with its search structures, each computed once on demand.
pub(crate) struct TableIndex {
    pub(crate) catalog: Arc<Catalog>,
    /// For each table, its name with its comment, and a line per column, in lower case.
    texts: OnceLock<Vec<(String, String)>>,
    names: OnceLock<NameIndex>,
    places: OnceLock<HashMap<TableName, usize>>,
    links: OnceLock<Vec<Links>>,
}

/// Keys that connect a table to others.
#[derive(Default, Clone)]
struct Links {
    /// Indexes of the connected tables, in both directions, without duplicates.
    tables: Vec<usize>,
    /// Number of keys, in both directions.
    keys: u32,
}

struct NameIndex {
    found: Vec<FoundName>,
    lower: Vec<String>,
}

impl TableIndex {
    pub(crate) fn new(catalog: Arc<Catalog>) -> Self {
        Self {
            catalog,
            texts: OnceLock::new(),
            names: OnceLock::new(),
            places: OnceLock::new(),
            links: OnceLock::new(),
        }
    }

    /// Returns the tables whose name, comment or columns contain every typed word.
    pub(crate) fn search_tables(&self, typed: &str) -> Vec<usize> {
        let words = split_words(typed);
        if words.is_empty() {
            return (0..self.catalog.tables.len()).collect();
        }
        let fits = |(own, columns): &(String, String)| {
            let left = missing_words(own, &words);
            left.is_empty() || columns.split('\n').any(|line| left.iter().all(|word| line.contains(*word)))
        };
        self.search_texts().iter().enumerate().filter(|(_, text)| fits(text)).map(|(at, _)| at).collect()
    }

    /// Returns the columns that match a search in a table; empty if the table's own name or comment matches.
    pub(crate) fn matching_columns(&self, at: usize, typed: &str, most: usize) -> Vec<String> {
        let words = split_words(typed);
        let (Some((own, columns)), Some(table)) = (self.search_texts().get(at), self.catalog.tables.get(at)) else {
            return Vec::new();
        };
        let left = missing_words(own, &words);
        if left.is_empty() {
            return Vec::new();
        }
        let lines = columns.split('\n').zip(&table.columns);
        let hits = lines.filter(|(line, _)| left.iter().all(|word| line.contains(*word)));
        hits.take(most).map(|(_, column)| column.name.clone()).collect()
    }

    /// Returns the names that match the typed text, the best first; among equals tables before columns and short names before long ones.
    pub(crate) fn search_names(&self, typed: &str, most: usize) -> Vec<FoundName> {
        let NameIndex { found, lower } = self.names.get_or_init(|| names_of(&self.catalog));
        let wanted = typed.trim().to_lowercase();
        if wanted.is_empty() {
            return found.iter().take(most).cloned().collect();
        }
        let mut ranks: [Vec<usize>; 4] = Default::default();
        for (at, name) in lower.iter().enumerate() {
            if let Some(rank) = rank_match(name, &wanted).and_then(|rank| ranks.get_mut(rank)) {
                rank.push(at);
            }
        }
        let mut best = Vec::new();
        for mut rank in ranks {
            rank.truncate(SORTED);
            rank.sort_by_key(|at| {
                (found.get(*at).map(|name| name.kind == NameKind::Column), lower.get(*at).map(String::len), *at)
            });
            best.extend(rank.into_iter().filter_map(|at| found.get(at).cloned()).take(most - best.len()));
        }
        best
    }

    /// Returns the columns, as `orders.total`, that contain every typed word.
    pub(crate) fn search_columns(&self, typed: &str, most: usize) -> Vec<String> {
        let words = split_words(typed);
        let all = self.catalog.tables.iter().flat_map(|table| {
            let label = table.name.to_string();
            table.columns.iter().map(move |column| format!("{label}.{}", column.name))
        });
        let fits = |name: &String| {
            let name = name.to_lowercase();
            words.iter().all(|word| name.contains(word))
        };
        all.filter(fits).take(most).collect()
    }

    /// Returns the index of a table in the catalog.
    pub(crate) fn find_table(&self, name: &TableName) -> Option<usize> {
        self.table_positions().get(name).copied()
    }

    /// Returns the number of keys of a table, including keys of other tables that refer to it.
    pub(crate) fn count_keys(&self, at: usize) -> u32 {
        self.table_links().get(at).map_or(0, |links| links.keys)
    }

    /// Returns the tables within reach of a table, nearest first, beginning with the table.
    pub(crate) fn tables_in_reach(&self, start: usize, reach: Reach) -> Vec<usize> {
        match reach {
            Reach::Alone => vec![start],
            Reach::Near => self.tables_within(start, 1),
            Reach::Far => self.tables_within(start, 2),
            Reach::Schema => {
                let schema = |at: usize| self.catalog.tables.get(at).map(|t| (&t.name.catalog, &t.name.schema));
                let own = schema(start);
                let mut near = self.tables_within(start, usize::MAX);
                near.retain(|at| schema(*at) == own);
                let seen: HashSet<usize> = near.iter().copied().collect();
                let others = (0..self.catalog.tables.len()).filter(|at| !seen.contains(at) && schema(*at) == own);
                // Remaining tables with keys are placed before those without.
                let (tied, alone): (Vec<_>, Vec<_>) = others.partition(|at| self.count_keys(*at) > 0);
                near.into_iter().chain(tied).chain(alone).collect()
            }
        }
    }

    /// Returns the tables within a number of keys.
    fn tables_within(&self, start: usize, steps: usize) -> Vec<usize> {
        let (mut found, mut seen) = (vec![start], HashSet::from([start]));
        let mut last = 0..1;
        for _ in 0..steps {
            let before = found.len();
            for at in last.clone().filter_map(|at| found.get(at).copied()).collect::<Vec<_>>() {
                for other in self.table_links().get(at).into_iter().flat_map(|links| &links.tables) {
                    if seen.insert(*other) {
                        found.push(*other);
                    }
                }
            }
            if found.len() == before {
                break;
            }
            last = before..found.len();
        }
        found
    }

    fn search_texts(&self) -> &[(String, String)] {
        self.texts.get_or_init(|| {
            let line = |name: &str, comment: Option<&str>| {
                format!("{name} {}", comment.unwrap_or_default()).to_lowercase().replace('\n', " ")
            };
            let text = |table: &Table| {
                let columns = table.columns.iter().map(|column| line(&column.name, column.comment.as_deref()));
                (line(&table.name.to_string(), table.comment.as_deref()), columns.collect::<Vec<_>>().join("\n"))
            };
            self.catalog.tables.iter().map(text).collect()
        })
    }

    fn table_positions(&self) -> &HashMap<TableName, usize> {
        self.places.get_or_init(|| {
            self.catalog.tables.iter().enumerate().map(|(at, table)| (table.name.clone(), at)).collect()
        })
    }

    fn table_links(&self) -> &[Links] {
        self.links.get_or_init(|| {
            let mut links = vec![Links::default(); self.catalog.tables.len()];
            let mut seen = HashSet::new();
            let mut tie = |from: usize, to: usize| {
                if let Some(known) = links.get_mut(from) {
                    known.keys += 1;
                    if from != to && seen.insert((from, to)) {
                        known.tables.push(to);
                    }
                }
            };
            for (from, table) in self.catalog.tables.iter().enumerate() {
                for to in table.foreign_keys.iter().filter_map(|key| self.find_table(&key.ref_table)) {
                    tie(from, to);
                    if from != to {
                        tie(to, from);
                    }
                }
            }
            links
        })
    }
}

fn split_words(typed: &str) -> Vec<String> {
    typed.to_lowercase().split_whitespace().map(str::to_owned).collect()
}

fn missing_words<'a>(text: &str, words: &'a [String]) -> Vec<&'a str> {
    words.iter().map(String::as_str).filter(|word| !text.contains(word)).collect()
}

/// Lists all names without duplicates, tables first.
fn names_of(catalog: &Catalog) -> NameIndex {
    let mut found: Vec<FoundName> = Vec::new();
    let mut columns: Vec<FoundName> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for table in &catalog.tables {
        let label = table.name.to_string();
        found.push(FoundName { name: table.name.name.clone(), kind: NameKind::Table, table: label.clone(), more: 0 });
        for column in &table.columns {
            match places.get(column.name.as_str()).and_then(|at| columns.get_mut(*at)) {
                Some(known) => known.more += 1,
                None => {
                    places.insert(&column.name, columns.len());
                    let (name, table) = (column.name.clone(), label.clone());
                    columns.push(FoundName { name, kind: NameKind::Column, table, more: 0 });
                }
            }
        }
    }
    found.extend(columns);
    let lower = found.iter().map(|name| name.name.to_lowercase()).collect();
    NameIndex { found, lower }
}

/// Ranks a match, 0 is the best: prefix of the name, prefix of a word in it, substring, letters in this order.
fn rank_match(name: &str, typed: &str) -> Option<usize> {
    if let Some(at) = name.find(typed) {
        let before = name.get(..at).and_then(|before| before.chars().next_back());
        return Some(match before {
            None => 0,
            Some(letter) if letter.is_whitespace() || "_.-".contains(letter) => 1,
            Some(_) => 2,
        });
    }
    let mut left = name.chars();
    typed.chars().all(|letter| left.any(|other| other == letter)).then_some(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_fits_by_its_beginning_a_word_a_part_and_letters_in_order() {
        let all = ["orders", "order_items", "reorders", "o_r_x_d", "zzz"].map(|name| rank_match(name, "ord"));
        assert_eq!(all, [Some(0), Some(0), Some(2), Some(3), None]);
        assert_eq!(rank_match("order_items", "items"), Some(1));
    }
}
