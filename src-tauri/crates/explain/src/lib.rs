//! Explains an answer without a model: describes its query in words, lists the tables and columns that it uses, and
//! executes its steps and compares them with the query.

mod behind;
mod checks;
mod conditions;
mod headline;
mod known;
mod question;
mod readings;
mod run;
mod selection;
mod sentences;

pub use conditions::{DescribedCondition, describe_query_conditions};
pub use headline::build_headline;
pub use known::Known;
pub use readings::{Effect, Meant, condition_in_words, describe_readings};
pub use run::{Bounds, Explainer};

use vitrine_domain::{Catalog, ExplainedStep, Explanation};
use vitrine_sql::ReadOnlySql;
use vitrine_sql_steps::{StepKind, Steps};

/// Returns the explanation of a query that cannot be split into steps.
fn explain_unsplit(reason: String, sql: &ReadOnlySql, catalog: &Catalog) -> Explanation {
    Explanation {
        selection: selection::collect_bound_tables(sql, catalog),
        unproven: Some(reason),
        ..Explanation::default()
    }
}

/// Describes a query's steps before they are executed.
fn explain_steps(steps: &Steps, sql: &ReadOnlySql, catalog: &Catalog, views: &[String]) -> Explanation {
    let mut schemes = steps.schemes(sql, catalog).into_iter();
    let mut told = |(at, step): (usize, &vitrine_sql_steps::Step)| {
        let scheme = schemes.next();
        let (columns, grain) = scheme.map(|scheme| (scheme.columns, scheme.grain)).unwrap_or_default();
        ExplainedStep {
            name: step.name.clone(),
            kind: kind_name(&step.kind).to_owned(),
            note: sentences::describe_step(steps, at, catalog.dialect),
            sql: step.sql.clone(),
            runs: steps.sql_of(at),
            reads: step.reads.clone(),
            rows: None,
            grain,
            columns,
            sample: Vec::new(),
            view: views.iter().find(|view| view.eq_ignore_ascii_case(&step.name)).cloned(),
        }
    };
    let (understood, rewritten) = sentences::describe_clauses(steps, catalog.dialect);
    Explanation {
        understood,
        rewritten,
        selection: selection::collect_used_tables(steps, sql, catalog),
        steps: steps.steps().iter().enumerate().map(&mut told).collect(),
        ..Explanation::default()
    }
}

fn kind_name(kind: &StepKind) -> &'static str {
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
