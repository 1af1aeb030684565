//! The plan by which an engine would answer a query.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The plan by which an engine would answer a query, as the engine tells it: its words, its estimates.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QueryPlan {
    /// What is done; each step takes what the steps below it give.
    pub steps: Vec<PlanStep>,
}

/// One step of a plan.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlanStep {
    /// What the engine does, in its own words: `Seq Scan on orders`.
    pub label: String,
    /// On what and how, a line each: `Filter: (total > 10)`.
    pub details: Vec<String>,
    /// Rows that the engine expects of it; `None` where it says none.
    pub rows: Option<f64>,
    /// What the engine expects it to cost with all that is below it, in a unit of its own; `None` where it says none.
    pub cost: Option<f64>,
    /// The part of the whole plan's cost that is this step's own, from 0 to 1; `None` where no cost is known.
    pub share: Option<f64>,
    /// The steps that it takes its rows from.
    pub children: Vec<PlanStep>,
}
