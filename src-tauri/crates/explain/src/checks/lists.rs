//! Checks lists: rows that occur repeatedly because a join matched them several times.

use super::flow::{Flow, format_row_count};
use super::partners::Partners;
use std::collections::{BTreeSet, HashMap};
use vitrine_domain::ExplanationCheck;
use vitrine_sql_steps::{Expression, StepKind, identifier_words};
use vitrine_words::{format_number, join_with_and, tr};

impl Flow<'_> {
    /// Reports equal rows of the result if all their columns are of tables whose rows a join repeats. An order by a
    /// table that is not repeated asks for each of its rows.
    pub(super) fn check_repeated_list(&self, partners: &HashMap<usize, Partners>) -> Option<(usize, ExplanationCheck)> {
        if !self.wanted.borrow().is_empty() {
            // The multiplicities of joins are not known yet.
            return None;
        }
        let last = self.steps.steps().len().checked_sub(1)?;
        let path: Vec<usize> = std::iter::once(last).chain(self.passed_steps(last)).collect();
        let is_reshaped = |at: &usize| {
            matches!(
                self.step(*at).kind,
                StepKind::Group { .. }
                    | StepKind::Window { .. }
                    | StepKind::Distinct
                    | StepKind::SetOperation { .. }
                    | StepKind::Query { .. }
                    | StepKind::Order { distinct: true, .. }
            )
        };
        if path.iter().any(is_reshaped) {
            return None;
        }
        // Only unchanged columns belong to one table.
        let origins: Option<Vec<_>> = self.step(last).columns.iter().map(|column| column.origin.as_ref()).collect();
        let shown: BTreeSet<&String> = origins?.into_iter().map(|origin| &origin.table).collect();
        let joins = *path.iter().find(|at| matches!(self.step(**at).kind, StepKind::Join { .. }))?;
        let single = self.unrepeated_tables(&self.step(joins).name, partners);
        let is_single = |table: &String| single.contains(table);
        let ordered = path.iter().flat_map(|at| match &self.step(*at).kind {
            StepKind::Order { keys, .. } => keys.as_slice(),
            _ => &[],
        });
        let is_per_row = ordered.flat_map(|key| tables_of(&key.value)).any(is_single);
        if shown.is_empty() || shown.iter().any(|table| is_single(table)) || is_per_row {
            return None;
        }
        let name = &self.step(last).name;
        let rows = self.row_count(name);
        let different = self.request_number(format!("SELECT COUNT(*) FROM (SELECT DISTINCT * FROM {name}) AS listed"));
        let (rows, different) = (rows?, different?);
        let tables: Vec<String> = shown.into_iter().map(|table| identifier_words(table)).collect();
        let text = tr!(
            "Only {different} of {rows} are distinct: a join lists {tables} once for each match",
            different = format_number(different),
            rows = format_row_count(rows),
            tables = join_with_and(&tables)
        );
        (different < rows).then(|| (last, self.build_check(last, "rows-repeated", true, text)))
    }
}

fn tables_of(expression: &Expression) -> impl Iterator<Item = &String> {
    expression.columns.iter().map(|origin| &origin.table)
}
