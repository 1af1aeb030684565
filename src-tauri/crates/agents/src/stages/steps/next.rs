//! Requests for the next step (DSR-SQL, 3.3). A model that deliberates may report instead that the requested data is missing.

use super::state::{State, Task};
use crate::attempt::context::AttemptContext;
use crate::attempt::correction::part_searches;
use crate::attempt::declined::{Declined, parse_declined};
use crate::prompt::format::NO_ROWS;
use crate::prompt::methods::NextStep;
use crate::prompt::reply::{ReplyFormat, Writing, max_reply_tokens};
use crate::prompt::{OneForAll, Prompt, Retry};
use crate::run::events::StageError;
use serde::Deserialize;
use serde_json::json;
use vitrine_domain::{Agent, Catalog, GenerationAction};
use vitrine_llm::{OutputFormat, Request};
use vitrine_sql::DialectExt;
use vitrine_words::tr;

/// Maximum number of consecutive Explore steps.
const EXPLORES: usize = 2;

/// Temperature of a step (paper, section 4.3).
const TEMPERATURE: f32 = 0.2;
/// Temperature after a failed step; at a lower one, a small model repeats its query.
const AFTER_FAILURE: f32 = 0.7;

/// Action of a reply that reports missing data instead of a step.
const NOT_IN_DATA: &str = "not_in_data";

#[derive(Deserialize)]
pub(super) struct StepReply {
    pub(super) action: GenerationAction,
    #[serde(default)]
    pub(super) aim: String,
    pub(super) sql: String,
}

/// A reply that names the missing data instead of a step.
#[derive(Deserialize)]
struct Declines {
    action: String,
    aim: String,
    #[serde(default)]
    nearest: Vec<String>,
}

/// Outcome of a request for the next step.
pub(super) enum Next {
    /// A step, and the request that asked for it.
    Step(Box<Request>, StepReply),
    /// No step, because the requested data is missing.
    Declined(Declined),
    /// No step, because neither the reply nor its repetition could be read.
    Unread,
}

/// Asks for the next step, with one retry if the reply cannot be read.
///
/// # Errors
/// Fails if the model fails.
pub(super) async fn ask_next_step(
    attempts: &AttemptContext<'_>,
    task: &Task<'_>,
    opening: Request,
    state: &State,
    number: u32,
) -> Result<Next, StageError> {
    let dialect = attempts.context.ask.data.catalog.dialect.sql().display_name();
    let fruitless = state.lines.last().filter(|line| line.outcome == NO_ROWS);
    let searches = fruitless.map(|line| part_searches(attempts.context, &line.sql)).unwrap_or_default();
    let profile = attempts.context.model(Agent::Generator).profile();
    let actions = allowed_actions(task, state, number, profile.deliberates);
    let prompt = NextStep {
        question: task.question,
        facts: task.facts,
        values: attempts.values,
        domain: task.domain,
        steps: &state.lines,
        actions: &actions,
        searches: &searches,
        dialect,
    };
    let mut request = Request {
        tail: prompt.render_for(&profile),
        max_tokens: max_reply_tokens(&profile, Writing::Step),
        temperature: match state.failed.len() {
            0 => TEMPERATURE,
            _ => AFTER_FAILURE,
        },
        seed: attempts.context.ask.options.settings.seed + u64::from(number),
        output: reply_format(ReplyFormat(&profile), &actions),
        ..opening
    };
    for again in [false, true] {
        let replies = attempts.context.call_model(Agent::Generator, attempts.node, request.clone()).await?;
        if let Some(declined) = parse_step_declined(replies.first_reply(), &attempts.context.ask.data.catalog)
            .filter(|_| profile.deliberates)
        {
            return Ok(Next::Declined(declined));
        }
        match vitrine_llm::parse_json::<StepReply>(replies.first_reply()) {
            Ok(written) => return Ok(Next::Step(Box::new(request), written)),
            Err(error) if again => attempts.context.warn(Some(attempts.node), tr!("No step: {error}", error)),
            Err(error) => {
                let problem = Retry { problem: &error.to_string() }.render();
                request.turns = vec![(replies.first_reply().to_owned(), problem)];
            }
        }
    }
    Ok(Next::Unread)
}

/// Reads a reply that declines, in the form of a step or of a reply to a query request.
fn parse_step_declined(reply: &str, catalog: &Catalog) -> Option<Declined> {
    let step = vitrine_llm::parse_json::<Declines>(reply).ok().filter(|step| step.action == NOT_IN_DATA);
    match step {
        Some(step) => Declined::from_names(&step.aim, &step.nearest, catalog),
        None => parse_declined(reply, catalog),
    }
}

/// Returns the allowed actions: no Revise before there is a query, no endless exploration, and declining only for a model that deliberates.
fn allowed_actions(task: &Task<'_>, state: &State, number: u32, may_decline: bool) -> Vec<&'static str> {
    let declines = may_decline.then_some(NOT_IN_DATA);
    if number == task.steps {
        return ["finalize"].into_iter().chain(declines).collect();
    }
    let mut actions = if state.lines.iter().any(|line| line.action != "explore") {
        vec!["extend", "revise", "finalize"]
    } else {
        vec!["extend", "finalize"]
    };
    if state.explores < EXPLORES {
        actions.push("explore");
    }
    actions.extend(declines);
    actions
}

fn reply_format(format: ReplyFormat<'_>, actions: &[&str]) -> OutputFormat {
    let action = json!({"enum": actions});
    // A model that deliberates states the purpose before it chooses the action.
    let step = match format.0.deliberates {
        true => json!({
            "aim": format.text_schema(80),
            "action": action,
            "sql": format.query_schema(900),
            "nearest": format.list_schema(format.text_schema(0), 0),
        }),
        false => json!({ "action": action, "aim": format.text_schema(80), "sql": format.query_schema(900) }),
    };
    format.reply_schema("step", step)
}
