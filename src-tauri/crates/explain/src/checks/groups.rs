//! Checks groups: sums and counts over rows that joins repeat, and shares whose part is the whole.

use super::flow::{Asked, Flow};
use super::partners::Partners;
use std::collections::{BTreeSet, HashMap};
use vitrine_domain::{ExplanationCheck, capitalize_first};
use vitrine_sql::facts::{Condition, Grouping, Total, conditions_of, find_groupings, parse_conditions};
use vitrine_sql_steps::{Aggregate, Expression, JoinKind, StepKind, describe_sql, identifier_words};
use vitrine_words::{format_number, join_with_and, tr};

/// Numbers of occurrences of rows of the joined tables in groups.
struct Repetitions {
    /// For each table by index: the number of its rows in the groups, and of distinct rows in each.
    tables: Vec<Option<(u64, u64)>>,
    groups: u64,
}

/// Returns checks of sums and counts over repeated rows, each with the index of its step.
pub(super) fn check_repeated_rows(
    flow: &Flow<'_>,
    partners: &HashMap<usize, Partners>,
) -> Vec<(usize, ExplanationCheck)> {
    let mut found = Vec::new();
    if !flow.wanted.borrow().is_empty() {
        // The multiplicities of joins are not known yet.
        return found;
    }
    for mut grouping in find_groupings(flow.sql, flow.catalog) {
        let totals = std::mem::take(&mut grouping.totals);
        grouping.totals = totals.into_iter().filter(|total| flow.may_repeat(&grouping, total, partners)).collect();
        let Some(rows) = flow.count_repetitions(&grouping) else { continue };
        let checks = grouping.totals.iter().filter_map(|total| flow.check_multiplied_rows(&grouping, total, &rows));
        checks.for_each(|check| {
            if !found.contains(&check) {
                found.push(check);
            }
        });
    }
    found
}

impl Flow<'_> {
    /// Returns true if the rows of each table that a total uses may occur repeatedly in a group, judged by the
    /// multiplicities of the joins before it.
    fn may_repeat(&self, grouping: &Grouping, total: &Total, partners: &HashMap<usize, Partners>) -> bool {
        self.steps_of(total).any(|(at, _)| {
            let single =
                self.step(at).reads.first().map(|read| self.unrepeated_tables(read, partners)).unwrap_or_default();
            let is_single = |at: &usize| grouping.from[*at].as_ref().is_some_and(|table| single.contains(table));
            !total.places.iter().any(is_single)
        })
    }

    /// Returns the tables whose rows occur at most once in a step.
    pub(super) fn unrepeated_tables(&self, name: &str, partners: &HashMap<usize, Partners>) -> Vec<String> {
        let Some(at) = self.step_index(name) else { return vec![name.to_owned()] };
        match &self.step(at).kind {
            StepKind::Table { table, .. } => vec![table.clone()],
            StepKind::Filter { .. } | StepKind::Project { .. } | StepKind::Window { .. } => {
                self.step(at).reads.first().map(|read| self.unrepeated_tables(read, partners)).unwrap_or_default()
            }
            StepKind::Join { left, right, .. } => {
                let Some(joined) = partners.get(&at) else { return Vec::new() };
                let of = |side: &str, other: &str, multiplies: bool| {
                    let own = if multiplies { Vec::new() } else { self.unrepeated_tables(side, partners) };
                    // A table on both sides is ambiguous.
                    own.into_iter().filter(|table| !self.joined_tables(other).contains(table)).collect::<Vec<_>>()
                };
                let mut single = of(left, right, joined.multiplies_left());
                single.extend(of(right, left, joined.multiplies_right()));
                single
            }
            _ => Vec::new(),
        }
    }

    fn count_repetitions(&self, grouping: &Grouping) -> Option<Repetitions> {
        if grouping.totals.is_empty() {
            return None;
        }
        let number = |query: &String| self.request_result(Asked::OfTables(query.clone()));
        let groups = number(&grouping.groups);
        let of = |rows: &Option<(String, String)>| {
            let (all, different) = rows.as_ref()?;
            let (all, different) = (number(all), number(different));
            Some((all?, different?))
        };
        let tables = grouping.rows.iter().map(of).collect();
        Some(Repetitions { tables, groups: groups? })
    }

    fn check_multiplied_rows(
        &self,
        grouping: &Grouping,
        total: &Total,
        rows: &Repetitions,
    ) -> Option<(usize, ExplanationCheck)> {
        let repeats = |at: &usize| rows.tables[*at].is_some_and(|(all, different)| all > different);
        total.places.iter().all(repeats).then_some(())?;
        let (step, aggregate) = self.steps_of(total).next()?;
        let named = |at: usize| grouping.from[at].as_deref().map(identifier_words).unwrap_or_default();
        let said = capitalize_first(&self.describe_expression(&aggregate.value));
        // Each result row corresponds to one row of a table that is not repeated.
        let once = |at: &usize| grouping.from[*at].is_none() || !repeats(at);
        let single = (0..grouping.from.len()).find(once);
        if total.counts_rows {
            let tables: BTreeSet<String> = (0..grouping.from.len()).map(named).collect();
            (single.is_none() && tables.len() == grouping.from.len()).then_some(())?;
            let most = rows.tables.iter().flatten().map(|(all, _)| *all).max()?;
            let tables = join_with_and(&tables.into_iter().collect::<Vec<_>>());
            let text = tr!(
                "{total} counts {count} combinations: rows of {tables} multiply each other",
                total = said,
                count = format_number(most),
                tables
            );
            return Some((step, self.build_check(step, "rows-multiplied", true, text)));
        }
        let at = *total.places.first()?;
        let (all, different) = rows.tables[at]?;
        // If each group belongs to one row, counting its key gives the number of its matches, and its average is
        // unchanged.
        (total.function == "sum" || total.function == "total" || different > rows.groups).then_some(())?;
        // In `sale JOIN product`, the product's price counts for each sale; in `product JOIN sale` it does not.
        let is_looked_up = single.is_some_and(|single| single < at);
        let text = tr!(
            "{total} takes {all} rows of {table}, of which only {different} are distinct: a join repeats them",
            total = said,
            all = format_number(all),
            table = named(at),
            different = format_number(different)
        );
        Some((step, self.build_check(step, "rows-multiplied", !is_looked_up, text)))
    }

    /// Returns the steps that compute a total, with the total.
    fn steps_of(&self, total: &Total) -> impl Iterator<Item = (usize, &Aggregate)> {
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
        self.steps.steps().iter().enumerate().filter_map(move |(at, step)| match &step.kind {
            StepKind::Group { aggregates, .. } => Some((at, aggregates.iter().find(same)?)),
            _ => None,
        })
    }

    /// Reports conditional parts of a group whose condition all of its rows meet, or none can meet.
    pub(super) fn check_conditional_parts(&self, at: usize, aggregates: &[Aggregate]) -> Vec<ExplanationCheck> {
        let met = self.met_conditions(at);
        let mut found = Vec::new();
        for aggregate in aggregates {
            for counts in conditions_of(&aggregate.value.text, self.catalog.dialect) {
                found.extend(self.unknown_part(at, &aggregate.value, &counts));
                let implied = met.iter().any(|filter| {
                    let all = parse_conditions(&filter.text, self.catalog.dialect);
                    all.iter()
                        .any(|met| met.implies(&counts) && self.same_columns(filter, met, &aggregate.value, &counts))
                });
                if implied {
                    let text = tr!(
                        "Takes the part where {condition}, but only such rows are left: the part is the whole",
                        condition = describe_sql(&counts.text, self.catalog.dialect)
                    );
                    found.push(self.build_check(at, "share-of-filter", true, text));
                }
            }
        }
        found.dedup();
        found
    }

    /// Returns true if two conditions, each a part of an expression, use the same columns.
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

    /// Returns the conditions that all input rows of a step meet.
    fn met_conditions(&self, at: usize) -> Vec<&Expression> {
        let before = self.passed_steps(at).into_iter().flat_map(|before| match &self.step(before).kind {
            StepKind::Table { filters, .. } => filters.as_slice(),
            StepKind::Filter { conditions } => conditions.as_slice(),
            StepKind::Join { kind: JoinKind::Inner, condition: Some(condition), .. } => std::slice::from_ref(condition),
            _ => &[],
        });
        before.collect()
    }
}
