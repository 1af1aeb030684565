//! Counts exactly, by separate queries, how the rows of two sides match in a join.

use super::flow::Flow;
use std::collections::HashMap;
use vitrine_sql::DialectExt;
use vitrine_sql::facts::parse_joined;
use vitrine_sql_steps::{JoinKind, StepKind};

/// Row counts of one side of a join.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    /// The number of its rows.
    pub rows: u64,
    /// The number of unmatched rows.
    pub lost: u64,
    /// The number of unmatched rows whose join column is NULL.
    pub empty: u64,
}

/// Row counts of a join.
#[derive(Debug, Clone, Copy)]
pub(super) struct Partners {
    pub left: Side,
    pub right: Side,
    /// The number of matching pairs of rows.
    pub pairs: u64,
}

impl Side {
    fn matched_rows(self) -> u64 {
        self.rows - self.lost.min(self.rows)
    }
}

impl Partners {
    /// Returns true if a row of the left side has several matches.
    pub fn multiplies_left(self) -> bool {
        self.pairs > self.left.matched_rows()
    }

    /// Returns true if a row of the right side has several matches.
    pub fn multiplies_right(self) -> bool {
        self.pairs > self.right.matched_rows()
    }
}

/// Returns the counts of all joins that can be counted, by the indices of their steps.
pub(super) fn count_partners(flow: &Flow<'_>) -> HashMap<usize, Partners> {
    let mut found = HashMap::new();
    for at in 0..flow.steps.steps().len() {
        if let Some(partners) = flow.join_partners(at) {
            found.insert(at, partners);
        }
    }
    found
}

impl Flow<'_> {
    fn join_partners(&self, at: usize) -> Option<Partners> {
        let step = self.step(at);
        let StepKind::Join { kind: kind @ (JoinKind::Inner | JoinKind::Left), left, right, .. } = &step.kind else {
            return None;
        };
        let parts = parse_joined(&step.sql, self.catalog.dialect)?;
        let (of_left, of_right): (Vec<&str>, Vec<&str>) =
            parts.keys.iter().map(|(left, right)| (left.as_str(), right.as_str())).unzip();
        // NOT EXISTS uses the join's own comparison, but must not read the other side once per row.
        let by_list = parts.by_keys_alone && !self.catalog.dialect.sql().executes_not_exists_as_anti_join();
        let none = |own: &str, keys: &[&str], other: &str, others: &[&str]| match by_list {
            true => format!(
                "SELECT COUNT(*) FROM {own} WHERE {} OR {}",
                null_condition(keys),
                anti_join_condition(keys, other, others)
            ),
            false => format!("SELECT COUNT(*) FROM {own} WHERE NOT EXISTS (SELECT 1 FROM {other} WHERE {})", parts.on),
        };
        let empty = |own: &str, keys: &[&str]| match keys {
            [] => "SELECT 0".to_owned(),
            keys => format!("SELECT COUNT(*) FROM {own} WHERE {}", null_condition(keys)),
        };
        let queries = [
            none(&parts.left, &of_left, &parts.right, &of_right),
            none(&parts.right, &of_right, &parts.left, &of_left),
            empty(&parts.left, &of_left),
            empty(&parts.right, &of_right),
        ];
        // All numbers are requested before any is used, so that a single statement returns them.
        let lost = self.request_numbers(queries);
        let rows = [&step.name, left, right].map(|name| self.row_count(name));
        let (&[left_lost, right_lost, left_empty, right_empty], [Some(out), Some(left_rows), Some(right_rows)]) =
            (lost.as_deref()?, rows)
        else {
            return None;
        };
        let kept = if *kind == JoinKind::Left { left_lost } else { 0 };
        Some(Partners {
            left: Side { rows: left_rows, lost: left_lost, empty: left_empty },
            right: Side { rows: right_rows, lost: right_lost, empty: right_empty },
            pairs: out.checked_sub(kept)?,
        })
    }
}

/// Returns a condition that holds if one of the values is NULL.
fn null_condition(keys: &[&str]) -> String {
    keys.iter().map(|key| format!("{key} IS NULL")).collect::<Vec<_>>().join(" OR ")
}

/// Returns a condition for values that the other side lacks, which engines evaluate with a hash table.
fn anti_join_condition(keys: &[&str], other: &str, others: &[&str]) -> String {
    let there: Vec<String> = others.iter().map(|key| format!("{key} IS NOT NULL")).collect();
    let list = format!("SELECT {} FROM {other} WHERE {}", others.join(", "), there.join(" AND "));
    format!("({}) NOT IN ({list})", keys.join(", "))
}
