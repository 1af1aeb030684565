//! Infers the primary key of a table that declares none.

use super::check::Checker;
use super::targets::{ColumnPosition, Targets};
use super::units::{KeyColumn, Shape, Unit};
use crate::names::{QUANTITY_WORDS, has_word, split_words};
use vitrine_domain::SemanticKind;
use vitrine_warehouse::WarehouseError;

/// Minimum score for a single-column key.
const ENOUGH: f64 = 1.5;
/// Minimum score in the first round.
const PLAIN: f64 = 3.0;
/// Number of leading columns that keys are expected among.
const FIRST_FEW: usize = 4;
/// Number of columns that composite keys are built from, and of combinations that are checked.
const POOL: usize = 6;
const TRIES: usize = 12;

/// Rounds of the search: clear keys first, since they help to judge the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    /// Only columns that are named like the key of their table.
    Plain,
    /// Any column, and composite keys.
    All,
}

/// Maximum number of columns of a pure join table.
const CONNECTING: usize = 3;
/// Bonus for a pair of the first two columns.
const LEADING: f64 = 2.5;

/// A primary key as column indices.
pub(super) struct PrimaryKey {
    pub columns: Vec<usize>,
    pub confidence: f64,
}

/// Scores a column by name, position and references. Columns that are known not to be unique are excluded before.
fn score_column(units: &[Unit], targets: &Targets, (at, place): ColumnPosition) -> f64 {
    let (unit, column) = (&units[at], &units[at].columns[place]);
    let own = column.name.table_match_score(&unit.name);
    let mut points = if place == 0 { 2.0 } else { 1.0 / (place + 1) as f64 };
    if column.name.is_bare() {
        points += 3.0;
    } else if names_other_table(units, targets, (at, place)) {
        // The rows of some tables extend rows of others; a table that begins with two references is a join table.
        let connects = unit.columns.len() > 1 && names_other_table(units, targets, (at, 1));
        let small = unit.columns.len() <= CONNECTING || by_chance(units, targets, (at, place));
        let alone = place == 0 && !(connects && small);
        points -= if alone { 0.5 } else { 3.0 };
    } else if own > 0.0 && column.name.says_key() {
        points += 2.0 + own;
    } else if column.name.says_key() {
        points += if place < FIRST_FEW { 1.5 } else { 1.0 };
    }
    if is_measure(column) {
        points -= 2.0;
    } else if column.shape == Shape::Time || column.profile.kind == SemanticKind::Time {
        points -= 1.5;
    } else if column.shape == Shape::Text && !column.name.says_key() {
        points -= 0.5;
    }
    points
}

/// Returns true if the name matches another table or its key better than its own table.
fn names_other_table(units: &[Unit], targets: &Targets, (at, place): ColumnPosition) -> bool {
    let name = &units[at].columns[place].name;
    let own = name.table_match_score(&units[at].name);
    let named = targets.find_tables(name, units).into_iter().any(|(table, score)| table != at && score > own);
    let repeated =
        || targets.find_targets((at, place), units).iter().any(|target| target.place.0 != at && target.score > own);
    named || repeated()
}

/// Returns true if references may be unique by coincidence (the birthday problem with the referenced rows as days).
fn by_chance(units: &[Unit], targets: &Targets, own: ColumnPosition) -> bool {
    let referenced =
        targets.find_targets(own, units).iter().map(|target| units[target.place.0].rows).max().unwrap_or(u64::MAX);
    distinct_probability(units[own.0].rows, referenced as f64) > 0.05
}

/// Returns the probability that `rows` random picks from `values` values are all different.
fn distinct_probability(rows: u64, values: f64) -> f64 {
    (-(rows as f64).powi(2) / (2.0 * values)).exp()
}

fn is_measure(column: &KeyColumn) -> bool {
    !column.name.says_key()
        && column.profile.kind == SemanticKind::Metric
        && has_word(&split_words(&column.column.name), &QUANTITY_WORDS)
        || column.column.data_type.to_ascii_uppercase().contains("BOOL")
}

/// Returns the primary key of a unit, if a column or a few identify its rows and have the properties of a key.
pub(super) async fn primary_key(
    units: &[Unit<'_>],
    targets: &Targets,
    at: usize,
    round: Round,
    checker: &Checker,
) -> Result<Option<PrimaryKey>, WarehouseError> {
    let unit = &units[at];
    let mut single: Vec<(f64, usize)> = (0..unit.columns.len())
        .filter(|&place| unit.columns[place].unique != Some(false))
        .map(|place| (score_column(units, targets, (at, place)), place))
        .collect();
    let says_key = |place: usize| unit.columns[place].name.says_key();
    single.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| says_key(b.1).cmp(&says_key(a.1))).then(a.1.cmp(&b.1)));
    let enough = if round == Round::Plain { PLAIN } else { ENOUGH };
    for &(points, place) in single.iter().take_while(|(points, _)| *points >= enough) {
        if unit.columns[place].unique == Some(true) || are_columns_unique(unit, &[place], checker).await? {
            let confidence = (0.6 + 0.07 * points).min(0.98);
            return Ok(Some(PrimaryKey { columns: vec![place], confidence }));
        }
    }
    let sets = if round == Round::All { composite_candidates(units, targets, at) } else { Vec::new() };
    for columns in sets {
        if are_columns_unique(unit, &columns, checker).await? {
            return Ok(Some(PrimaryKey { columns, confidence: 0.75 }));
        }
    }
    // A table of days or years begins with them.
    if let Some((_, first)) = single.iter().find(|(points, place)| round == Round::All && *place == 0 && *points >= 0.0)
        && unit.columns[*first].unique == Some(true)
    {
        return Ok(Some(PrimaryKey { columns: vec![*first], confidence: 0.6 }));
    }
    Ok(None)
}

async fn are_columns_unique(unit: &Unit<'_>, places: &[usize], checker: &Checker) -> Result<bool, WarehouseError> {
    let columns: Vec<&str> = places.iter().map(|&place| unit.columns[place].column.name.as_str()).collect();
    checker.is_unique(unit, &columns).await
}

/// Returns pairs, then triples, of columns that refer, are named like keys, or come first; the likeliest first.
fn composite_candidates(units: &[Unit], targets: &Targets, at: usize) -> Vec<Vec<usize>> {
    let unit = &units[at];
    let weight = |place: usize| {
        let column = &unit.columns[place];
        let referring = names_other_table(units, targets, (at, place));
        let mut weight = if place < 3 { 1.0 / (place + 1) as f64 } else { 0.0 };
        weight += if referring {
            3.0
        } else if column.name.says_key() {
            1.5
        } else {
            0.0
        };
        weight + if column.profile.kind == SemanticKind::Time { 0.5 } else { 0.0 }
    };
    let usable = |column: &KeyColumn| {
        column.shape != Shape::Other
            && column.profile.null_ratio == 0.0
            && column.profile.distinct > 1
            && !is_measure(column)
    };
    // A unique first column needs no other column.
    let minimal = |place: usize| {
        place > 0 || unit.columns[place].unique != Some(true) || names_other_table(units, targets, (at, place))
    };
    let mut pool: Vec<(f64, usize)> = (0..unit.columns.len())
        .filter(|&place| usable(&unit.columns[place]) && minimal(place))
        .map(|place| (weight(place), place))
        .filter(|(weight, _)| *weight > 0.0)
        .collect();
    pool.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    pool.truncate(POOL);
    let values =
        |places: &[usize]| -> f64 { places.iter().map(|&place| unit.columns[place].profile.distinct as f64).product() };
    let mut sets: Vec<(f64, Vec<usize>)> = Vec::new();
    for (i, &(a, first)) in pool.iter().enumerate() {
        for (j, &(b, second)) in pool.iter().enumerate().skip(i + 1) {
            let leading = if first.max(second) == 1 { LEADING } else { 0.0 };
            sets.push((a + b + leading, vec![first, second]));
            sets.extend(pool[j + 1..].iter().map(|&(c, third)| ((a + b + c) / 2.0, vec![first, second, third])));
        }
    }
    sets.retain(|(_, set)| values(set) >= unit.rows as f64);
    sets.sort_by(|a, b| a.1.len().cmp(&b.1.len()).then(b.0.total_cmp(&a.0)));
    sets.truncate(TRIES);
    // A table that begins with three references connects three tables; uniqueness of two of them may be a coincidence.
    let leading: Vec<usize> =
        (0..unit.columns.len()).take_while(|&place| names_other_table(units, targets, (at, place))).collect();
    if leading.len() == 3 && distinct_probability(unit.rows, values(&leading[..2])) > 0.2 {
        sets.insert(0, (0.0, leading));
    }
    let in_order = |mut set: Vec<usize>| {
        set.sort_unstable();
        set
    };
    sets.into_iter().map(|(_, set)| in_order(set)).collect()
}
