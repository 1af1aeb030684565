//! `EXPLAIN QUERY PLAN`: a row for each step, with its ID and the ID of its parent. SQLite returns no estimates.

use std::collections::HashMap;
use vitrine_domain::PlanStep;

/// Builds the tree of steps; invalid rows are skipped.
pub(super) fn build_steps(rows: &[Vec<Option<String>>]) -> Vec<PlanStep> {
    let mut below: HashMap<&str, Vec<(&str, &str)>> = HashMap::new();
    for row in rows {
        if let [Some(id), Some(parent), _, Some(label)] = row.as_slice()
            // A parent has a smaller ID than its children.
            && id.parse::<i64>().ok() > parent.parse::<i64>().ok()
        {
            below.entry(parent).or_default().push((id, label));
        }
    }
    build_children("0", &below)
}

fn build_children(parent: &str, below: &HashMap<&str, Vec<(&str, &str)>>) -> Vec<PlanStep> {
    let steps = below.get(parent).into_iter().flatten();
    steps
        .map(|(id, label)| PlanStep {
            label: (*label).to_owned(),
            children: build_children(id, below),
            ..PlanStep::default()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_name_themselves_as_above_or_nothing_are_no_steps() {
        let row = |cells: [&str; 4]| cells.map(|cell| Some(cell.to_owned())).to_vec();
        let told = build_steps(&[
            row(["3", "0", "0", "SCAN a"]),
            row(["4", "4", "0", "b"]),
            row(["x", "0", "0", "c"]),
            Vec::new(),
        ]);
        assert_eq!(told.len(), 1);
        assert!(told[0].label == "SCAN a" && told[0].children.is_empty());
    }
}
