//! Checks outer joins: a condition that removes unmatched rows again, and a count that includes them as matches.

use super::flow::Flow;
use super::partners::Partners;
use std::collections::HashMap;
use vitrine_domain::ExplanationCheck;
use vitrine_sql::facts::parse_conditions;
use vitrine_sql_steps::{Expression, JoinKind, Origin, Output, StepKind};
use vitrine_words::{plural, tr};

/// A join that keeps unmatched rows of its left side.
struct Outer {
    at: usize,
    left: String,
    right: String,
    /// The tables of the right side; none of them is also on the left.
    tables: Vec<String>,
}

impl Flow<'_> {
    /// Reports a condition on columns that are NULL in unmatched rows.
    pub(super) fn check_undone_join(
        &self,
        at: usize,
        asked: &[Expression],
        partners: &HashMap<usize, Partners>,
    ) -> Option<ExplanationCheck> {
        let outer = self.find_left_join(at)?;
        let (condition, column) = asked.iter().find_map(|expression| {
            let own = |origin: &&Origin| outer.tables.contains(&origin.table);
            let needs: Vec<String> =
                parse_conditions(&expression.text, self.catalog.dialect).into_iter().flat_map(|c| c.needs).collect();
            let is_needed =
                |origin: &&Origin| needs.iter().any(|name| unqualified_name(name).eq_ignore_ascii_case(&origin.column));
            Some((expression, expression.columns.iter().find(|origin| own(origin) && is_needed(origin))?))
        })?;
        self.was_to_stay(at, &outer).then_some(())?;
        let lost = partners.get(&outer.at).map(|partners| partners.left).filter(|side| side.lost > 0);
        let lost = lost.map(|side| {
            let rows = self.rows_called(&outer.left, side.rows);
            plural!(side.lost, "{n} of the {rows} has none", "{n} of the {rows} have none", rows)
        });
        let text = tr!(
            "The join keeps rows of {left} that have no partner in {right}, but only rows where {condition} stay",
            left = self.describe_source(&outer.left),
            right = self.describe_source(&column.table),
            condition = self.describe_expression(condition)
        );
        let text = lost.map_or_else(|| text.clone(), |lost| tr!("{text}; {lost}", text, lost));
        Some(self.build_check(at, "left-join-undone", true, text))
    }

    /// Returns true if unmatched rows of the left side seem intended: values are computed for each row, or the joined
    /// columns are shown.
    fn was_to_stay(&self, at: usize, outer: &Outer) -> bool {
        let of_right = |origin: &Origin| outer.tables.contains(&origin.table);
        match self.grouped_after(at).map(|(group, _)| &self.step(group).kind) {
            Some(StepKind::Group { keys, aggregates, .. }) => {
                let columns =
                    |keys: &[Output]| keys.iter().flat_map(|key| key.value.columns.clone()).collect::<Vec<_>>();
                let keys = columns(keys);
                !aggregates.is_empty() && !keys.is_empty() && !keys.iter().any(of_right)
            }
            _ => {
                let shown = self.steps.steps().last().into_iter().flat_map(|step| &step.columns);
                let shown: Vec<&Origin> = shown.filter_map(|column| column.origin.as_ref()).collect();
                shown.iter().any(|origin| of_right(origin)) && !shown.iter().all(|origin| of_right(origin))
            }
        }
    }

    /// Reports `COUNT(*)` over rows that include unmatched ones.
    pub(super) fn counted_without_partner(
        &self,
        at: usize,
        partners: &HashMap<usize, Partners>,
    ) -> Option<ExplanationCheck> {
        let StepKind::Group { keys, aggregates, .. } = &self.step(at).kind else { return None };
        let counts_rows = |a: &&vitrine_sql_steps::Aggregate| {
            a.function == "count" && !a.distinct && a.argument.iter().all(|argument| argument.columns.is_empty())
        };
        aggregates.iter().find(counts_rows)?;
        let outer = self.find_left_join(at)?;
        let by_right =
            keys.iter().flat_map(|key| &key.value.columns).any(|origin| outer.tables.contains(&origin.table));
        let known = partners.get(&outer.at).filter(|p| p.multiplies_left() && p.left.lost > 0 && !by_right)?;
        let text = plural!(
            known.left.lost,
            "{n} row of {left} has no partner in {right}, but is counted as if there were one",
            "{n} rows of {left} have no partner in {right}, but are counted as if there were one",
            left = self.describe_source(&outer.left),
            right = self.describe_source(&outer.right)
        );
        Some(self.build_check(at, "left-join-counted", true, text))
    }

    /// Returns the nearest left join below a step, if nothing in between uses the joined table.
    fn find_left_join(&self, at: usize) -> Option<Outer> {
        let mut between: Vec<&Origin> = Vec::new();
        let mut name = self.step(at).reads.first()?;
        loop {
            let here = self.step_index(name)?;
            match &self.step(here).kind {
                StepKind::Join { kind: JoinKind::Left, left, right, .. } => {
                    let (kept, tables) = (self.joined_tables(left), self.joined_tables(right));
                    let clear = !tables.iter().any(|table| kept.contains(table))
                        && !between.iter().any(|origin| tables.contains(&origin.table));
                    if clear {
                        return Some(Outer { at: here, left: left.clone(), right: right.clone(), tables });
                    }
                    name = left;
                }
                StepKind::Join { kind: JoinKind::Inner, left, condition, .. } => {
                    between.extend(condition.iter().flat_map(|condition| &condition.columns));
                    name = left;
                }
                StepKind::Filter { conditions } => {
                    between.extend(conditions.iter().flat_map(|condition| &condition.columns));
                    name = self.step(here).reads.first()?;
                }
                StepKind::Project { .. } | StepKind::Window { .. } => name = self.step(here).reads.first()?,
                _ => return None,
            }
        }
    }
}

/// Returns a column's name without its table.
fn unqualified_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name).trim_matches(['"', '`', '[', ']'])
}
