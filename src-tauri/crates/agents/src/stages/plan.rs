//! Planning (AV-SQL, 4.4, equation 10).

use crate::context::{RunContext, StageError};
use crate::prompt::{Grounding, Plan, Prompt};
use vitrine_domain::{Agent, EventBody, StageKind, Switch};
use vitrine_llm::Request;

/// The graph node of this stage.
pub const NODE: &str = "planner";

/// A small model begins an essay unless its first words are the plan's own.
const OPENING: &str = "1. Read";

/// Asks for a plan. Empty when the planner is off.
pub async fn plan(context: &RunContext, opening: &Request, grounding: &Grounding) -> Result<String, StageError> {
    if !context.ask.settings.with(Switch::Planner) {
        return Ok(String::new());
    }
    context.begin(NODE, StageKind::Planner, "Plan the query", &[super::rewrite::NODE, super::views::NODE]);
    let request = Request {
        tail: Plan { grounding }.render(),
        max_tokens: 140,
        stop: vec!["\n\n".into(), "```".into()],
        assistant_prefix: OPENING.into(),
        ..opening.clone()
    };
    let replies = context.call(Agent::Planner, NODE, request).await?;
    let plan = format!("{OPENING}{}", replies.first().trim_end());
    context.emit(EventBody::Planned { node: NODE.to_owned(), plan: plan.clone() });
    context.finish(NODE, super::schema::count(plan.lines().count(), "step"));
    Ok(plan)
}
