//! What a careful reader would ask about the rows of a query: joins that multiply or lose rows, filters that keep nothing,
//! numbers compared as text. Said of counts, keys and what columns hold, never of names; what right queries do, too, is said
//! at the step and not at the answer (`may_change`).

mod dates;
mod filters;
mod groups;
mod joins;
mod limits;
mod outer;
mod partners;
mod rows;
mod texts;
mod values;

use crate::run::Runner;
use partners::Partners;
use std::collections::HashMap;
use vitrine_catalog::grouped;
use vitrine_domain::{Catalog, Column, ColumnProfile, ExplanationCheck, Profile};
use vitrine_sql::ReadOnlySql;
use vitrine_sql_steps::{Expression, Origin, Step, StepKind, Steps, phrase, spaced};

/// A query taken apart, with the rows of its steps.
pub(crate) struct Flow<'a> {
    /// The query.
    pub sql: &'a ReadOnlySql,
    /// Its steps.
    pub steps: &'a Steps,
    /// Rows of steps and of the tables that they read, by name.
    pub rows: &'a HashMap<String, u64>,
    /// The tables.
    pub catalog: &'a Catalog,
    /// What is known of their columns.
    pub profile: &'a Profile,
    /// Runs queries of the checks' own.
    pub runner: &'a Runner<'a>,
}

/// What a careful reader would ask about, in the order of the steps.
pub(crate) async fn checks(flow: Flow<'_>) -> Vec<ExplanationCheck> {
    let partners = partners::of(&flow).await;
    let repeated = groups::repeated(&flow).await;
    let mut found = Vec::new();
    for at in 0..flow.steps.steps().len() {
        found.extend(flow.of(at, &partners).await);
        found.extend(repeated.iter().filter(|(step, _)| *step == at).map(|(_, check)| check.clone()));
    }
    found
}

impl Flow<'_> {
    async fn of(&self, at: usize, partners: &HashMap<usize, Partners>) -> Vec<ExplanationCheck> {
        let step = self.step(at);
        let Some(out) = self.count(&step.name) else { return Vec::new() };
        match &step.kind {
            StepKind::Table { filters, .. } if !filters.is_empty() => self.filter(at, filters, out).await,
            StepKind::Filter { conditions } => {
                let mut found = self.filter(at, conditions, out).await;
                found.extend(self.undone(at, conditions, partners));
                found
            }
            StepKind::Join { .. } => self.join(at, partners.get(&at)),
            StepKind::Group { aggregates, .. } => {
                let mut found = self.shares(at, aggregates);
                found.extend(self.counted_without_partner(at, partners));
                found.extend(self.text_extremes(at, aggregates).await);
                found
            }
            StepKind::Order { keys, limit, .. } => {
                let order = self.text_order(at, keys, limit.is_some()).await;
                order.into_iter().chain(self.limit(at, out)).collect()
            }
            StepKind::Limit(_) => self.limit(at, out).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn step(&self, at: usize) -> &Step {
        &self.steps.steps()[at]
    }

    fn count(&self, name: &str) -> Option<u64> {
        self.rows.get(name).copied()
    }

    /// Rows of what a step reads first.
    fn rows_in(&self, at: usize) -> Option<u64> {
        self.step(at).reads.first().and_then(|read| self.count(read))
    }

    /// Numbers over what a step reads, each by a query of its own that gives one.
    async fn numbers(&self, at: usize, queries: &[String]) -> Option<Vec<u64>> {
        let columns: Vec<String> = queries.iter().map(|query| format!("({query})")).collect();
        let text = self.steps.over(at, &format!("SELECT {}", columns.join(", ")));
        let row = self.runner.numbers(&text).await?.into_iter().next()?;
        row.into_iter().collect()
    }

    fn column(&self, origin: &Origin) -> Option<&Column> {
        self.catalog.table(&origin.table)?.column(&origin.column)
    }

    fn known(&self, origin: &Origin) -> Option<&ColumnProfile> {
        self.profile.table(&self.catalog.table(&origin.table)?.name)?.column(&origin.column)
    }

    fn say(&self, expression: &Expression) -> String {
        phrase(&expression.text, self.catalog.dialect)
    }

    fn check(&self, at: usize, code: &str, may_change: bool, text: String) -> ExplanationCheck {
        let step = Some(self.step(at).name.clone());
        ExplanationCheck { code: code.to_owned(), step, text, may_change }
    }
}

/// `status of orders`
fn column_said(origin: &Origin) -> String {
    format!("{} of {}", spaced(&origin.column), spaced(&origin.table))
}

/// `1 row`, `2,000 rows`
fn counted(number: u64, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {noun}{s}", grouped(number))
}

/// The verb for a number of things: `is` or `are`.
fn verb(number: u64, one: &'static str, several: &'static str) -> &'static str {
    if number == 1 { one } else { several }
}
