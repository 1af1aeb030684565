//! How an answer came about: its query in words, the tables and columns that it uses, and the steps that it consists of, run
//! and compared with the query itself. No model is asked.
//!
//! [`read`] needs the query alone; [`run`] counts the rows of each step, proves the chain and looks for what a careful
//! reader would ask about.

mod flow;
mod run;
mod selection;
mod sentences;

pub use run::{Bounds, run};

use vitrine_domain::{Catalog, ExplainedStep, Explanation};
use vitrine_sql::ReadOnlySql;
use vitrine_sql_steps::{StepKind, Steps, take_apart};

/// Explains a query without running anything: rows are not counted, and nothing is proven.
pub fn read(sql: &ReadOnlySql, catalog: &Catalog) -> Explanation {
    match take_apart(sql, catalog) {
        Ok(steps) => of(&steps, sql, catalog),
        Err(whole) => Explanation {
            selection: selection::bound(sql, catalog),
            unproven: Some(whole.reason),
            ..Explanation::default()
        },
    }
}

fn of(steps: &Steps, sql: &ReadOnlySql, catalog: &Catalog) -> Explanation {
    let told = |(at, step): (usize, &vitrine_sql_steps::Step)| ExplainedStep {
        name: step.name.clone(),
        kind: kind(&step.kind).to_owned(),
        note: sentences::of(steps, at, catalog.dialect),
        sql: step.sql.clone(),
        runs: steps.sql_of(at),
        reads: step.reads.clone(),
        rows: None,
    };
    Explanation {
        understood: sentences::understood(steps, catalog.dialect),
        selection: selection::of(steps, sql, catalog),
        steps: steps.steps().iter().enumerate().map(told).collect(),
        ..Explanation::default()
    }
}

fn kind(kind: &StepKind) -> &'static str {
    match kind {
        StepKind::Table { .. } => "table",
        StepKind::Join { .. } => "join",
        StepKind::Filter { .. } => "filter",
        StepKind::Group { .. } => "group",
        StepKind::Having { .. } => "having",
        StepKind::Window { .. } => "window",
        StepKind::Project { .. } => "project",
        StepKind::Distinct => "distinct",
        StepKind::SetOperation { .. } => "set",
        StepKind::Order { .. } => "order",
        StepKind::Limit(_) => "limit",
        _ => "query",
    }
}
