//! SQL generation (AV-SQL, 4.4, Algorithm 2): candidates, names repair, execution repair, choice by result.

use super::schema::count;
use super::views::{Views, completed, look_up};
use crate::candidates::{Candidate, Choice, agree, choose, is_decided, is_void, readings};
use crate::context::{RunContext, StageError};
use crate::contract::OutputContract;
use crate::prompt::{Prompt, SqlFeedback};
use std::collections::HashSet;
use vitrine_domain::{Agent, AppError, ErrorCode, EventBody, Page, StageKind, Switch};
use vitrine_llm::Request;
use vitrine_sql::{Cte, NameProblem, ReadOnlySql};
use vitrine_warehouse::WarehouseError;

/// The graph node of this stage.
pub const NODE: &str = "generator";

/// Sampling temperature of every candidate but the greedy first.
const CANDIDATE_TEMPERATURE: f32 = 0.8;

/// Replies asked for in one repair round: the first that runs is taken.
const REPAIRS: u32 = 2;

/// How a final SQL fared.
enum Tried {
    Ran(Box<Candidate>),
    Failed { sql: String, error: String },
}

/// How many candidates, and whether failures are repaired.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Candidates wanted, the greedy ones included.
    pub candidates: u32,
    /// Repair rounds when nothing runs.
    pub rounds: u32,
    /// Whether names that do not bind, and slips that run, are mended without a model.
    pub repair: bool,
}

impl Effort {
    /// As set for this run.
    pub fn of(context: &RunContext) -> Self {
        let settings = &context.ask.settings;
        let feedback = settings.with(Switch::SqlFeedback);
        Self {
            candidates: settings.candidates.clamp(1, 16),
            rounds: if feedback { settings.max_rounds } else { 0 },
            repair: feedback,
        }
    }
}

/// Where the SQL is written: a node of the graph, and what every candidate is tried with.
pub struct Desk<'a> {
    /// The run.
    pub context: &'a RunContext,
    /// The node.
    pub node: &'a str,
    /// The node's title, for people.
    pub title: &'a str,
    /// Nodes whose outputs are read.
    pub inputs: &'a [&'a str],
    /// Views that a query may name.
    pub views: &'a Views,
    /// Stored values for prompts, one line per column.
    pub values: &'a [String],
    /// What the answer's shape must be.
    pub contract: &'a OutputContract,
    /// How much is spent.
    pub effort: Effort,
    /// Number of the first candidate.
    pub first: u32,
}

/// What came of writing.
pub struct Drafts {
    /// Every candidate that ran, at least one.
    pub ran: Vec<Candidate>,
    /// Number of the next candidate.
    pub next: u32,
}

/// Writes the final SQL. First comes the greedy reply to each of `requests` (samples and output form are set here).
/// Where several of these agree no more are written; else the first request is sampled until the vote cannot change.
/// Repairs go on with the first request, too, and with the next one when a round brings nothing but what failed before.
///
/// # Errors
/// Fails when nothing ran within the rounds; the last database error is the detail.
pub async fn write(desk: &Desk<'_>, requests: &[Request]) -> Result<Drafts, StageError> {
    let Desk { context, effort, .. } = desk;
    context.begin(desk.node, StageKind::Generator, desk.title, desk.inputs);
    let mut calls = first_round(context, requests, effort.candidates);
    let mut ran: Vec<Candidate> = Vec::new();
    let mut number = desk.first - 1;
    let mut attempt = 0;
    let mut failed: HashSet<String> = HashSet::new();
    let mut asked = 0;
    loop {
        let mut failure: Option<(String, String)> = None;
        let mut anything_new = false;
        for (index, request) in calls.iter().enumerate() {
            if index == requests.len() && agree(&ran, requests.len()) {
                break;
            }
            let mut outstanding = request.samples as usize;
            let tries = async |text: &str| {
                number += 1;
                outstanding -= 1;
                match try_sql(desk, number, attempt, text).await? {
                    Tried::Ran(candidate) => ran.push(*candidate),
                    Tried::Failed { sql, error } => {
                        anything_new |= failed.insert(sql.clone());
                        failure.get_or_insert((sql, error));
                    }
                }
                Ok(outstanding > 0 && is_decided(&ran, outstanding))
            };
            context.call_until(Agent::Generator, desk.node, request.clone(), tries).await?;
        }
        // Asked again once when there is a doubt about every candidate.
        let doubt = ran.first().and_then(|c| Some((c.sql.as_str().to_owned(), c.doubt.clone()?)));
        match doubt {
            Some(doubt) if attempt == 0 && effort.rounds > 0 && ran.iter().all(|c| c.doubt.is_some()) => {
                failure = Some(doubt);
            }
            _ if !ran.is_empty() => return Ok(Drafts { ran, next: number + 1 }),
            _ => {}
        }
        let (sql, error) = failure.unwrap_or_else(|| (String::new(), "there was no reply".to_owned()));
        asked += usize::from(!anything_new && ran.is_empty());
        if attempt >= effort.rounds || asked >= requests.len() {
            let message = format!("No SQL that runs was found in {}", count(attempt as usize + 1, "attempt"));
            return Err(AppError::new(ErrorCode::Query, message)
                .hint("Say it in other words, name the tables, or choose a larger model")
                .detail(error)
                .into());
        }
        let feedback = SqlFeedback { error: &error, values: desk.values }.render();
        attempt += 1;
        let turns = vec![(format!("```sql\n{sql}\n```"), feedback)];
        let samples = effort.candidates.min(REPAIRS);
        let again = call(context, &requests[asked], samples, attempt < 3);
        calls = vec![Request {
            turns,
            temperature: CANDIDATE_TEMPERATURE,
            seed: again.seed + 100 * u64::from(attempt),
            ..again
        }];
    }
}

/// Chooses among candidates that ran and ends the node. `ran` must not be empty.
pub fn settle(desk: &Desk<'_>, ran: Vec<Candidate>) -> Candidate {
    let choice = choose(&ran, desk.contract).expect("something ran");
    let of = ran.len() as u32;
    let reason = if of == 1 {
        "It ran".to_owned()
    } else {
        format!("{} of {of} candidates that ran agree on this result", choice.votes)
    };
    if of > 1 && choice.votes * 2 <= of {
        let message = format!("Not sure: only {} of {of} candidates agree on this result", choice.votes);
        desk.context.warn(Some(desk.node), message);
    }
    accept(desk, ran, &choice, reason)
}

/// Makes a candidate the node's outcome, and tells what else could have been where it has no majority.
pub fn accept(desk: &Desk<'_>, mut ran: Vec<Candidate>, choice: &Choice, reason: String) -> Candidate {
    let Desk { context, node, .. } = desk;
    let of = ran.len() as u32;
    let others = if choice.votes * 2 > of { Vec::new() } else { readings(&ran, choice).split_off(1) };
    let chosen = ran.swap_remove(choice.index);
    context.emit(EventBody::CandidateChosen {
        node: (*node).to_owned(),
        candidate: chosen.number,
        votes: choice.votes,
        of,
        sql: chosen.sql.as_str().to_owned(),
        reason: reason.clone(),
        others,
    });
    context.finish(node, reason);
    chosen
}

/// The first round's calls: the greedy reply to each request, then the sampled ones, all to the first request.
fn first_round(context: &RunContext, requests: &[Request], candidates: u32) -> Vec<Request> {
    let greedy = requests.iter().take(candidates as usize).map(|request| call(context, request, 1, true));
    let sampled = candidates.saturating_sub(requests.len() as u32);
    greedy.chain((sampled > 0).then(|| call(context, &requests[0], sampled, false))).collect()
}

/// A request for SQL alone.
fn call(context: &RunContext, request: &Request, samples: u32, greedy: bool) -> Request {
    Request {
        samples,
        first_greedy: greedy,
        temperature: if greedy { 0.0 } else { CANDIDATE_TEMPERATURE },
        top_p: 0.95,
        seed: context.ask.settings.seed,
        max_tokens: 400,
        stop: vec!["```".into(), ";".into()],
        assistant_prefix: "```sql\n".into(),
        ..request.clone()
    }
}

/// Tries one reply: add the views that it names, bind, mend, run, and ask what speaks against it.
async fn try_sql(desk: &Desk<'_>, number: u32, attempt: u32, text: &str) -> Result<Tried, StageError> {
    let Desk { context, node, .. } = desk;
    let written = text.trim().trim_end_matches(';').trim().to_owned();
    let mut repairs = Vec::new();
    let (mut sql, mut outcome) = match prepare(context, desk.views, &desk.effort, &written, &mut repairs) {
        Ok(sql) => (sql.as_str().to_owned(), execute(context, Agent::Generator, node, sql, number).await?),
        Err(error) => (written, Err(error)),
    };
    if let Ok(candidate) = &mut outcome {
        candidate.doubt = doubt(desk, &candidate.sql);
        if desk.effort.rounds > 0 && finds_nothing(&candidate.page) {
            let looked_up = look_up(context, node, &candidate.sql).await;
            if let Some((respelt, note)) = looked_up.as_stored(&candidate.sql)
                && let Ok(better) = execute(context, Agent::Generator, node, respelt, number).await?
                && !finds_nothing(&better.page)
            {
                sql = better.sql.as_str().to_owned();
                repairs.push(note);
                *candidate = Candidate { doubt: candidate.doubt.take(), ..better };
            } else if candidate.doubt.is_none() {
                let missing = looked_up.missing();
                candidate.doubt = (!missing.is_empty()).then(|| format!("it finds nothing: {}", missing.join("; ")));
            }
        }
    }
    let (error, row_count, digest) = match &outcome {
        Ok(candidate) => (None, Some(candidate.page.row_count), Some(candidate.digest.clone())),
        Err(error) => (Some(error.clone()), None, None),
    };
    let tried = match outcome {
        Ok(candidate) => Tried::Ran(Box::new(candidate)),
        Err(error) => Tried::Failed { sql: sql.clone(), error },
    };
    context.emit(EventBody::SqlAttempted {
        node: (*node).to_owned(),
        candidate: number,
        attempt,
        sql,
        repairs,
        error,
        row_count,
        digest,
    });
    Ok(tried)
}

/// What speaks against a query whatever it gives.
fn doubt(desk: &Desk<'_>, sql: &ReadOnlySql) -> Option<String> {
    let lost = desk.contract.lost(sql).map(|lost| format!("it {lost}"));
    let by_chance = || vitrine_sql::chance_joins(sql, &desk.context.ask.catalog).into_iter().next();
    lost.or_else(|| by_chance().filter(|_| desk.effort.repair))
}

/// No rows, nothing but NULLs, or a count of 0.
fn finds_nothing(page: &Page) -> bool {
    is_void(page) || matches!(page.rows.as_slice(), [row] if matches!(row.as_slice(), [Some(n)] if n == "0"))
}

/// Runs a prepared statement; the inner `Err` is the database's message.
pub async fn execute(
    context: &RunContext,
    agent: Agent,
    node: &str,
    sql: ReadOnlySql,
    number: u32,
) -> Result<Result<Candidate, String>, StageError> {
    match context.query(agent, node, &sql, context.ask.settings.row_limit).await {
        Ok(page) => {
            let digest = vitrine_warehouse::digest(&page, sql.is_ordered());
            Ok(Ok(Candidate { number, sql, page, digest, doubt: None }))
        }
        Err(error @ WarehouseError::Cancelled) => Err(error.into()),
        Err(error) => Ok(Err(error.to_string())),
    }
}

/// From the model's text to a statement that may run: one read-only query whose every name is bound.
pub fn prepare(
    context: &RunContext,
    views: &Views,
    effort: &Effort,
    written: &str,
    repairs: &mut Vec<String>,
) -> Result<ReadOnlySql, String> {
    let ask = &context.ask;
    let mut sql = ReadOnlySql::parse(written, ask.catalog.dialect).map_err(|e| e.to_string())?;
    let mut binding = vitrine_sql::bind(&sql, &ask.catalog);
    if let Some(with_views) = add_views(&sql, views, &binding.problems) {
        sql = with_views;
        binding = vitrine_sql::bind(&sql, &ask.catalog);
    }
    let problems = if effort.repair {
        match vitrine_sql::repair(&sql, &ask.catalog, &ask.profile) {
            Ok(repaired) => {
                repairs.extend(repaired.notes);
                let Some((all, note)) = completed(&views.values, &repaired.sql) else { return Ok(repaired.sql) };
                repairs.push(note);
                return Ok(all);
            }
            Err(problems) => problems,
        }
    } else {
        binding.problems
    };
    if problems.is_empty() {
        return Ok(sql);
    }
    Err(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}

/// A query may name validated views without repeating them: their definitions are put in front.
fn add_views(sql: &ReadOnlySql, views: &Views, problems: &[NameProblem]) -> Option<ReadOnlySql> {
    let named = |view: &str| {
        problems.iter().any(|p| matches!(p, NameProblem::UnknownTable { name, .. } if name.eq_ignore_ascii_case(view)))
    };
    if !views.views.iter().any(|v| named(&v.name)) {
        return None;
    }
    let mut program = vitrine_sql::split_ctes(sql.as_str(), sql.dialect()).ok()?;
    let mut needed: Vec<Cte> = Vec::new();
    // Views are in topological order: walking backwards meets readers before what they read.
    for view in views.views.iter().rev() {
        let read = needed.iter().any(|c| c.depends_on.iter().any(|d| d.eq_ignore_ascii_case(&view.name)));
        if named(&view.name) || read {
            needed.insert(
                0,
                Cte {
                    name: view.name.clone(),
                    columns: Vec::new(),
                    sql: view.sql.clone(),
                    depends_on: view.depends_on.clone(),
                },
            );
        }
    }
    needed.append(&mut program.ctes);
    let list: Vec<String> = needed.iter().map(definition).collect();
    let body = program.body?;
    ReadOnlySql::parse(&format!("WITH {}\n{body}", list.join(",\n")), sql.dialect()).ok()
}

fn definition(cte: &Cte) -> String {
    let columns = if cte.columns.is_empty() { String::new() } else { format!(" ({})", cte.columns.join(", ")) };
    format!("{}{columns} AS ({})", cte.name, cte.sql)
}
