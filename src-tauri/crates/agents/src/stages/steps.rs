//! The generation state (DSR-SQL, 3.3): a query that grows step by step, each step a move that the model chooses with the
//! results of the steps before it in view. What an Explore step shows is told to later steps and never returned.

use super::attempt::{Desk, Tried, prepare, try_sql};
use super::explore::{ROWS, first_rows};
use super::generate::accept;
use super::link::Visible;
use super::refine::same;
use crate::candidates::{Candidate, Choice};
use crate::context::StageError;
use crate::prompt::methods::{NextStep, StepLine};
use crate::prompt::{Prompt, Retry, SqlFeedback};
use serde::Deserialize;
use serde_json::{Value, json};
use vitrine_domain::{Agent, EventBody, GenerationAction, Page, StageKind};
use vitrine_llm::{OutputFormat, Request};
use vitrine_warehouse::WarehouseError;

/// Explore steps in a row.
const EXPLORES: usize = 2;

/// Temperature of a step (paper, section 4.3).
const TEMPERATURE: f32 = 0.2;
/// Temperature after a step that failed: a small model otherwise writes the same again.
const AFTER_FAILURE: f32 = 0.7;
/// How often a query that failed may be written again before the state counts as stuck.
const REPEATS: usize = 2;

/// What all steps are told.
pub struct Task<'a> {
    /// As asked.
    pub question: &'a str,
    /// Known facts or empty.
    pub facts: &'a str,
    /// What the alignment found.
    pub domain: &'a [String],
    /// Steps at most.
    pub steps: u32,
    /// Corrections of one step's query.
    pub fixes: u32,
}

#[derive(Deserialize)]
struct Written {
    action: GenerationAction,
    #[serde(default)]
    aim: String,
    sql: String,
}

/// The state: what was done, and the last query that ran.
#[derive(Default)]
struct State {
    lines: Vec<StepLine>,
    /// The last query of an Extend or Revise step that ran.
    query: Option<Candidate>,
    /// The node of that step, and those of the Explore steps since.
    grew_from: Vec<String>,
    /// Explore steps since the last step of another kind.
    explores: usize,
    /// Queries that did not run.
    failed: Vec<String>,
    /// How often one of them was written again.
    repeated: usize,
    /// Whether a doubt was told.
    doubted: bool,
}

/// How a step's query fared.
struct Fared {
    sql: String,
    fixes: u32,
    outcome: Result<Box<Candidate>, String>,
}

/// Goes step by step until the query is final; the last step can only be final. A name that does not bind brings back what
/// the selection left out. Returns the query and its node; `None` when no step gave a query that runs.
///
/// # Errors
/// Fails when the model or the connection fails.
pub async fn evolve(
    desk: &Desk<'_>,
    task: &Task<'_>,
    visible: &mut Visible<'_>,
) -> Result<Option<(Candidate, String)>, StageError> {
    let context = desk.context;
    let mut state = State { grew_from: desk.inputs.iter().map(|&i| i.to_owned()).collect(), ..State::default() };
    for number in 1..=task.steps {
        let node = format!("step-{number}");
        let inputs: Vec<&str> = state.grew_from.iter().map(String::as_str).collect();
        context.begin(&node, StageKind::Step, format!("Step {number}"), &inputs);
        let step = Desk { node: &node, inputs: &[], ..*desk };
        let Some((request, written)) = ask(&step, task, visible.opening(context), &state, number).await? else {
            context.finish(&node, "No reply that can be read");
            break;
        };
        if written.action == GenerationAction::Explore {
            explore(&step, &mut state, number, &written).await?;
            continue;
        }
        let same_as_before = state.query.as_ref().is_some_and(|c| same(c.sql.as_str(), &written.sql));
        let fared = match state.query.take_if(|_| same_as_before) {
            Some(candidate) => {
                Fared { sql: candidate.sql.as_str().to_owned(), fixes: 0, outcome: Ok(Box::new(candidate)) }
            }
            None => attempt(&step, task, &request, &written, number).await?,
        };
        // A state that no longer changes is final, whatever the model calls it; a doubt about it is told once before that.
        let doubt = fared.outcome.as_ref().ok().and_then(|candidate| candidate.doubt.clone());
        let told = doubt.filter(|_| !same_as_before && !state.doubted && number < task.steps);
        state.doubted |= told.is_some();
        let action = match written.action {
            _ if same_as_before => GenerationAction::Finalize,
            GenerationAction::Finalize if told.is_some() => GenerationAction::Extend,
            action => action,
        };
        let (error, page) = match &fared.outcome {
            Ok(candidate) => (None, Some(sample(&candidate.page))),
            Err(error) => (Some(error.clone()), None),
        };
        let outcome = match (&error, &page) {
            (Some(error), _) => format!("failed: {error}"),
            (None, page) => {
                let shown = page.as_ref().map_or_else(String::new, first_rows);
                told.map_or(shown.clone(), |doubt| format!("{shown}; doubt: {doubt}"))
            }
        };
        reached(&step, number, action, &written.aim, &fared, error, page);
        state.lines.push(line(number, action, &written.aim, &fared.sql, outcome.clone()));
        state.explores = 0;
        if fared.outcome.is_err() {
            visible.bring_back(context, &fared.sql).await?;
            state.repeated += usize::from(state.failed.iter().any(|failed| same(failed, &fared.sql)));
            state.failed.push(fared.sql);
        }
        if let Ok(candidate) = fared.outcome {
            if action == GenerationAction::Finalize {
                let reason = format!("Final after {}", super::schema::count(number as usize, "step"));
                let chosen = accept(&step, vec![*candidate], &Choice { index: 0, votes: 1 }, reason);
                return Ok(Some((chosen, node)));
            }
            state.query = Some(*candidate);
        }
        context.finish(&node, outcome.chars().take(80).collect::<String>());
        state.grew_from = vec![node];
        if state.repeated == REPEATS {
            break;
        }
    }
    // Out of steps: the last query that ran, and never one that only looked at the data.
    let Some(candidate) = state.query else { return Ok(None) };
    let node = state.grew_from.swap_remove(0);
    context.warn(Some(&node), "Not sure: the query was never called final. The last one that ran is taken");
    let chosen = accept(
        &Desk { node: &node, ..*desk },
        vec![candidate],
        &Choice { index: 0, votes: 1 },
        "The last query that ran".to_owned(),
    );
    Ok(Some((chosen, node)))
}

/// Asks for the next step; `None` when neither reply nor its repetition can be read.
async fn ask(
    desk: &Desk<'_>,
    task: &Task<'_>,
    opening: Request,
    state: &State,
    number: u32,
) -> Result<Option<(Request, Written)>, StageError> {
    let dialect = desk.context.ask.catalog.dialect.display_name();
    let prompt = NextStep {
        question: task.question,
        facts: task.facts,
        values: desk.values,
        domain: task.domain,
        steps: &state.lines,
        dialect,
    };
    let mut request = Request {
        tail: prompt.render(),
        max_tokens: 420,
        temperature: match state.failed.len() {
            0 => TEMPERATURE,
            _ => AFTER_FAILURE,
        },
        seed: desk.context.ask.settings.seed + u64::from(number),
        output: OutputFormat::JsonSchema { name: "step".into(), schema: schema(&actions(task, state, number)) },
        ..opening
    };
    for again in [false, true] {
        let replies = desk.context.call(Agent::Generator, desk.node, request.clone()).await?;
        match vitrine_llm::parse_json::<Written>(replies.first()) {
            Ok(written) => return Ok(Some((request, written))),
            Err(error) if again => desk.context.warn(Some(desk.node), format!("No step: {error}")),
            Err(error) => {
                let problem = Retry { problem: &error.to_string() }.render();
                request.turns = vec![(replies.first().to_owned(), problem)];
            }
        }
    }
    Ok(None)
}

/// The moves that make sense: nothing to revise before there is a query, no looking around without end.
fn actions(task: &Task<'_>, state: &State, number: u32) -> Vec<&'static str> {
    if number == task.steps {
        return vec!["finalize"];
    }
    let mut actions = if state.lines.iter().any(|line| line.action != "explore") {
        vec!["extend", "revise", "finalize"]
    } else {
        vec!["extend", "finalize"]
    };
    if state.explores < EXPLORES {
        actions.push("explore");
    }
    actions
}

/// Runs a step's query, corrected where it fails, at most the task's fixes.
async fn attempt(
    desk: &Desk<'_>,
    task: &Task<'_>,
    request: &Request,
    written: &Written,
    number: u32,
) -> Result<Fared, StageError> {
    let mut text = written.sql.clone();
    let mut fixes = 0;
    loop {
        let (sql, error) = match try_sql(desk, number, fixes, &text).await? {
            Tried::Ran(candidate) => {
                return Ok(Fared { sql: candidate.sql.as_str().to_owned(), fixes, outcome: Ok(candidate) });
            }
            Tried::Failed { sql, error } => (sql, error),
        };
        if fixes == task.fixes || desk.effort.rounds == 0 {
            return Ok(Fared { sql, fixes, outcome: Err(error) });
        }
        let again = Request {
            turns: vec![(format!("```sql\n{sql}\n```"), SqlFeedback { error: &error, values: desk.values }.render())],
            max_tokens: 400,
            temperature: if fixes == 0 { 0.0 } else { 0.6 },
            seed: request.seed + 10 * u64::from(fixes),
            stop: vec!["```".into(), ";".into()],
            assistant_prefix: "```sql\n".into(),
            output: OutputFormat::Text,
            ..request.clone()
        };
        let replies = desk.context.call(Agent::Generator, desk.node, again).await?;
        let corrected = replies.first().trim();
        fixes += 1;
        if corrected.is_empty() || same(corrected, &sql) {
            return Ok(Fared { sql, fixes, outcome: Err(error) });
        }
        text = corrected.to_owned();
    }
}

/// An Explore step: a side branch, read by what follows.
async fn explore(desk: &Desk<'_>, state: &mut State, number: u32, written: &Written) -> Result<(), StageError> {
    let context = desk.context;
    let text = written.sql.trim().trim_end_matches(';');
    let looked = match prepare(context, desk.views, &desk.effort, text, &mut Vec::new()) {
        Ok(sql) => match context.query(Agent::Generator, desk.node, &sql, ROWS).await {
            Ok(page) => Ok(page),
            Err(error @ WarehouseError::Cancelled) => return Err(error.into()),
            Err(error) => Err(error.to_string()),
        },
        Err(error) => Err(error),
    };
    let outcome = match &looked {
        Ok(page) => first_rows(page),
        Err(error) => format!("failed: {error}"),
    };
    context.emit(EventBody::StateReached {
        node: desk.node.to_owned(),
        step: number,
        action: GenerationAction::Explore,
        aim: written.aim.clone(),
        sql: text.to_owned(),
        fixes: 0,
        error: looked.as_ref().err().cloned(),
        page: looked.ok(),
    });
    context.finish(desk.node, outcome.chars().take(80).collect::<String>());
    state.lines.push(line(number, GenerationAction::Explore, &written.aim, text, outcome));
    state.explores += 1;
    state.grew_from.push(desk.node.to_owned());
    Ok(())
}

fn reached(
    desk: &Desk<'_>,
    step: u32,
    action: GenerationAction,
    aim: &str,
    fared: &Fared,
    error: Option<String>,
    page: Option<Page>,
) {
    desk.context.emit(EventBody::StateReached {
        node: desk.node.to_owned(),
        step,
        action,
        aim: aim.to_owned(),
        sql: fared.sql.clone(),
        fixes: fared.fixes,
        error,
        page,
    });
}

fn line(number: u32, action: GenerationAction, aim: &str, sql: &str, outcome: String) -> StepLine {
    let action = match action {
        GenerationAction::Extend => "extend",
        GenerationAction::Revise => "revise",
        GenerationAction::Explore => "explore",
        GenerationAction::Finalize => "finalize",
    };
    let sql = sql.split_whitespace().collect::<Vec<_>>().join(" ");
    StepLine { number, action: action.to_owned(), aim: aim.to_owned(), sql, outcome }
}

/// The first rows of a page, which are enough for the log.
fn sample(page: &Page) -> Page {
    Page { rows: page.rows.iter().take(ROWS as usize).cloned().collect(), ..page.clone() }
}

fn schema(actions: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": {
            "action": {"enum": actions},
            "aim": {"type": "string", "maxLength": 80},
            "sql": {"type": "string", "pattern": "^(SELECT|WITH) [^\\n\\r]{1,900}$"},
        },
        "required": ["action", "aim", "sql"],
        "additionalProperties": false,
    })
}
