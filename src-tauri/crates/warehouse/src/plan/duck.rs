//! DuckDB's plan: operators with their attributes. DuckDB estimates rows, but no cost.

use super::json::{format_detail, parse_number, replace_underscores};
use serde_json::Value;
use vitrine_domain::PlanStep;

/// Parses the operators of a plan.
pub(super) fn parse_steps(tree: &Value) -> Vec<PlanStep> {
    tree.as_array().into_iter().flatten().filter_map(parse_step).collect()
}

fn parse_step(of: &Value) -> Option<PlanStep> {
    let of = of.as_object()?;
    let extra = of.get("extra_info").and_then(Value::as_object);
    let known = |name: &str| extra.and_then(|extra| extra.get(name));
    let details = extra.into_iter().flatten().filter(|(name, _)| *name != "Estimated Cardinality");
    Some(PlanStep {
        label: replace_underscores(of.get("name")?.as_str()?),
        details: details.filter_map(|(name, value)| format_detail(name.trim_matches('_'), value)).collect(),
        rows: parse_number(known("Estimated Cardinality")),
        children: of.get("children").map(parse_steps).unwrap_or_default(),
        ..PlanStep::default()
    })
}
