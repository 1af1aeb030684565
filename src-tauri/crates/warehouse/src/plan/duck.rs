//! DuckDB's plan: operators with what they know of themselves. It estimates rows, and no cost.

use super::json::{line, number, words};
use serde_json::Value;
use vitrine_domain::PlanStep;

/// The steps.
pub(super) fn steps(tree: &Value) -> Vec<PlanStep> {
    tree.as_array().into_iter().flatten().filter_map(step).collect()
}

fn step(of: &Value) -> Option<PlanStep> {
    let of = of.as_object()?;
    let extra = of.get("extra_info").and_then(Value::as_object);
    let known = |name: &str| extra.and_then(|extra| extra.get(name));
    let details = extra.into_iter().flatten().filter(|(name, _)| *name != "Estimated Cardinality");
    Some(PlanStep {
        label: words(of.get("name")?.as_str()?),
        details: details.filter_map(|(name, value)| line(name.trim_matches('_'), value)).collect(),
        rows: number(known("Estimated Cardinality")),
        children: of.get("children").map(steps).unwrap_or_default(),
        ..PlanStep::default()
    })
}
