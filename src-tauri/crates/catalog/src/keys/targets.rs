//! Finds the columns that a column may refer to by looking up names rather than by comparing all pairs.

use super::names::{Name, is_abbreviation};
use super::units::{KeyColumn, Shape, Unit};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Index of a unit and index of a column in it.
pub(super) type ColumnPosition = (usize, usize);

/// Maximum number of tables that an abbreviation may match; ambiguous ones are ignored.
const MOST_ABBREVIATED: usize = 3;
/// Maximum number of columns with one name that are considered.
const MOST_OF_ONE_NAME: usize = 12;

/// A column that may be referred to, with a name score from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Target {
    pub place: ColumnPosition,
    pub score: f64,
}

/// Index of key columns and tables by name.
pub(super) struct Targets {
    /// Possible key columns by name.
    columns: HashMap<String, Vec<ColumnPosition>>,
    /// Tables by each suffix and prefix of their names.
    tables: HashMap<String, BTreeSet<usize>>,
    /// Tables by full name, sorted for looking up abbreviations.
    whole: BTreeMap<String, Vec<usize>>,
}

impl Targets {
    pub(super) fn new(units: &[Unit]) -> Self {
        let mut targets = Self { columns: HashMap::new(), tables: HashMap::new(), whole: BTreeMap::new() };
        // A reference to one of several look-alike tables would be ambiguous.
        for (at, unit) in units.iter().enumerate().filter(|(_, unit)| !unit.is_family()) {
            for (place, column) in unit.columns.iter().enumerate() {
                if column.unique != Some(false) || unit.table.is_unique(&column.column.name) {
                    targets.columns.entry(column.name.join_words()).or_default().push((at, place));
                }
            }
            for part in unit.name.word_suffixes().chain(unit.name.stem_beginnings()) {
                targets.tables.entry(part).or_default().insert(at);
            }
            targets.whole.entry(unit.name.join_words()).or_default().push(at);
        }
        targets
    }

    /// Returns the tables that a column's name may refer to, each with its score.
    pub(super) fn find_tables(&self, name: &Name, units: &[Unit]) -> Vec<(usize, f64)> {
        let stem = name.stem();
        let mut found: BTreeSet<usize> = BTreeSet::new();
        for end in name.stem_ends() {
            found.extend(self.tables.get(&end).into_iter().flatten());
        }
        let short: Vec<usize> = self
            .whole
            .range(stem.clone()..)
            .take_while(|(whole, _)| is_abbreviation(&stem, whole))
            .flat_map(|(_, tables)| tables.iter().copied())
            .take(MOST_ABBREVIATED + 1)
            .collect();
        if short.len() <= MOST_ABBREVIATED {
            found.extend(short);
        }
        let scored = found.into_iter().map(|table| (table, name.table_match_score(&units[table].name)));
        scored.filter(|(_, score)| *score > 0.0).collect()
    }

    /// Returns possible targets of a column, best first: keys of the same name, with or without a role before it, and
    /// the keys of tables that the name matches.
    pub(super) fn find_targets(&self, (at, place): ColumnPosition, units: &[Unit]) -> Vec<Target> {
        let column = &units[at].columns[place];
        let mut best: BTreeMap<ColumnPosition, f64> = BTreeMap::new();
        let mut add = |target: ColumnPosition, score: f64| {
            let known = best.entry(target).or_default();
            *known = known.max(score);
        };
        let whole = column.name.join_words();
        for end in column.name.stem_ends().zip(column.name.word_suffixes()).map(|(_, end)| end) {
            let known = self.columns.get(&end).map(Vec::as_slice).unwrap_or_default();
            for &target in known.iter().take(MOST_OF_ONE_NAME) {
                add(target, by_column(column, units, target, end == whole));
            }
        }
        for (table, named) in self.find_tables(&column.name, units) {
            if let Some(key) = units[table].lone_key() {
                add((table, key), by_table(column, &units[table], key, named));
            }
        }
        let own = column.name.table_match_score(&units[at].name);
        let mut targets: Vec<Target> = best
            .into_iter()
            .filter(|(target, _)| *target != (at, place))
            .filter(|(target, _)| units[target.0].columns[target.1].shape == column.shape)
            .filter(|(_, score)| *score > 0.0)
            // Ties are resolved in favour of tables with related names.
            .map(|(target, score)| {
                let akin = units[at].name.count_shared_words(&units[target.0].name).min(2);
                Target { place: target, score: score + 0.005 * akin as f64 }
            })
            .filter(|target| may_refer(units, (at, place), target.place, own))
            .collect();
        targets.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.place.cmp(&b.place)));
        targets
    }
}

/// Scores a name that repeats a key's name, with or without a role before it.
fn by_column(column: &KeyColumn, units: &[Unit], (table, key): ColumnPosition, same: bool) -> f64 {
    let unit = &units[table];
    let home = column.name.table_match_score(&unit.name);
    let score = match (same, column.name.says_key(), unit.lone_key() == Some(key)) {
        (true, true, true) => 0.95,
        (true, false, true) => 0.85,
        (false, _, true) => 0.88,
        // A unique column other than the primary key is a target only if its table is named, too.
        (same, _, false) if home > 0.0 => {
            if same {
                0.75
            } else {
                0.6
            }
        }
        // Text of the same name that repeats here and is unique there.
        (true, false, false) if column.shape == Shape::Text && column.unique == Some(false) => 0.64,
        _ => 0.0,
    };
    if score > 0.0 { score + 0.05 * home } else { 0.0 }
}

/// Scores a name that matches a table whose key is named differently.
fn by_table(column: &KeyColumn, unit: &Unit, key: usize, named: f64) -> f64 {
    if column.name.is_plural() && named < 1.0 {
        return 0.0;
    }
    let key = &unit.columns[key].name;
    let plain = if key.is_bare() || key.table_match_score(&unit.name) > 0.0 { 1.0 } else { 0.95 };
    named * plain * if column.name.says_key() { 0.95 } else { 0.9 }
}

/// Returns true if a column may refer to another. A table's own key refers to another table only if its name matches
/// that one better.
fn may_refer(units: &[Unit], (at, place): ColumnPosition, (to, key): ColumnPosition, own: f64) -> bool {
    let column = &units[at].columns[place];
    if units[at].lone_key() != Some(place) {
        return true;
    }
    let other = column.name.table_match_score(&units[to].name);
    let fewer = column.profile.distinct < units[to].columns[key].profile.distinct;
    at != to && (other > own || (other == 0.0 && fewer))
}
