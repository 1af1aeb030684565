//! Groups: sums and counts over rows that joins repeat, shares whose part is the whole.

use super::Flow;
use crate::sentences::capital;
use std::collections::{BTreeSet, HashMap};
use vitrine_catalog::grouped;
use vitrine_domain::ExplanationCheck;
use vitrine_sql::facts::{Condition, Grouping, Total, conditions, conditions_of, groupings};
use vitrine_sql_steps::{Aggregate, Expression, JoinKind, StepKind, listed, phrase, spaced};

/// How often the rows of a table stand in the groups, and how many different ones these are.
type Repetition = (u64, u64);

/// Sums and counts over repeated rows, each with the place of its step.
pub(super) async fn repeated(flow: &Flow<'_>) -> Vec<(usize, ExplanationCheck)> {
    let mut found = Vec::new();
    for grouping in groupings(flow.sql, flow.catalog) {
        let Some(rows) = flow.repetitions(&grouping).await else { continue };
        let checks = grouping.totals.iter().filter_map(|total| flow.multiplied(&grouping, total, &rows));
        checks.for_each(|check| {
            if !found.contains(&check) {
                found.push(check);
            }
        });
    }
    found
}

impl Flow<'_> {
    async fn repetitions(&self, grouping: &Grouping) -> Option<HashMap<usize, Repetition>> {
        let rows = self.runner.numbers(&grouping.counts).await?;
        let read = |row: Vec<Option<u64>>| match row.as_slice() {
            [Some(at), all, different] => {
                Some((usize::try_from(*at).ok()?, (all.unwrap_or(0), different.unwrap_or(0))))
            }
            _ => None,
        };
        Some(rows.into_iter().filter_map(read).collect())
    }

    fn multiplied(
        &self,
        grouping: &Grouping,
        total: &Total,
        rows: &HashMap<usize, Repetition>,
    ) -> Option<(usize, ExplanationCheck)> {
        let repeats = |at: &usize| rows.get(at).is_some_and(|(all, different)| all > different);
        total.places.iter().all(repeats).then_some(())?;
        let (step, aggregate) = self.step_of(total)?;
        let named = |at: usize| grouping.from[at].as_deref().map(spaced).unwrap_or_default();
        let said = capital(&self.say(&aggregate.value));
        // Each row of the result is one row of what stands once.
        let once = |at: &usize| grouping.from[*at].is_none() || !repeats(at);
        let single = (0..grouping.from.len()).find(once);
        if total.counts_rows {
            let tables: BTreeSet<String> = (0..grouping.from.len()).map(named).collect();
            (single.is_none() && tables.len() == grouping.from.len()).then_some(())?;
            let most = rows.values().map(|(all, _)| *all).max()?;
            let tables = listed(&tables.into_iter().collect::<Vec<_>>());
            let text = format!("{said} counts {} combinations: rows of {tables} repeat each other", grouped(most));
            return Some((step, self.check(step, "rows-multiplied", true, text)));
        }
        let at = *total.places.first()?;
        let (all, different) = rows.get(&at)?;
        // Where each group is about one row, its key is counted for each row that belongs to it, and its average is itself.
        let groups = rows.get(&grouping.from.len()).map_or(0, |(groups, _)| *groups);
        (total.function == "sum" || total.function == "total" || *different > groups).then_some(())?;
        // `sale JOIN product`: the product's price counts for each sale. Not so `product JOIN sale`.
        let is_looked_up = single.is_some_and(|single| single < at);
        let text = format!(
            "{said} takes {} rows of {}, of which only {} are different: a join repeats them",
            grouped(*all),
            named(at),
            grouped(*different)
        );
        Some((step, self.check(step, "rows-multiplied", !is_looked_up, text)))
    }

    /// The step that computes a total, and what it is there.
    fn step_of(&self, total: &Total) -> Option<(usize, &Aggregate)> {
        let same = |aggregate: &&Aggregate| {
            let mut columns: Vec<(String, String)> = aggregate
                .argument
                .iter()
                .flat_map(|argument| &argument.columns)
                .map(|origin| (origin.table.to_lowercase(), origin.column.to_lowercase()))
                .collect();
            columns.sort();
            columns.dedup();
            aggregate.function == total.function && !aggregate.distinct && columns == total.columns
        };
        self.steps.steps().iter().enumerate().find_map(|(at, step)| match &step.kind {
            StepKind::Group { aggregates, .. } => Some((at, aggregates.iter().find(same)?)),
            _ => None,
        })
    }

    /// Parts of a group by conditions that all of its rows meet, or that none can meet.
    pub(super) fn shares(&self, at: usize, aggregates: &[Aggregate]) -> Vec<ExplanationCheck> {
        let met = self.met(at);
        let mut found = Vec::new();
        for aggregate in aggregates {
            for counts in conditions_of(&aggregate.value.text, self.catalog.dialect) {
                found.extend(self.unknown_part(at, &aggregate.value, &counts));
                let implied = met.iter().any(|filter| {
                    let all = conditions(&filter.text, self.catalog.dialect);
                    all.iter()
                        .any(|met| met.implies(&counts) && self.same_columns(filter, met, &aggregate.value, &counts))
                });
                if implied {
                    let said = phrase(&counts.text, self.catalog.dialect);
                    let text =
                        format!("Takes the part where {said}, but only such rows are left: the part is the whole");
                    found.push(self.check(at, "share-of-filter", true, text));
                }
            }
        }
        found.dedup();
        found
    }

    /// Whether two conditions, each a part of an expression, are of the same columns.
    fn same_columns(&self, one: &Expression, met: &Condition, other: &Expression, counts: &Condition) -> bool {
        let origin = |expression, condition: &Condition| {
            let value = condition.comparison.as_ref().filter(|c| c.is_column).map(|c| c.value.clone())?;
            self.origin_of(expression, &value).cloned()
        };
        match (origin(one, met), origin(other, counts)) {
            (Some(one), Some(other)) => one == other,
            _ => !one.columns.is_empty() && one.columns.iter().all(|column| other.columns.contains(column)),
        }
    }

    /// What all rows meet that go into a step.
    fn met(&self, at: usize) -> Vec<&Expression> {
        let before = self.passed(at).into_iter().flat_map(|before| match &self.step(before).kind {
            StepKind::Table { filters, .. } => filters.as_slice(),
            StepKind::Filter { conditions } => conditions.as_slice(),
            StepKind::Join { kind: JoinKind::Inner, condition: Some(condition), .. } => std::slice::from_ref(condition),
            _ => &[],
        });
        before.collect()
    }
}
