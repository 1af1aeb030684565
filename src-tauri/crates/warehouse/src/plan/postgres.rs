//! PostgreSQL's plan, formatted like its text plans: `Hash Left Join`, `Index Scan using orders_pkey on orders`.

use super::json::{format_details, parse_number, parse_text};
use super::share::assign_cost_shares;
use serde_json::{Map, Value};
use vitrine_domain::PlanStep;

/// Members that are shown as details of a step.
const DETAILS: [&str; 13] = [
    "Subplan Name",
    "Index Cond",
    "Recheck Cond",
    "Hash Cond",
    "Merge Cond",
    "Join Filter",
    "Filter",
    "One-Time Filter",
    "Sort Key",
    "Presorted Key",
    "Group Key",
    "Cache Key",
    "Workers Planned",
];

/// Parses the steps of a plan.
pub(super) fn parse_steps(tree: &Value) -> Vec<PlanStep> {
    let plans = tree.as_array().into_iter().flatten().filter_map(|plan| plan.get("Plan"));
    let mut steps: Vec<PlanStep> = plans.filter_map(parse_step).collect();
    assign_cost_shares(&mut steps, &own_cost);
    steps
}

/// Returns the cost of a step without its children. A step that stops early may cost less than the total of its
/// children.
fn own_cost(step: &PlanStep) -> Option<f64> {
    let below: f64 = step.children.iter().filter_map(|child| child.cost).sum();
    step.cost.map(|cost| (cost - below).max(0.0))
}

fn parse_step(of: &Value) -> Option<PlanStep> {
    let of = of.as_object()?;
    Some(PlanStep {
        label: build_label(of)?,
        details: format_details(of, &DETAILS),
        rows: parse_number(of.get("Plan Rows")),
        cost: parse_number(of.get("Total Cost")),
        share: None,
        children: of.get("Plans").and_then(Value::as_array).into_iter().flatten().filter_map(parse_step).collect(),
    })
}

fn build_label(of: &Map<String, Value>) -> Option<String> {
    let said = |name: &str| parse_text(of.get(name));
    let mut label = said("Node Type")?;
    if label == "Aggregate" {
        label = match said("Strategy").as_deref() {
            Some("Hashed") => "HashAggregate".to_owned(),
            Some("Sorted") => "GroupAggregate".to_owned(),
            _ => label,
        };
    }
    if let Some(partial) = said("Partial Mode").filter(|mode| mode != "Simple") {
        label = format!("{partial} {label}");
    }
    if let Some(kind) = said("Join Type").filter(|kind| kind != "Inner") {
        label = match label.strip_suffix(" Join") {
            Some(head) => format!("{head} {kind} Join"),
            None => format!("{label} {kind} Join"),
        };
    }
    if let Some(index) = said("Index Name") {
        label = format!("{label} using {index}");
    }
    let on = ["Relation Name", "CTE Name", "Function Name", "Alias"].into_iter().find_map(said);
    if let Some(on) = on {
        label = format!("{label} on {on}");
        if let Some(alias) = said("Alias").filter(|alias| *alias != on) {
            label = format!("{label} {alias}");
        }
    }
    Some(label)
}
