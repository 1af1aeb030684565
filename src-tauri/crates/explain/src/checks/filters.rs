//! Checks filters that keep all or no rows, and NOT IN lists with a NULL.

use super::flow::Flow;
use vitrine_domain::{ExplanationCheck, capitalize_first};
use vitrine_sql::facts::{Condition, Filtered, parse_filtered};
use vitrine_sql_steps::{Expression, StepKind};
use vitrine_words::{join_with_and, plural, tr};

/// A filter with the information that checks need.
pub(super) struct Filter<'a> {
    /// The index of its step.
    pub at: usize,
    /// Its conditions as shown to the user.
    pub asked: &'a [Expression],
    /// Its conditions as the step executes them.
    pub run: Filtered,
    /// The number of rows that it filters.
    pub rows: u64,
}

impl Filter<'_> {
    /// Returns its conditions, each as shown and as executed.
    pub fn condition_pairs(&self) -> impl Iterator<Item = (&Expression, &Condition)> {
        self.asked.iter().zip(&self.run.conditions)
    }

    /// Returns a query that counts the rows that meet all of the conditions.
    pub fn count_query(&self, conditions: &[&str]) -> String {
        format!("SELECT COUNT(*) FROM {} WHERE {}", self.run.from, conditions.join(" AND "))
    }
}

impl Flow<'_> {
    pub(super) fn check_filter(&self, at: usize, asked: &[Expression], out: u64) -> Vec<ExplanationCheck> {
        let step = self.step(at);
        let read = match &step.kind {
            // A view may have the same name as the table that it reads; then the name refers to the step.
            StepKind::Table { table, .. } => self.row_count(table).filter(|_| self.step_index(table).is_none()),
            _ => self.rows_in(at),
        };
        let Some(rows) = read.filter(|rows| *rows > 0) else { return Vec::new() };
        let run = parse_filtered(&step.sql, self.catalog.dialect).filter(|run| run.conditions.len() == asked.len());
        let Some(run) = run else { return Vec::new() };
        let filter = Filter { at, asked, run, rows };
        if out == rows {
            let text = plural!(
                rows,
                "All {n} row stay: {conditions}",
                "All {n} rows stay: {conditions}",
                conditions = self.all_said(asked)
            );
            let all = self.build_check(at, "keeps-all", false, text);
            return std::iter::once(all).chain(self.beyond_data(&filter)).collect();
        }
        let mut found: Vec<ExplanationCheck> = self.empty_list(&filter).into_iter().collect();
        if out == 0 && found.is_empty() {
            found.push(self.nothing_left(&filter));
            found.extend(self.days_of_data(&filter));
        } else if found.is_empty() {
            found.extend(self.unknown_values(&filter));
            found.extend(self.beyond_data(&filter));
            found.extend(self.last_day(&filter));
            found.extend(self.compared_as_text(&filter));
        }
        found
    }

    /// Reports that no rows are left. If one comparison alone finds nothing, its constant may be spelled differently
    /// from the stored value.
    fn nothing_left(&self, filter: &Filter<'_>) -> ExplanationCheck {
        let each: Vec<String> =
            filter.condition_pairs().map(|(_, run)| filter.count_query(&[run.text.as_str()])).collect();
        let alone = self.request_numbers(each).unwrap_or_default();
        let none =
            filter.condition_pairs().zip(&alone).find(|((_, run), rows)| **rows == 0 && run.comparison.is_some());
        let text = match none {
            Some(((asked, run), _)) => {
                let text = plural!(
                    filter.rows,
                    "{condition} in none of the {n} row",
                    "{condition} in none of the {n} rows",
                    condition = capitalize_first(&self.describe_expression(asked))
                );
                match self.list_stored_values(asked, run) {
                    Some((column, values)) => tr!("{text}; {column} has only {values}", text, column, values),
                    None => text,
                }
            }
            None => plural!(
                filter.rows,
                "None of the {n} row is left: {conditions}",
                "None of the {n} rows is left: {conditions}",
                conditions = self.all_said(filter.asked)
            ),
        };
        self.build_check(filter.at, "keeps-none", none.is_some(), text)
    }

    /// Reports `NOT IN` a list with a NULL, which is never true.
    fn empty_list(&self, filter: &Filter<'_>) -> Option<ExplanationCheck> {
        let (asked, list) = filter.condition_pairs().find_map(|(asked, run)| Some((asked, run.not_among.as_ref()?)))?;
        let missing = format!("WITH listed(x) AS ({}) SELECT COUNT(*) - COUNT(x) FROM listed", list.query);
        let missing = self.request_number(missing).filter(|missing| *missing > 0)?;
        let text = plural!(
            missing,
            "The list contains {n} empty value, so NOT IN is never true and no row is left: {condition}",
            "The list contains {n} empty values, so NOT IN is never true and no row is left: {condition}",
            condition = self.describe_expression(asked)
        );
        Some(self.build_check(filter.at, "not-in-empty", true, text))
    }

    pub(super) fn all_said(&self, asked: &[Expression]) -> String {
        join_with_and(&asked.iter().map(|condition| self.describe_expression(condition)).collect::<Vec<_>>())
    }
}
