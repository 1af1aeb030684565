//! Assembles the profile of a column, or of a path within one, from collected facts.

use super::dates;
use super::infer::{Facts, Judgement};
use super::numbers::round_significant;
use super::queries::TOP;
use crate::text::{one_line, value_line};
use std::collections::{BTreeMap, HashSet};
use vitrine_domain::{ColumnProfile, SemanticKind as K};
use vitrine_sql::dialect::TypeFamily;

/// Number of samples kept for each column, and their maximum length in characters.
const SAMPLES: usize = 5;
const SAMPLE_LENGTH: usize = 50;

/// Numbers of rows that facts were computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rows {
    pub read: u64,
    /// Number of rows of the whole table; `None` if unknown.
    pub total: Option<u64>,
    /// True if all rows were read.
    pub whole: bool,
}

/// Builds a profile from facts, their judgement, the most frequent values (one more than [`TOP`] shows that there are
/// others) and the range of values that text contains.
pub(super) fn assemble_column_profile(
    facts: &Facts,
    judged: &Judgement,
    top: &[(String, u64)],
    range: Option<&(String, String)>,
    rows: Rows,
) -> ColumnProfile {
    let Rows { read, total, whole } = rows;
    let (min, max) = match (judged.kind, judged.hidden.as_deref(), range) {
        (_, _, Some((min, max))) => (Some(min.clone()), Some(max.clone())),
        (K::Time, Some(format), None) => {
            let moment = |text: &Option<String>| -> Option<String> {
                let text = text.as_deref()?.trim();
                match facts.family {
                    Some(TypeFamily::Integer) => dates::integer_moment(format, text.parse().ok()?),
                    _ if dates::sorts_as_text(format) => dates::parse_date(format, text),
                    _ => None,
                }
            };
            (moment(&facts.min), moment(&facts.max))
        }
        (K::Time | K::Metric | K::Dimension | K::Identifier | K::Geo, None, None) => {
            (facts.min.clone(), facts.max.clone())
        }
        _ => (None, None),
    };
    let complete = judged.kind == K::Dimension && whole && !top.is_empty() && top.len() <= TOP;
    let opaque = facts.family == Some(TypeFamily::Binary);
    let distinct = match (complete, opaque) {
        (true, _) => top.len() as u64,
        (false, true) => 0,
        // Nearly unique values in a sample are assumed to be nearly unique in the whole table.
        _ => match total.filter(|_| !whole && facts.distinct * 10 >= facts.count * 9) {
            Some(total) => (u128::from(facts.distinct) * u128::from(total) / u128::from(read.max(1))) as u64,
            None => facts.distinct,
        },
    };
    let geometries = if judged.kind == K::Geo { geometry_types(facts) } else { Vec::new() };
    let top: Vec<(String, u64)> =
        if geometries.is_empty() { top.iter().take(TOP).cloned().collect() } else { geometries };
    let mean = facts.mean.filter(|_| facts.is_numeric(judged));
    ColumnProfile {
        name: facts.name.clone(),
        data_type: facts.declared.clone(),
        kind: judged.kind,
        null_ratio: if read == 0 { 0.0 } else { (read - facts.count.min(read)) as f64 / read as f64 },
        distinct,
        min: min.map(|t| one_line(&t, SAMPLE_LENGTH)),
        max: max.map(|t| one_line(&t, SAMPLE_LENGTH)),
        mean: mean.map(round_significant),
        // If the mean is not finite, the deviation would describe only the other values.
        stddev: mean.filter(|m| m.is_finite()).and(facts.stddev).and_then(|s| round_significant(s).parse().ok()),
        samples: select_samples(facts, judged.kind, &top),
        top,
        complete,
        hidden: judged.hidden.clone(),
        paths: Vec::new(),
        fields: Vec::new(),
    }
}

/// Returns example values: frequent ones first if values repeat, otherwise in row order.
fn select_samples(facts: &Facts, kind: K, top: &[(String, u64)]) -> Vec<String> {
    let repeated = top.iter().filter(|(_, count)| *count > 1).map(|(value, _)| value);
    let frequent = repeated.filter(|_| matches!(kind, K::Dimension | K::Text));
    let mut seen = HashSet::new();
    frequent
        .chain(&facts.sample)
        .map(|value| value_line(value, SAMPLE_LENGTH))
        .filter(|value| !value.trim().is_empty() && seen.insert(value.clone()))
        .take(SAMPLES)
        .collect()
}

/// Counts the types of geometry.
fn geometry_types(facts: &Facts) -> Vec<(String, u64)> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for found in facts.sample_geometries() {
        *counts.entry(found.name).or_default() += 1;
    }
    most_frequent(counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect())
}

/// Sorts by descending count, then by value.
pub(super) fn most_frequent(mut counts: Vec<(String, u64)>) -> Vec<(String, u64)> {
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts
}
