//! Profiles each path within nested values like a column (ProSPy, semi-structured columns).
//!
//! ProSPy rewrites each leaf into a scalar expression and queries it. Here the values are read once and parsed, so that
//! every engine gives the same answer and each column takes one query.

use super::assemble::{Rows, assemble_column_profile, most_frequent};
use super::dates;
use super::infer::{Facts, Judgement};
use super::nested::{Nested, NestedPath};
use super::numbers::{by_value, mean_and_deviation};
use super::queries::{CELL, TOP};
use std::collections::{BTreeSet, HashMap};
use vitrine_domain::{ColumnProfile, NumberForm};
use vitrine_sql::dialect::TypeFamily;

/// Profiles all paths of nested values in the given rows.
pub(super) fn profile_fields(nested: Nested, rows: Rows) -> Vec<ColumnProfile> {
    let places = nested.into_paths(rows.read);
    places.into_iter().map(|place| profile_field(place, rows)).collect()
}

fn profile_field(place: NestedPath, rows: Rows) -> ColumnProfile {
    let family = infer_family(&place.types);
    let mut counts: HashMap<&str, u64> = HashMap::new();
    for leaf in &place.leaves {
        *counts.entry(leaf).or_default() += 1;
    }
    let distinct = counts.len() as u64;
    let numeric = matches!(family, TypeFamily::Integer | TypeFamily::Float);
    // Equal numbers in different notations are ordered as text, so that the same one is always chosen.
    let order = |a: &&str, b: &&str| if numeric { by_value(a, b).then(a.cmp(b)) } else { a.cmp(b) };
    let mut facts = Facts {
        // The last key describes the value best; the keys before it would mislead.
        name: place.key,
        family: Some(family),
        declared: place.data_type,
        count: place.present,
        distinct,
        min: counts.keys().copied().min_by(order).map(str::to_owned),
        max: counts.keys().copied().max_by(order).map(str::to_owned),
        longest: counts.keys().map(|leaf| leaf.chars().count() as u64).max().unwrap_or(0),
        ..Facts::default()
    };
    let top = most_frequent(counts.into_iter().map(|(leaf, n)| (leaf.chars().take(CELL).collect(), n)).collect());
    facts.sample = place.leaves;
    let judged = facts.infer_judgement();
    if facts.is_numeric(&judged)
        && let Some((mean, stddev)) =
            mean_and_deviation(facts.sample.iter().filter_map(|leaf| leaf.trim().parse().ok()))
    {
        (facts.mean, facts.stddev) = (Some(mean), stddev);
    }
    let range = hidden_range(&facts, &judged);
    let top = if facts.has_repeated_values(&judged) { &top[..top.len().min(TOP + 1)] } else { &[] };
    let of_all = |total| (u128::from(place.chances) * u128::from(total) / u128::from(rows.read.max(1))) as u64;
    let total = rows.total.map(of_all);
    let rows = Rows { read: place.chances, total, whole: rows.whole };
    ColumnProfile { name: place.path, ..assemble_column_profile(&facts, &judged, top, range.as_ref(), rows) }
}

/// Returns the family of a path by its JSON types.
fn infer_family(types: &BTreeSet<&str>) -> TypeFamily {
    let only = |known: &[&str]| types.iter().all(|t| known.contains(t));
    match types {
        _ if only(&["dict", "list"]) => TypeFamily::Nested,
        _ if only(&["boolean"]) => TypeFamily::Boolean,
        _ if only(&["integer"]) => TypeFamily::Integer,
        _ if only(&["float", "integer"]) => TypeFamily::Float,
        _ => TypeFamily::Text,
    }
}

/// Returns the first and last moment, or the smallest and largest number, of text that contains them.
fn hidden_range(facts: &Facts, judged: &Judgement) -> Option<(String, String)> {
    let hidden = judged.hidden.as_deref().filter(|_| facts.family == Some(TypeFamily::Text))?;
    let leaves = facts.sample.iter().map(|leaf| leaf.trim()).filter(|leaf| !leaf.is_empty());
    if NumberForm::from_hidden(hidden) == Some(NumberForm::PLAIN) {
        let min = leaves.clone().min_by(|a, b| by_value(a, b))?;
        return Some((min.to_owned(), leaves.max_by(|a, b| by_value(a, b))?.to_owned()));
    }
    let moments = leaves.filter_map(|leaf| dates::parse_date(hidden, leaf));
    Some((moments.clone().min()?, moments.max()?))
}
