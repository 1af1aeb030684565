//! Planning (AV-SQL, 4.4, equation 10). The plan is a form and not free text, because a small model otherwise adds tables, groups, orders
//! and limits that the question does not require. It reads only the selection; if the rewritten question has no order, the form has no
//! field for one. The form for a model that deliberates has fields for all parts of a query: joins, formulas, assumptions, nested steps, an
//! order.

use crate::attempt::views::Views;
use crate::prompt::reply::{ReplyFormat, Writing, max_reply_tokens};
use crate::prompt::{Grounding, Plan, Prompt};
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use serde::Deserialize;
use serde_json::json;
use vitrine_domain::{Agent, EventBody, RunChange, StageKind, Switch};
use vitrine_llm::{OutputFormat, Request};
use vitrine_words::{plural, tr};

#[derive(Debug, Default, Deserialize)]
struct Form {
    #[serde(default, alias = "thinking")]
    reason: String,
    read: Vec<String>,
    #[serde(default)]
    joins: Vec<String>,
    #[serde(default)]
    formulas: Vec<String>,
    #[serde(default)]
    assume: Vec<String>,
    #[serde(default)]
    steps: Vec<String>,
    conditions: Vec<String>,
    group_by: Vec<String>,
    output: Vec<String>,
    #[serde(default)]
    sort: String,
    #[serde(default)]
    limit: u32,
}

/// Asks for a plan. Empty if the planner is disabled or its reply cannot be read.
///
/// # Errors
/// Fails if the model fails.
pub async fn plan_query(
    context: &RunContext,
    opening: &Request,
    grounding: &Grounding,
    views: &Views,
) -> Result<String, StageError> {
    if !context.ask.options.settings.is_enabled(Switch::Planner) {
        return Ok(String::new());
    }
    let earlier = context.ask.history.earlier.as_ref();
    if context.replay_stage(nodes::PLANNER) {
        return Ok(earlier.and_then(|earlier| earlier.plan()).unwrap_or_default().to_owned());
    }
    context.begin_stage(
        nodes::PLANNER,
        StageKind::Planner,
        tr!("Plan the query"),
        &[nodes::REWRITER, nodes::SELECTION],
    );
    if let Some(plan) = earlier.and_then(|earlier| earlier.set_plan()).map(str::to_owned) {
        context.record_edit(nodes::PLANNER, RunChange::Plan { text: plan.clone() });
        context.emit(EventBody::Planned { node: nodes::PLANNER.to_owned(), plan: plan.clone() });
        context.finish_stage(nodes::PLANNER, plural!(plan.lines().count(), "{n} step", "{n} steps"));
        return Ok(plan);
    }
    let profile = context.model(Agent::Planner).profile();
    let ordered = profile.deliberates || !grounding.ordering.is_empty();
    let request = Request {
        tail: Plan { grounding }.render_for(&profile),
        max_tokens: max_reply_tokens(&profile, Writing::Plan),
        output: reply_format(ReplyFormat(&profile), &source_names(views), ordered),
        ..opening.clone()
    };
    let replies = context.call_model(Agent::Planner, nodes::PLANNER, request).await?;
    let plan = match vitrine_llm::parse_json::<Form>(replies.first_reply()) {
        Ok(form) => {
            context.record_reason(nodes::PLANNER, Agent::Planner, (&[], None), &form.reason);
            form.to_lines().join("\n")
        }
        Err(error) => {
            context.warn(Some(nodes::PLANNER), tr!("The query is written without a plan: {error}", error));
            String::new()
        }
    };
    context.emit(EventBody::Planned { node: nodes::PLANNER.to_owned(), plan: plan.clone() });
    context.finish_stage(nodes::PLANNER, plural!(plan.lines().count(), "{n} step", "{n} steps"));
    Ok(plan)
}

impl Form {
    fn to_lines(&self) -> Vec<String> {
        let parts = [
            ("Read", self.read.join(", ")),
            ("Join", self.joins.join("; ")),
            ("Compute", self.formulas.join("; ")),
            // Assumptions are separate from computations, because a generator would execute them as instructions.
            ("Assume:", self.assume.join("; ")),
            ("First", self.steps.join("; then ")),
            ("Where", self.conditions.join(" and ")),
            ("Group by", self.group_by.join(", ")),
            ("Output", self.output.join(", ")),
            ("Sort by", self.sort.clone()),
            ("Limit", if self.limit > 0 { self.limit.to_string() } else { String::new() }),
        ];
        parts.iter().filter(|(_, text)| !text.trim().is_empty()).map(|(step, text)| format!("{step} {text}")).collect()
    }
}

/// Returns the sources of a plan: the validated views, then the selected tables.
fn source_names(views: &Views) -> Vec<&str> {
    let tables = views.selection.tables.iter().map(|t| t.name.as_str());
    views.views.iter().map(|v| v.name.as_str()).chain(tables).collect()
}

fn reply_format(format: ReplyFormat<'_>, sources: &[&str], ordered: bool) -> OutputFormat {
    let list = |most| format.list_schema(format.text_schema(80), most);
    let mut read = list(6);
    if !sources.is_empty() {
        read["items"] = json!({"enum": sources});
    }
    let mut properties = match format.0.deliberates {
        true => json!({ "read": read, "joins": list(0), "formulas": list(0), "assume": list(0), "steps": list(0) }),
        false => json!({ "read": read }),
    };
    properties["conditions"] = list(6);
    properties["group_by"] = list(4);
    properties["output"] = list(8);
    if ordered {
        properties["sort"] = format.text_schema(80);
        properties["limit"] = json!({"type": "integer", "minimum": 0, "maximum": 100_000});
    }
    format.reasoned_schema("plan", properties)
}
