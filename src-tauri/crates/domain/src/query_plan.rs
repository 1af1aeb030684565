//! Execution plans of queries.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The execution plan of a query as reported by the engine, with its labels and estimates.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QueryPlan {
    /// The root steps; each step consumes the output of its children.
    pub steps: Vec<PlanStep>,
}

/// A step of an execution plan.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlanStep {
    /// The operation as the engine names it: `Seq Scan on orders`.
    pub label: String,
    /// Details of the operation, one line each: `Filter: (total > 10)`.
    pub details: Vec<String>,
    /// Estimated number of rows; `None` if the engine reports none.
    pub rows: Option<f64>,
    /// Estimated cost including all children, in an engine-specific unit; `None` if the engine reports none.
    pub cost: Option<f64>,
    /// The step's own share of the plan's total cost, from 0 to 1; `None` if costs are unknown.
    pub share: Option<f64>,
    /// The steps that provide its input rows.
    pub children: Vec<PlanStep>,
}
