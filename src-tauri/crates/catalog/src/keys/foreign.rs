//! Infers foreign keys of tables that declare none: inclusion dependencies that names or values support.

use super::check::{Checker, Inclusion};
use super::targets::{ColumnPosition, Target, Targets};
use super::units::{KeyColumn, Shape, Unit};
use std::collections::{BTreeSet, HashMap};
use vitrine_domain::{ColumnProfile, SemanticKind};
use vitrine_warehouse::WarehouseError;
use vitrine_words::format_english_number;

/// Maximum number of targets that are checked for one column.
const TRIES: usize = 4;
/// Minimum name score, and the fraction of values that then must be included. Dangling references are tolerated because
/// users want to find them.
const CLEAR: f64 = 0.85;
const MOST: f64 = 0.9;
/// The same for weaker name scores with at least `MANY` values. Below that, all values must be included.
const FAIRLY_CLEAR: f64 = 0.75;
const NEARLY_ALL: f64 = 0.95;
const MANY: u64 = 20;
/// From this score, one missing value is accepted in any case.
const VERY_CLEAR: f64 = 0.93;
/// Bonus for at least `TELLING_FROM` text values that are all included.
const TELLING: f64 = 0.05;
const TELLING_FROM: u64 = 5;

/// Minimum number of values for a foreign key that no name supports, and its confidence.
const MANY_ALONE: u64 = 10;
const BY_VALUES: f64 = 0.75;
/// Numeric inclusions with a higher probability of coincidence are ignored.
const BY_CHANCE: f64 = 1e-6;

/// Confidence of a composite foreign key.
const COMPOSITE: f64 = 0.85;

/// A foreign key with paired column indices.
pub(super) struct Reference {
    pub columns: Vec<usize>,
    pub to: usize,
    pub referenced: Vec<usize>,
    pub confidence: f64,
    pub reason: String,
}

/// Returns the best-scored target of a column that contains the column's values.
pub(super) async fn find_reference(
    units: &[Unit<'_>],
    targets: &Targets,
    own: ColumnPosition,
    least: f64,
    checker: &Checker,
) -> Result<Option<Reference>, WarehouseError> {
    let (unit, column) = (&units[own.0], &units[own.0].columns[own.1]);
    // Years and days occur in every table with dates.
    if column.shape == Shape::Other || column.profile.kind == SemanticKind::Time || column.profile.distinct == 0 {
        return Ok(None);
    }
    let mut candidates = targets.find_targets(own, units);
    candidates.extend(find_self_target(units, own));
    for target in candidates.into_iter().filter(|target| target.score + TELLING >= least).take(TRIES) {
        let (to, place) = target.place;
        let key = &units[to].columns[place];
        if !units[to].is_unique(place) || !ranges_meet(column.profile, key.profile, column.shape) {
            continue;
        }
        let (from, referenced) = ([column.column.name.as_str()], [key.column.name.as_str()]);
        let found = checker.check_inclusion((unit, &from), (&units[to], &referenced)).await?;
        let Some(found) = found.filter(|found| accepts_inclusion(*found, target.score)) else { continue };
        let telling = found.missing == 0 && found.values >= TELLING_FROM && column.shape == Shape::Text;
        let confidence = target.score * (0.8 + 0.2 * found.ratio()) + if telling { TELLING } else { 0.0 };
        let confidence = if found.values < 3 { confidence - 0.03 } else { confidence }.min(0.99);
        if confidence >= least {
            let named = to != own.0 || targets.find_targets(own, units).contains(&target);
            let why = if named { "the names agree" } else { "the name says that rows refer to each other" };
            let reason = format!("{}, and {why}", describe_inclusion(found, unit, &from, &units[to], &referenced));
            return Ok(Some(Reference { columns: vec![own.1], to, referenced: vec![place], confidence, reason }));
        }
    }
    Ok(None)
}

/// Finds the target of a column by its values alone, if no name helps: the only key that contains them all, provided
/// that there are enough values and that coincidence is unlikely.
pub(super) async fn reference_by_values(
    units: &[Unit<'_>],
    own: ColumnPosition,
    checker: &Checker,
) -> Result<Option<Reference>, WarehouseError> {
    let (unit, column) = (&units[own.0], &units[own.0].columns[own.1]);
    let repeats = column.unique == Some(false) && column.profile.distinct >= MANY_ALONE;
    let timeless = column.profile.kind != SemanticKind::Time;
    if !repeats || !timeless || unit.is_family() || !matches!(column.shape, Shape::Text | Shape::Number) {
        return Ok(None);
    }
    let keys = units.iter().enumerate().filter(|(at, unit)| *at != own.0 && !unit.is_family());
    let keys = keys.filter_map(|(at, unit)| Some((at, unit.lone_key()?)));
    let keys: Vec<ColumnPosition> =
        keys.filter(|&(at, key)| is_particular(&units[at].columns[key], column)).take(TRIES).collect();
    if keys.len() == TRIES {
        return Ok(None);
    }
    let mut found: Vec<Reference> = Vec::new();
    for (to, place) in keys {
        let (from, key) = ([column.column.name.as_str()], [units[to].columns[place].column.name.as_str()]);
        let known = checker.check_inclusion((unit, &from), (&units[to], &key)).await?;
        if let Some(known) = known.filter(|known| known.missing == 0 && known.values >= MANY_ALONE) {
            let said = describe_inclusion(known, unit, &from, &units[to], &key);
            let reason = format!("{said}, and in no other key");
            found.push(Reference { columns: vec![own.1], to, referenced: vec![place], confidence: BY_VALUES, reason });
        }
    }
    Ok(if found.len() == 1 { found.pop() } else { None })
}

/// Returns true if the inclusion of values in a key is unlikely to be a coincidence: for text always, for numbers if
/// both columns have many gaps.
fn is_particular(key: &KeyColumn, own: &KeyColumn) -> bool {
    let fits = key.shape == own.shape && key.profile.distinct >= own.profile.distinct;
    let by_chance =
        || Some(value_density(key.profile)?.max(value_density(own.profile)?).powf(own.profile.distinct as f64));
    fits && (key.shape == Shape::Text || by_chance().is_some_and(|chance| chance < BY_CHANCE))
}

/// Returns the fraction of whole numbers between minimum and maximum that a column contains.
fn value_density(profile: &ColumnProfile) -> Option<f64> {
    let number = |text: &Option<String>| text.as_deref()?.trim().parse::<f64>().ok();
    Some(profile.distinct as f64 / (number(&profile.max)? - number(&profile.min)? + 1.0))
}

/// Returns the table's own key as target of columns such as `parent_id` that name no table.
fn find_self_target(units: &[Unit], (at, place): ColumnPosition) -> Option<Target> {
    let (unit, column) = (&units[at], &units[at].columns[place]);
    let key = unit.lone_key().filter(|key| *key != place && !unit.is_family())?;
    let fits = unit.columns[key].shape == column.shape && column.name.says_self();
    fits.then_some(Target { place: (at, key), score: 0.85 })
}

/// Finds composite foreign keys: references to composite keys whose column names all occur. `single` contains the
/// indices of columns that already are foreign keys on their own.
pub(super) async fn find_composite_keys(
    units: &[Unit<'_>],
    at: usize,
    by_column: &HashMap<String, Vec<usize>>,
    single: &[usize],
    checker: &Checker,
) -> Result<Vec<Reference>, WarehouseError> {
    let unit = &units[at];
    let tables: BTreeSet<usize> =
        unit.columns.iter().filter_map(|column| by_column.get(&column.name.join_words())).flatten().copied().collect();
    let mut candidates: Vec<(bool, usize, Vec<usize>)> = Vec::new();
    for to in tables.into_iter().filter(|&to| to != at) {
        let key = &units[to].primary;
        let repeated = |&key: &usize| find_matching_column(unit, &units[to].columns[key]);
        let Some(columns) = key.iter().map(repeated).collect::<Option<Vec<usize>>>() else { continue };
        // If two tables share a key, the smaller one refers to the larger one.
        let is_own_key = columns.len() == unit.primary.len() && columns.iter().all(|c| unit.primary.contains(c));
        if is_own_key && unit.rows >= units[to].rows {
            continue;
        }
        let named = columns.iter().any(|&c| unit.columns[c].name.table_match_score(&units[to].name) > 0.0);
        let timeless = columns.iter().all(|&c| unit.columns[c].profile.kind != SemanticKind::Time);
        if named || (timeless && columns.iter().any(|c| !single.contains(c))) {
            candidates.push((named, to, columns));
        }
    }
    candidates.sort_by_key(|(named, to, _)| (!named, *to));
    let mut found: Vec<Reference> = Vec::new();
    for (_, to, columns) in candidates {
        let other = &units[to];
        if found.iter().any(|known| columns.iter().all(|column| known.columns.contains(column))) {
            continue;
        }
        let from: Vec<&str> = columns.iter().map(|&c| unit.columns[c].column.name.as_str()).collect();
        let referenced: Vec<&str> = other.primary.iter().map(|&c| other.columns[c].column.name.as_str()).collect();
        let known = checker.check_inclusion((unit, &from), (other, &referenced)).await?;
        if let Some(known) = known.filter(|known| known.missing == 0 && known.values > 1) {
            let reason = format!("{}, and the names agree", describe_inclusion(known, unit, &from, other, &referenced));
            found.push(Reference { columns, to, referenced: other.primary.clone(), confidence: COMPOSITE, reason });
        }
    }
    Ok(found)
}

/// Returns the column of a unit with the name and shape of a key column.
fn find_matching_column(unit: &Unit, key: &KeyColumn) -> Option<usize> {
    unit.columns.iter().position(|own| own.name.join_words() == key.name.join_words() && own.shape == key.shape)
}

fn accepts_inclusion(found: Inclusion, score: f64) -> bool {
    let most = match score {
        CLEAR.. => MOST,
        FAIRLY_CLEAR.. if found.values >= MANY => NEARLY_ALL,
        _ => 1.0,
    };
    let odd_one = score >= VERY_CLEAR && found.values > 3 && found.missing == 1;
    found.values > 0 && (found.ratio() >= most || odd_one)
}

/// Returns true if two ranges of numbers overlap or are unknown. It avoids a query for ranges that do not.
fn ranges_meet(own: &ColumnProfile, key: &ColumnProfile, shape: Shape) -> bool {
    let number = |text: &Option<String>| text.as_deref().and_then(|text| text.trim().parse::<f64>().ok());
    let ends = [&own.min, &own.max, &key.min, &key.max].map(number);
    match ends {
        [Some(min), Some(max), Some(least), Some(most)] if shape == Shape::Number => min <= most && least <= max,
        _ => true,
    }
}

/// Describes the result of an inclusion check for users.
fn describe_inclusion(found: Inclusion, from: &Unit, own: &[&str], to: &Unit, referenced: &[&str]) -> String {
    let said = |unit: &Unit, columns: &[&str]| match columns {
        [only] => format!("{}.{only}", unit.table.name),
        several => format!("{}({})", unit.table.name, several.join(", ")),
    };
    let (values, noun) = (format_english_number(found.values), if own.len() > 1 { "combinations" } else { "values" });
    let sampled = if found.whole { "" } else { " in a sample" };
    let count = match found.missing {
        0 => format!("all {values} {noun}"),
        missing => format!("{} of {values} {noun}", format_english_number(found.values - missing)),
    };
    format!("{count} of {}{sampled} are in {}", said(from, own), said(to, referenced))
}
