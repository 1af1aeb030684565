//! SQL generation (AV-SQL, 4.4, Algorithm 2): candidates, names repair, execution repair, choice by result.

use super::attempt::{Desk, Tried, correction, nothing_ran, sql_alone, try_sql};
use super::schema::count;
use crate::candidates::{Candidate, Choice, agree, choose, is_decided, others};
use crate::context::{RunContext, StageError};
use std::collections::HashSet;
use vitrine_domain::{Agent, AppError, EventBody, StageKind};
use vitrine_llm::Request;

/// The graph node of this stage.
pub const NODE: &str = "generator";

/// Sampling temperature of every candidate but the greedy first.
const CANDIDATE_TEMPERATURE: f32 = 0.8;

/// Replies asked for in one repair round: the first that runs is taken.
const REPAIRS: u32 = 2;

/// What came of writing.
pub struct Drafts {
    /// Every candidate that ran.
    pub ran: Vec<Candidate>,
    /// Number of the next candidate.
    pub next: u32,
    /// Why none ran; the last database error is the detail.
    pub failure: Option<AppError>,
}

impl Drafts {
    /// The candidates that ran, at least one.
    ///
    /// # Errors
    /// Why none did.
    pub fn some(self) -> Result<Vec<Candidate>, StageError> {
        match self.failure {
            Some(failure) if self.ran.is_empty() => Err(failure.into()),
            _ => Ok(self.ran),
        }
    }
}

/// Writes the final SQL. First comes the greedy reply to each of `requests` (samples and output form are set here).
/// Where several of these agree no more are written; else the first request is sampled until the vote cannot change.
/// Repairs go on with the first request, too, and with the next one when a round brings nothing but what failed before.
///
/// # Errors
/// Fails when the model fails. That nothing ran within the rounds is said in what it gives.
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
            _ if !ran.is_empty() => return Ok(Drafts { ran, next: number + 1, failure: None }),
            _ => {}
        }
        let (sql, error) = failure.unwrap_or_else(|| (String::new(), "there was no reply".to_owned()));
        asked += usize::from(!anything_new && ran.is_empty());
        if attempt >= effort.rounds || asked >= requests.len() {
            let message = format!("No SQL that runs was found in {}", count(attempt as usize + 1, "attempt"));
            return Ok(Drafts { ran, next: number + 1, failure: Some(nothing_ran(message).detail(error)) });
        }
        attempt += 1;
        let samples = effort.candidates.min(REPAIRS);
        let again = call(context, &correction(desk, &requests[asked], &sql, &error).await?, samples, attempt < 3);
        calls =
            vec![Request { temperature: CANDIDATE_TEMPERATURE, seed: again.seed + 100 * u64::from(attempt), ..again }];
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
    let others = others(&ran, choice);
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
        ..sql_alone(request)
    }
}
