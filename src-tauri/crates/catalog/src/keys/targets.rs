//! Which columns a column may refer to, found by name: by looking names up and never by comparing all with all.

use super::names::{Name, abbreviates};
use super::units::{KeyColumn, Shape, Unit};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A column by the place of its unit and its own place there.
pub(super) type Place = (usize, usize);

/// Tables that one abbreviation may stand for; one that fits more says nothing.
const MOST_ABBREVIATED: usize = 3;
/// Columns of one name that are looked at.
const MOST_OF_ONE_NAME: usize = 12;

/// What a column may refer to, and how well the names say so, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Target {
    pub place: Place,
    pub score: f64,
}

/// Keys and tables by their names.
pub(super) struct Targets {
    /// Columns that may be keys, by name.
    columns: HashMap<String, Vec<Place>>,
    /// Tables by each end and each beginning of their names.
    tables: HashMap<String, BTreeSet<usize>>,
    /// Tables by their whole names, in order, to be found by abbreviations.
    whole: BTreeMap<String, Vec<usize>>,
}

impl Targets {
    pub(super) fn new(units: &[Unit]) -> Self {
        let mut targets = Self { columns: HashMap::new(), tables: HashMap::new(), whole: BTreeMap::new() };
        // Which of several look-alikes is meant cannot be told.
        for (at, unit) in units.iter().enumerate().filter(|(_, unit)| !unit.is_family()) {
            for (place, column) in unit.columns.iter().enumerate() {
                if column.unique != Some(false) || unit.table.is_unique(&column.column.name) {
                    targets.columns.entry(column.name.joined()).or_default().push((at, place));
                }
            }
            for part in unit.name.ends().chain(unit.name.stem_beginnings()) {
                targets.tables.entry(part).or_default().insert(at);
            }
            targets.whole.entry(unit.name.joined()).or_default().push(at);
        }
        targets
    }

    /// Tables that a column's name may name, each with how well it does.
    pub(super) fn tables(&self, name: &Name, units: &[Unit]) -> Vec<(usize, f64)> {
        let stem = name.stem();
        let mut found: BTreeSet<usize> = BTreeSet::new();
        for end in name.stem_ends() {
            found.extend(self.tables.get(&end).into_iter().flatten());
        }
        let short: Vec<usize> = self
            .whole
            .range(stem.clone()..)
            .take_while(|(whole, _)| abbreviates(&stem, whole))
            .flat_map(|(_, tables)| tables.iter().copied())
            .take(MOST_ABBREVIATED + 1)
            .collect();
        if short.len() <= MOST_ABBREVIATED {
            found.extend(short);
        }
        let scored = found.into_iter().map(|table| (table, name.names(&units[table].name)));
        scored.filter(|(_, score)| *score > 0.0).collect()
    }

    /// What a column may refer to, best first: keys of the same name or with a role in front of it, and the keys of tables
    /// that it names.
    pub(super) fn of(&self, (at, place): Place, units: &[Unit]) -> Vec<Target> {
        let column = &units[at].columns[place];
        let mut best: BTreeMap<Place, f64> = BTreeMap::new();
        let mut add = |target: Place, score: f64| {
            let known = best.entry(target).or_default();
            *known = known.max(score);
        };
        let whole = column.name.joined();
        for end in column.name.stem_ends().zip(column.name.ends()).map(|(_, end)| end) {
            let known = self.columns.get(&end).map(Vec::as_slice).unwrap_or_default();
            for &target in known.iter().take(MOST_OF_ONE_NAME) {
                add(target, by_column(column, units, target, end == whole));
            }
        }
        for (table, named) in self.tables(&column.name, units) {
            if let Some(key) = units[table].lone_key() {
                add((table, key), by_table(column, &units[table], key, named));
            }
        }
        let own = column.name.names(&units[at].name);
        let mut targets: Vec<Target> = best
            .into_iter()
            .filter(|(target, _)| *target != (at, place))
            .filter(|(target, _)| units[target.0].columns[target.1].shape == column.shape)
            .filter(|(_, score)| *score > 0.0)
            // Of equally good ones the one whose table is akin.
            .map(|(target, score)| {
                let akin = units[at].name.shared(&units[target.0].name).min(2);
                Target { place: target, score: score + 0.005 * akin as f64 }
            })
            .filter(|target| may_refer(units, (at, place), target.place, own))
            .collect();
        targets.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.place.cmp(&b.place)));
        targets
    }
}

/// How well a key's name is repeated, alone or behind a role.
fn by_column(column: &KeyColumn, units: &[Unit], (table, key): Place, same: bool) -> f64 {
    let unit = &units[table];
    let home = column.name.names(&unit.name);
    let score = match (same, column.name.says_key(), unit.lone_key() == Some(key)) {
        (true, true, true) => 0.95,
        (true, false, true) => 0.85,
        (false, _, true) => 0.88,
        // A unique column that is no primary key is meant only where its table is named, too.
        (same, _, false) if home > 0.0 => {
            if same {
                0.75
            } else {
                0.6
            }
        }
        // Text of one name in many rows here and in one each there.
        (true, false, false) if column.shape == Shape::Text && column.unique == Some(false) => 0.64,
        _ => 0.0,
    };
    if score > 0.0 { score + 0.05 * home } else { 0.0 }
}

/// How well a table is named whose key has another name.
fn by_table(column: &KeyColumn, unit: &Unit, key: usize, named: f64) -> f64 {
    if column.name.is_plural() && named < 1.0 {
        return 0.0;
    }
    let key = &unit.columns[key].name;
    let plain = if key.is_bare() || key.names(&unit.name) > 0.0 { 1.0 } else { 0.95 };
    named * plain * if column.name.says_key() { 0.95 } else { 0.9 }
}

/// Whether the one column may refer to the other: a table's own key is not named after another table.
fn may_refer(units: &[Unit], (at, place): Place, (to, key): Place, own: f64) -> bool {
    let column = &units[at].columns[place];
    if units[at].lone_key() != Some(place) {
        return true;
    }
    let other = column.name.names(&units[to].name);
    let fewer = column.profile.distinct < units[to].columns[key].profile.distinct;
    at != to && (other > own || (other == 0.0 && fewer))
}
