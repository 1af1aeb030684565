//! Planning of the fetched data (ProSPy, 3.3 and A.3): the inputs of the answer's computation, the tables to join with their roles, and the
//! order of steps. Only for models that deliberate, because a small model plans more than the question requires.

use super::task::{Task, views_opening_request};
use crate::attempt::context::AttemptContext;
use crate::attempt::declined::{Declined, parse_declined};
use crate::attempt::views::Fetched;
use crate::prompt::Prompt;
use crate::prompt::prospy::PlanFetch;
use crate::prompt::reply::{ReplyFormat, Writing, max_reply_tokens, object_schema};
use crate::run::events::StageError;
use crate::run::nodes;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeSet;
use vitrine_domain::{Agent, Catalog, EventBody};
use vitrine_llm::{OutputFormat, Request};
use vitrine_sql::normalize_name;
use vitrine_words::tr;

/// With more tables than this, the reply's schema does not list the names.
const LISTED: usize = 200;

#[derive(Deserialize)]
struct FetchPlan {
    #[serde(default)]
    needs: Vec<String>,
    groups: Vec<JoinGroup>,
    #[serde(default)]
    order: Vec<String>,
    /// Missing data, if nothing can be fetched for the question.
    #[serde(default)]
    not_in_data: String,
    #[serde(default)]
    nearest: Vec<String>,
}

/// Tables that are joined with each other.
#[derive(Deserialize)]
struct JoinGroup {
    name: String,
    tables: Vec<GroupedTable>,
    #[serde(default)]
    gives: String,
}

#[derive(Deserialize)]
struct GroupedTable {
    table: String,
    #[serde(default)]
    role: String,
}

/// Plan of the views to fetch.
#[derive(Default)]
pub(super) struct Planned {
    /// Lines of the plan; empty without a plan.
    pub(super) lines: Vec<String>,
    groups: Vec<JoinGroup>,
}

impl Planned {
    /// Returns true if every group has a view: with the group's name, or else over its tables.
    pub(super) fn is_fetched(&self, fetched: &[Fetched], catalog: &Catalog) -> bool {
        let mut views: Vec<&Fetched> = fetched.iter().collect();
        let mut take = |fits: &dyn Fn(&Fetched) -> bool| {
            let at = views.iter().position(|view| fits(view));
            at.map(|at| views.remove(at)).is_some()
        };
        let named = |group: &&JoinGroup| !take(&|view| normalize_name(&view.name) == normalize_name(&group.name));
        let others: Vec<&JoinGroup> = self.groups.iter().filter(named).collect();
        let fits = |group: &&JoinGroup| {
            let tables = group.table_names(catalog);
            take(&|view| {
                vitrine_sql::bind_names(&view.sql, catalog).tables.iter().cloned().collect::<BTreeSet<_>>() == tables
            })
        };
        !self.groups.is_empty() && others.iter().all(fits)
    }
}

/// Asks for a plan. Empty if the reply cannot be read; views are then fetched without a plan.
///
/// # Errors
/// Fails if the model fails, or if the plan is empty and reports that the requested data is missing.
pub(super) async fn plan_views(attempts: &AttemptContext<'_>, task: &Task<'_>) -> Result<Planned, StageError> {
    let context = attempts.context;
    let profile = context.model(Agent::ViewGenerator).profile();
    let visible = attempts.visible.visible_catalog(&context.ask.data.catalog);
    let Task { question, facts, about, most, rows } = *task;
    let request = Request {
        tail: PlanFetch { question, facts, values: attempts.values, about, most, rows }.render_for(&profile),
        max_tokens: max_reply_tokens(&profile, Writing::Plan),
        output: reply_format(ReplyFormat(&profile), &visible),
        ..views_opening_request(attempts)
    };
    let replies = context.call_model(Agent::ViewGenerator, nodes::FETCH, request).await?;
    let (reply, catalog) = (replies.first_reply(), &context.ask.data.catalog);
    let plan = vitrine_llm::parse_json::<FetchPlan>(reply);
    if let Some(declined) =
        plan.as_ref().map_or_else(|_| parse_declined(reply, catalog), |plan| plan.to_declined(catalog))
    {
        declined.record_event(context, nodes::FETCH, 0);
        context.finish_stage(nodes::FETCH, tr!("The data does not contain it"));
        return Err(declined.to_error().into());
    }
    let planned = match plan {
        Ok(plan) => Planned { lines: plan.to_lines(), groups: plan.groups },
        Err(error) => {
            context.warn(Some(nodes::FETCH), tr!("Views are fetched without a plan: {error}", error));
            return Ok(Planned::default());
        }
    };
    context.emit(EventBody::Planned { node: nodes::FETCH.to_owned(), plan: planned.lines.join("\n") });
    Ok(planned)
}

impl FetchPlan {
    /// Returns the report of missing data; a plan that fetches any view does not decline.
    fn to_declined(&self, catalog: &Catalog) -> Option<Declined> {
        Declined::from_names(&self.not_in_data, &self.nearest, catalog).filter(|_| self.groups.is_empty())
    }

    /// Renders the required data, then the groups, then the numbered steps.
    fn to_lines(&self) -> Vec<String> {
        let needs = (!self.needs.is_empty()).then(|| format!("Needed: {}", self.needs.join("; ")));
        let groups = self.groups.iter().map(JoinGroup::to_line);
        let order = self.order.iter().enumerate().map(|(at, step)| format!("{}. {}", at + 1, strip_step_number(step)));
        needs.into_iter().chain(groups).chain(order).collect()
    }
}

/// Removes the number that many models write before a step.
fn strip_step_number(step: &str) -> &str {
    let behind = step.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = behind.len() < step.len() && (behind.starts_with(". ") || behind.starts_with(") "));
    if numbered { behind[2..].trim_start() } else { step }
}

impl JoinGroup {
    /// Returns the tables of the group, as the catalog names them.
    fn table_names(&self, catalog: &Catalog) -> BTreeSet<String> {
        let table = |member: &GroupedTable| match catalog.find_table(&member.table) {
            Some(table) => table.name.to_string(),
            None => member.table.clone(),
        };
        self.tables.iter().map(table).collect()
    }

    fn to_line(&self) -> String {
        let table = |member: &GroupedTable| match member.role.as_str() {
            "" => member.table.clone(),
            role => format!("{} ({role})", member.table),
        };
        let tables: Vec<String> = self.tables.iter().map(table).collect();
        let gives = if self.gives.is_empty() { String::new() } else { format!("; gives {}", self.gives) };
        format!("Group {}: {}{gives}", self.name, tables.join(", "))
    }
}

fn reply_format(format: ReplyFormat<'_>, visible: &Catalog) -> OutputFormat {
    let text = || format.text_schema(0);
    let names: Vec<String> = visible.tables.iter().map(|table| table.name.to_string()).collect();
    let table = if names.is_empty() || names.len() > LISTED { text() } else { json!({"enum": names}) };
    let member = object_schema(json!({ "table": table, "role": { "enum": ["fact", "lookup", "bridge", "filter"] } }));
    let members = json!({ "type": "array", "items": member });
    let group = object_schema(json!({ "name": text(), "tables": members, "gives": text() }));
    let list = |items| json!({ "type": "array", "items": items });
    let plan = json!({
        "needs": list(text()),
        "groups": list(group),
        "order": list(text()),
        "not_in_data": text(),
        "nearest": list(text()),
    });
    format.reply_schema("fetch_plan", plan)
}

#[cfg(test)]
mod tests {
    use super::strip_step_number;

    #[test]
    fn steps_are_numbered_once() {
        assert_eq!(strip_step_number("1. fetch the orders"), "fetch the orders");
        assert_eq!(strip_step_number("12)  sum up"), "sum up");
        for own in ["2023 orders by month", "3.5 is the threshold", "fetch 1. quarter"] {
            assert_eq!(strip_step_number(own), own);
        }
    }
}
