//! The generation state (DSR-SQL, 3.3): a query that grows step by step. The model chooses each step after reading the results of earlier
//! steps. The result of an Explore step is shown to later steps and never returned.

mod next;
mod state;

pub use state::Task;

use self::next::{Next, StepReply, ask_next_step};
use self::state::{State, TakenAction};
use crate::attempt::context::AttemptContext;
use crate::attempt::correction::correction_request;
use crate::attempt::execute::execute_probe;
use crate::attempt::reply::is_same_query_text;
use crate::attempt::try_sql::{Tried, goes_on, try_sql};
use crate::candidate::choose::{Choice, choose_candidate};
use crate::candidate::{Candidate, is_void};
use crate::choice::accept::accept_choice;
use crate::prompt::format::{all_rows, first_rows, letters_of_results, one_line};
use crate::prompt::methods::StepLine;
use crate::run::context::RunContext;
use crate::run::events::{StageError, sample_page};
use vitrine_domain::{Agent, EventBody, GenerationAction, NodeId, Page, StageKind};
use vitrine_llm::Request;
use vitrine_words::{in_english, plural, tr};

/// Number of steps that share the room for results in a prompt.
const STEPS_IN_VIEW: usize = 20;
/// Number of repetitions of a failed query after which the state is stuck.
const REPEATS: usize = 2;

/// Outcome of a step's query.
struct Fared {
    sql: String,
    fixes: u32,
    outcome: Result<Box<Candidate>, String>,
}

impl Fared {
    /// Returns the first rows of the result for the log.
    fn sample(&self) -> Option<Page> {
        self.outcome.as_ref().ok().map(|candidate| sample_page(&candidate.page))
    }
}

/// Takes steps until the query is final; the last step can only be final. Missing tables and columns are restored during the steps. Returns
/// the query and its node; `None` if no step wrote a query that runs.
///
/// # Errors
/// Fails if the model or the connection fails, or if a model that deliberates reports, after exploration, that the data is missing.
pub async fn evolve_query(
    attempts: &AttemptContext<'_>,
    task: &Task<'_>,
) -> Result<Option<(Candidate, NodeId)>, StageError> {
    let context = attempts.context;
    let mut state = State { grew_from: attempts.inputs.iter().map(|&i| i.to_owned()).collect(), ..State::default() };
    let first = if task.drafts.is_empty() { 1 } else { 2 };
    if first == 2 {
        draft_first_step(attempts, task, &mut state).await?;
    }
    for number in first..=task.steps {
        let node = NodeId::from(format!("step-{number}"));
        let inputs: Vec<&NodeId> = state.grew_from.iter().collect();
        context.begin_stage(&node, StageKind::Step, tr!("Step {number}", number), &inputs);
        let step = AttemptContext { node: &node, inputs: &[], ..*attempts };
        let opening = attempts.visible.opening_request(context, Agent::Generator);
        let (request, written) = match ask_next_step(&step, task, opening, &state, number).await? {
            Next::Step(request, written) => (request, written),
            Next::Declined(declined) => {
                declined.record_event(context, &node, number);
                context.finish_stage(&node, tr!("The data does not contain it"));
                return Err(declined.to_error().into());
            }
            Next::Unread => {
                context.finish_stage(&node, tr!("No readable reply"));
                break;
            }
        };
        if written.action == GenerationAction::Explore {
            explore_branch(&step, &mut state, number, &written).await?;
            continue;
        }
        let same_as_before =
            state.query.as_ref().is_some_and(|(c, _)| is_same_query_text(c.sql.as_str(), &written.sql));
        let fared = match state.query.take_if(|_| same_as_before) {
            Some((candidate, _)) => {
                Fared { sql: candidate.sql.as_str().to_owned(), fixes: 0, outcome: Ok(Box::new(candidate)) }
            }
            None => attempt_step(&step, task, &request, &written, number).await?,
        };
        // A state that no longer changes is final, whatever the model calls it; the model first receives its warning once.
        let warning = fared.outcome.as_ref().ok().and_then(|candidate| candidate.warning.clone());
        let told = warning.filter(|_| !same_as_before && !state.warned && number < task.steps);
        state.warned |= told.is_some();
        let action = match written.action {
            _ if same_as_before => GenerationAction::Finalize,
            GenerationAction::Finalize if told.is_some() => GenerationAction::Extend,
            action => action,
        };
        if let Some(problem) = fared.outcome.as_ref().err().or(told.as_ref()) {
            attempts.visible.bring_back(context, &fared.sql, problem).await?;
        }
        let outcome = match &fared.outcome {
            Ok(candidate) => render_outcome(context, &sample_page(&candidate.page), told.as_deref()),
            Err(error) => format!("failed: {error}"),
        };
        emit_state(&step, number, state.take_action(action, &written.aim), &fared);
        state.lines.push(to_step_line(number, action, &written.aim, &fared.sql, outcome.clone()));
        state.explores = 0;
        if fared.outcome.is_err() {
            state.repeated += usize::from(state.failed.iter().any(|failed| is_same_query_text(failed, &fared.sql)));
            state.failed.push(fared.sql);
        }
        if let Ok(candidate) = fared.outcome {
            // A query that returned rows is not replaced by one that returns none.
            let (candidate, of) = match state.query.take() {
                Some(before) if is_void(&candidate.page) && !is_void(&before.0.page) => before,
                _ => (*candidate, node.clone()),
            };
            if action == GenerationAction::Finalize {
                let reason = plural!(number, "Final after {n} step", "Final after {n} steps");
                if of != node {
                    context.finish_stage(&node, tr!("It returns no rows: the previous query is kept"));
                }
                let attempts = AttemptContext { node: &of, ..step };
                let chosen = accept_choice(&attempts, vec![candidate], &Choice { index: 0, votes: 1 }, reason);
                return Ok(Some((chosen, of)));
            }
            state.query = Some((candidate, of));
        }
        context.finish_stage(&node, outcome.chars().take(80).collect::<String>());
        state.grew_from = vec![node];
        if state.repeated == REPEATS {
            break;
        }
    }
    // Without further steps, the last query that ran is final, except for Explore queries.
    let Some((candidate, node)) = state.query else { return Ok(None) };
    context.warn(Some(&node), tr!("Not sure: no query was declared final. The last one that ran is used"));
    let chosen = accept_choice(
        &AttemptContext { node: &node, ..*attempts },
        vec![candidate],
        &Choice { index: 0, votes: 1 },
        tr!("The last query that ran"),
    );
    Ok(Some((chosen, node)))
}

/// Makes the majority result of the drafts the first step.
async fn draft_first_step(attempts: &AttemptContext<'_>, task: &Task<'_>, state: &mut State) -> Result<(), StageError> {
    let node = NodeId::new("step-1");
    attempts.context.begin_stage(&node, StageKind::Step, tr!("Step {number}", number = 1), attempts.inputs);
    let step = AttemptContext { node: &node, inputs: &[], ..*attempts };
    let mut ran: Vec<Candidate> = Vec::new();
    for (number, text) in (1..).zip(task.drafts) {
        if let Tried::Ran(candidate) = try_sql(&step, number, 0, text).await? {
            ran.push(*candidate);
        }
    }
    let Some(choice) = choose_candidate(&ran, attempts.contract) else {
        attempts.context.finish_stage(&node, tr!("No draft ran"));
        state.grew_from = vec![node];
        return Ok(());
    };
    let candidate = ran.swap_remove(choice.index);
    let (aim, sql) = ("what the drafts agree on", candidate.sql.as_str().to_owned());
    let shown = render_outcome(attempts.context, &candidate.page, candidate.warning.as_deref());
    state.warned = candidate.warning.is_some();
    state.lines.push(to_step_line(1, GenerationAction::Extend, aim, &sql, shown.clone()));
    let fared = Fared { sql, fixes: 0, outcome: Ok(Box::new(candidate)) };
    emit_state(&step, 1, state.take_action(GenerationAction::Extend, aim), &fared);
    state.query = fared.outcome.ok().map(|candidate| (*candidate, node.clone()));
    attempts.context.finish_stage(&node, shown.chars().take(80).collect::<String>());
    state.grew_from = vec![node];
    Ok(())
}

/// Runs a step's query, with at most as many corrections as the task allows.
async fn attempt_step(
    attempts: &AttemptContext<'_>,
    task: &Task<'_>,
    request: &Request,
    written: &StepReply,
    number: u32,
) -> Result<Fared, StageError> {
    let mut text = written.sql.clone();
    let mut before = String::new();
    let mut fixes = 0;
    loop {
        let (sql, error) = match try_sql(attempts, number, fixes, &text).await? {
            Tried::Ran(candidate) => {
                return Ok(Fared { sql: candidate.sql.as_str().to_owned(), fixes, outcome: Ok(candidate) });
            }
            // The reply has no query to correct; the next step reads the report and decides.
            Tried::Declined(declined) => {
                let said = in_english(|| declined.to_error().message);
                return Ok(Fared { sql: before, fixes, outcome: Err(said) });
            }
            Tried::Failed { sql, error } => (sql, error),
        };
        if fixes == task.fixes || attempts.limits.rounds == 0 {
            return Ok(Fared { sql, fixes, outcome: Err(error) });
        }
        let again = Request {
            temperature: if fixes == 0 { 0.0 } else { 0.6 },
            seed: request.seed + 10 * u64::from(fixes),
            ..correction_request(attempts, Agent::Generator, request, &sql, &error).await?
        };
        let replies = attempts.context.call_model(Agent::Generator, attempts.node, again).await?;
        replies.first_reply().clone_into(&mut text);
        fixes += 1;
        if !goes_on(attempts, &text, &sql) {
            return Ok(Fared { sql, fixes, outcome: Err(error) });
        }
        before = sql;
    }
}

/// Runs an Explore step, a side branch that later steps read.
async fn explore_branch(
    attempts: &AttemptContext<'_>,
    state: &mut State,
    number: u32,
    written: &StepReply,
) -> Result<(), StageError> {
    let context = attempts.context;
    let text = written.sql.trim().trim_end_matches(';');
    let (sql, looked) = match execute_probe(attempts, Agent::Generator, text).await? {
        Ok((ran, page)) => (ran, Ok(page)),
        Err(error) => (text.to_owned(), Err(error)),
    };
    let outcome = match &looked {
        Ok(page) => rows_of(context, page),
        Err(error) => format!("failed: {error}"),
    };
    context.emit(EventBody::StateReached {
        node: attempts.node.to_owned(),
        step: number,
        action: GenerationAction::Explore,
        path: Some(state.take_action(GenerationAction::Explore, &written.aim).path),
        aim: written.aim.clone(),
        sql: sql.clone(),
        fixes: 0,
        error: looked.as_ref().err().cloned(),
        page: looked.ok(),
    });
    context.finish_stage(attempts.node, outcome.chars().take(80).collect::<String>());
    state.lines.push(to_step_line(number, GenerationAction::Explore, &written.aim, &sql, outcome));
    state.explores += 1;
    state.grew_from.push(attempts.node.to_owned());
    Ok(())
}

/// Renders the rows of a result: the first ones, or, for a model that deliberates, as many as fit into a step's share.
fn rows_of(context: &RunContext, page: &Page) -> String {
    let profile = context.model(Agent::Generator).profile();
    let page = context.mask_page(page);
    match profile.deliberates {
        true => all_rows(&page, letters_of_results(&profile) / STEPS_IN_VIEW),
        false => first_rows(&page),
    }
}

/// Renders the rows of a result, with its warning if there is one.
fn render_outcome(context: &RunContext, page: &Page, warning: Option<&str>) -> String {
    let rows = rows_of(context, page);
    warning.map_or(rows.clone(), |warning| format!("{rows}; doubt: {warning}"))
}

fn emit_state(attempts: &AttemptContext<'_>, step: u32, taken: TakenAction<'_>, fared: &Fared) {
    attempts.context.emit(EventBody::StateReached {
        node: attempts.node.to_owned(),
        step,
        action: taken.action,
        path: Some(taken.path),
        aim: taken.aim.to_owned(),
        sql: fared.sql.clone(),
        fixes: fared.fixes,
        error: fared.outcome.as_ref().err().cloned(),
        page: fared.sample(),
    });
}

fn to_step_line(number: u32, action: GenerationAction, aim: &str, sql: &str, outcome: String) -> StepLine {
    let action = match action {
        GenerationAction::Extend => "extend",
        GenerationAction::Revise => "revise",
        GenerationAction::Explore => "explore",
        GenerationAction::Finalize => "finalize",
    };
    let sql = one_line(sql);
    StepLine { number, action: action.to_owned(), aim: aim.to_owned(), sql, outcome }
}
