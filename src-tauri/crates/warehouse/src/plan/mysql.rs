//! The plans of MySQL and MariaDB, which have a common origin but differ in many details: MySQL reports the cost of
//! each table, MariaDB does so since 11; MySQL 8.3 and later may return a tree of operations. Known members are parsed
//! by name, all others by their form: an object is a step, a scalar value is a detail of its step.

use super::json::{format_detail, parse_number, parse_text, replace_underscores};
use super::share::assign_cost_shares;
use serde_json::{Map, Value};
use vitrine_domain::PlanStep;

/// Members that are omitted, or shown elsewhere.
const UNSAID: [&str; 13] = [
    "select_id",
    "table_name",
    "access_type",
    "rows",
    "rows_examined_per_scan",
    "cost",
    "cost_info",
    "used_columns",
    "possible_keys",
    "key_length",
    "r_loops",
    "message",
    "json_schema_version",
];

/// Parses the steps of a plan.
pub(super) fn parse_steps(tree: &Value) -> Vec<PlanStep> {
    let Some(tree) = tree.as_object() else { return Vec::new() };
    // A tree of operations is the top-level object, or a member beside the query's text.
    let mut operations = [Some(tree), tree.get("query_plan").and_then(Value::as_object)].into_iter().flatten();
    let mut steps: Vec<PlanStep> = match operations.find(|of| of.contains_key("operation")) {
        Some(of) => vec![parse_operation(of)],
        None => parse_children(tree),
    };
    assign_cost_shares(&mut steps, &own_cost);
    steps
}

/// Returns the cost of a table; the cost of other steps includes their children.
fn own_cost(step: &PlanStep) -> Option<f64> {
    step.cost.filter(|_| step.children.is_empty())
}

/// Parses an operation of the tree format of MySQL 8.3 and later.
fn parse_operation(of: &Map<String, Value>) -> PlanStep {
    let inputs = of.get("inputs").and_then(Value::as_array).into_iter().flatten();
    PlanStep {
        label: parse_text(of.get("operation")).unwrap_or_default(),
        details: Vec::new(),
        rows: parse_number(of.get("estimated_rows")),
        cost: parse_number(of.get("estimated_total_cost")),
        share: None,
        children: inputs.filter_map(Value::as_object).map(parse_operation).collect(),
    }
}

/// Parses the child steps of an object.
fn parse_children(of: &Map<String, Value>) -> Vec<PlanStep> {
    let named = of.iter().filter(|(name, _)| !UNSAID.contains(&name.as_str()));
    named.flat_map(|(name, value)| parse_member(name, value)).collect()
}

fn parse_member(name: &str, value: &Value) -> Vec<PlanStep> {
    match value {
        Value::Object(of) => vec![parse_step(name, of)],
        Value::Array(parts) if parts.iter().any(Value::is_object) => {
            let children = parts.iter().filter_map(Value::as_object).flat_map(parse_children).collect();
            vec![PlanStep { label: replace_underscores(name), children, ..PlanStep::default() }]
        }
        _ => Vec::new(),
    }
}

fn parse_step(name: &str, of: &Map<String, Value>) -> PlanStep {
    let details = of.iter().filter(|(name, _)| !UNSAID.contains(&name.as_str()));
    let cost = of.get("cost_info").and_then(Value::as_object);
    let said = |name: &str| parse_number(cost.and_then(|cost| cost.get(name)));
    let table = parse_text(of.get("table_name"));
    PlanStep {
        label: match &table {
            Some(table) => describe_access(of, table),
            None => parse_text(of.get("message")).unwrap_or_else(|| replace_underscores(name)),
        },
        details: details.filter_map(|(name, value)| format_detail(&replace_underscores(name), value)).collect(),
        rows: parse_number(of.get("rows").or_else(|| of.get("rows_examined_per_scan"))),
        cost: match &table {
            Some(_) => said("read_cost")
                .zip(said("eval_cost"))
                .map(|(read, eval)| read + eval)
                .or_else(|| parse_number(of.get("cost"))),
            None => said("query_cost").or_else(|| parse_number(of.get("cost"))),
        },
        share: None,
        children: parse_children(of),
    }
}

/// Describes the access to a table: the engine's access type and the index.
fn describe_access(of: &Map<String, Value>, table: &str) -> String {
    let how = match parse_text(of.get("access_type")).as_deref() {
        Some("ALL") => "full scan".to_owned(),
        Some(other) => other.replace('_', " "),
        None => "table".to_owned(),
    };
    match parse_text(of.get("key")) {
        Some(index) => format!("{table}: {how} by {index}"),
        None => format!("{table}: {how}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::told::format_plan_lines;
    use serde_json::json;
    use vitrine_domain::QueryPlan;

    // Written from MySQL's documentation; not tested on a MySQL server.
    #[test]
    fn mysql_says_what_each_table_costs() {
        let steps = parse_steps(&json!({"query_block": {
            "select_id": 1,
            "cost_info": {"query_cost": "12.50"},
            "ordering_operation": {
                "using_filesort": true,
                "nested_loop": [
                    {"table": {"table_name": "o", "access_type": "ALL", "rows_examined_per_scan": 80, "filtered": "10.00",
                        "cost_info": {"read_cost": "7.00", "eval_cost": "1.00", "prefix_cost": "8.00"},
                        "used_columns": ["id"], "attached_condition": "(`o`.`total` > 10)"}},
                    {"table": {"table_name": "c", "access_type": "eq_ref", "key": "PRIMARY", "rows_examined_per_scan": 1,
                        "cost_info": {"read_cost": "1.50", "eval_cost": "0.50", "prefix_cost": "10.00"}}},
                ],
            },
        }}));
        let plan = QueryPlan { steps };
        assert_eq!(
            format_plan_lines(&plan),
            [
                "query block",
                "  ordering operation",
                "    nested loop",
                "      o: full scan",
                "      c: eq ref by PRIMARY"
            ]
        );
        let sorting = &plan.steps[0].children[0];
        let (orders, customers) = (&sorting.children[0].children[0], &sorting.children[0].children[1]);
        assert_eq!((plan.steps[0].cost, plan.steps[0].share), (Some(12.5), None));
        assert_eq!((orders.rows, orders.cost, orders.share), (Some(80.0), Some(8.0), Some(0.8)));
        assert_eq!(customers.share, Some(0.2));
        assert_eq!(sorting.details, ["using filesort"]);
        assert_eq!(orders.details, ["filtered: 10.00", "attached condition: (`o`.`total` > 10)"]);
    }

    #[test]
    fn a_tree_of_operations_is_one() {
        let steps = parse_steps(&json!({"query": "/* select#1 */ ...", "json_schema_version": "2.0", "query_plan": {
            "operation": "Nested loop inner join", "estimated_rows": 4.5, "estimated_total_cost": 9.0,
            "inputs": [{"operation": "Table scan on o", "estimated_rows": 80, "estimated_total_cost": 8.0}],
        }}));
        assert_eq!(format_plan_lines(&QueryPlan { steps }), ["Nested loop inner join", "  Table scan on o"]);
        assert!(
            super::parse_steps(&json!([1, "x"])).is_empty() && super::parse_steps(&json!({"warning": "no"})).is_empty()
        );
    }
}
