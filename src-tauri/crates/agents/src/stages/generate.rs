//! SQL generation (AV-SQL, 4.4, Algorithm 2): candidates, repair of names, repair after execution, choice by result.

use crate::attempt::context::AttemptContext;
use crate::attempt::correction::{correction_request, second_look};
use crate::attempt::declined::Declined;
use crate::attempt::stuck::{RepeatedError, stuck_error};
use crate::attempt::try_sql::{Tried, nothing_ran, try_sql};
use crate::candidate::Candidate;
use crate::candidate::choose::{all_agree, is_decided, take_variants};
use crate::prompt::reply::sql_alone;
use crate::prompt::request::prepend_examples;
use crate::run::calls::CALLS_AT_ONCE;
use crate::run::context::RunContext;
use crate::run::earlier::Earlier;
use crate::run::events::StageError;
use futures::{StreamExt, TryStreamExt, stream};
use std::collections::HashSet;
use vitrine_domain::{Agent, AppError, Caching, EventBody, StageKind};
use vitrine_llm::Request;
use vitrine_words::{tr, translate_constant};

/// Sampling temperature of all candidates except the greedy first one.
const CANDIDATE_TEMPERATURE: f32 = 0.8;

/// Replies requested in one repair round; the first that runs is used.
const REPAIRS: u32 = 2;

/// Minimum number of replies of one turn, if samples are requested in turns.
const TURN: u32 = 2;

/// Outcome of the generation of candidates.
pub struct Drafts {
    /// Candidates that ran, in order.
    pub ran: Vec<Candidate>,
    /// Number of the next candidate.
    pub next: u32,
    /// Error if no candidate ran; its detail is the last database error.
    pub failure: Option<AppError>,
}

impl Drafts {
    /// Returns the candidates that ran, at least one.
    ///
    /// # Errors
    /// Fails if no candidate ran.
    pub fn into_candidates(self) -> Result<Vec<Candidate>, StageError> {
        match self.failure {
            Some(failure) if self.ran.is_empty() => Err(failure.into()),
            _ => Ok(self.ran),
        }
    }
}

/// Writes the final SQL. First, requests the greedy reply to each of `requests` (samples and output format are set here). If one of several
/// queries of a model that deliberates fails, the model receives the error immediately. If several queries agree, no more are written.
/// Otherwise further replies are sampled until the vote cannot change: from the first request for a model that does not deliberate, evenly
/// from all of them for one that does. With the embedded model, several samples of one call cost little more than one; other models bill
/// each sample, so samples are requested in turns. Repairs continue the first request, and the next one if a round repeats only known
/// failures. Three rounds with the same error end the search.
///
/// # Errors
/// Fails if the model fails. If no query ran within the rounds, the returned outcome contains the error.
pub async fn write_drafts(attempts: &AttemptContext<'_>, requests: &[Request]) -> Result<Drafts, StageError> {
    let AttemptContext { context, limits, .. } = attempts;
    let guide = |request: &Request| Request {
        tail: prepend_examples(request.tail.clone(), &context.ask.history.verified),
        ..request.clone()
    };
    let requests = &requests.iter().map(guide).collect::<Vec<_>>();
    context.begin_stage(attempts.node, StageKind::Generator, translate_constant(attempts.title), attempts.inputs);
    let greedy = requests.iter().take(limits.candidates as usize).map(|request| sql_request(context, request, 1, true));
    let samples = limits.candidates.saturating_sub(requests.len() as u32);
    let model = context.model(Agent::Generator).profile();
    let evenly = model.deliberates;
    let mut tally = Tally { number: attempts.first - 1, ..Tally::default() };
    // The greedy replies are independent: they are written concurrently, and each is tried when it arrives.
    let mut written = stream::iter(greedy.map(|call| context.call_model(Agent::Generator, attempts.node, call)))
        .buffered(CALLS_AT_ONCE);
    let mut failed = Vec::new();
    while let Some(replies) = written.try_next().await? {
        if let Some(failure) = tally.try_reply(attempts, replies.first_reply()).await? {
            failed.push((tally.number - attempts.first, failure));
        }
    }
    drop(written);
    // With one prompt, the rounds below repair the failed query.
    if evenly && requests.len() > 1 && limits.rounds > 0 {
        correct_failed(attempts, requests, failed, &mut tally).await?;
    }
    let agreed = all_agree(&tally.ran, requests.len(), attempts.contract);
    // All prompts received a reply that the data is missing, so further samples would not find it.
    if let Some(declined) = tally.declined.first()
        && tally.declined.len() == tally.count_tried(attempts)
    {
        return Ok(Drafts { ran: Vec::new(), next: tally.number + 1, failure: Some(declined.to_error()) });
    }
    if samples > 0 && !agreed {
        if evenly || model.caching != Caching::Kept {
            let sampled = if evenly { requests } else { &requests[..1] };
            sample_in_turns(attempts, sampled, samples, &mut tally).await?;
        } else {
            try_samples(attempts, sql_request(context, &requests[0], samples, false), &mut tally).await?;
        }
    }
    let mut asked = 0;
    let mut repeated = RepeatedError::default();
    loop {
        // The request is repeated once if every candidate has a warning.
        let warning = tally.ran.first().and_then(|c| Some((c.sql.as_str().to_owned(), c.warning.clone()?)));
        let all_warned = tally.attempt == 0 && limits.rounds > 0 && tally.ran.iter().all(|c| c.warning.is_some());
        let (sql, error) = match warning {
            Some(warning) if all_warned => warning,
            _ if !tally.ran.is_empty() => {
                take_variants(&mut tally.ran);
                Declined::warn_of(&tally.declined, tally.count_tried(attempts), context, attempts.node);
                return Ok(Drafts { ran: tally.ran, next: tally.number + 1, failure: None });
            }
            _ => tally.failure.take().unwrap_or_else(|| (String::new(), "there was no reply".to_owned())),
        };
        asked += usize::from(!tally.anything_new && tally.ran.is_empty());
        let is_stuck = repeated.is_stuck(tally.errors.iter().map(String::as_str));
        if tally.attempt >= limits.rounds || asked >= requests.len() || is_stuck {
            // Earlier stages of the run may have tried queries, too.
            let tried = tally.count_tried(attempts).max(context.evidence().failed.of as usize);
            let failure = Some(stuck_error(attempts, tried, &sql, &error));
            return Ok(Drafts { ran: tally.ran, next: tally.number + 1, failure });
        }
        tally.next_round();
        let samples = limits.candidates.min(REPAIRS);
        let again = match all_warned && !tally.ran.is_empty() {
            true => second_look(attempts, Agent::Generator, &requests[asked], &sql, &error).await?,
            false => correction_request(attempts, Agent::Generator, &requests[asked], &sql, &error).await?,
        };
        // A greedy repair tends to repeat the mistake.
        let again = sql_request(context, &again, samples, !evenly && tally.attempt < 3);
        let seed = again.seed + 100 * u64::from(tally.attempt);
        try_samples(attempts, Request { temperature: CANDIDATE_TEMPERATURE, seed, ..again }, &mut tally).await?;
    }
}

/// Runs the queries again that an earlier run wrote at this node, without a model call.
///
/// # Errors
/// Fails if the connection fails.
pub async fn rerun_drafts(attempts: &AttemptContext<'_>, earlier: &Earlier) -> Result<Drafts, StageError> {
    let context = attempts.context;
    context.begin_stage(attempts.node, StageKind::Generator, translate_constant(attempts.title), attempts.inputs);
    let from = earlier.steered.from.clone();
    context.emit(EventBody::StageKept { node: attempts.node.to_owned(), from });
    let mut tally = Tally { number: attempts.first - 1, ..Tally::default() };
    for sql in earlier.candidate_queries(attempts.node) {
        tally.try_reply(attempts, sql).await?;
    }
    let failure = tally
        .failure
        .take()
        .map(|(_, error)| nothing_ran(tr!("No query of the earlier run runs any longer")).with_detail(error));
    let failure = failure.filter(|_| tally.ran.is_empty());
    Ok(Drafts { ran: tally.ran, next: tally.number + 1, failure })
}

/// Requests one correction for each failed query, with its error, before more samples are paid for. A corrected query that runs belongs to
/// the prompt of the failed one.
async fn correct_failed(
    attempts: &AttemptContext<'_>,
    requests: &[Request],
    failed: Vec<(u32, Failure)>,
    tally: &mut Tally,
) -> Result<(), StageError> {
    for (prompt, (sql, error)) in failed {
        let again = correction_request(attempts, Agent::Generator, &requests[prompt as usize], &sql, &error).await?;
        let call = sql_request(attempts.context, &again, 1, true);
        let replies = attempts.context.call_model(Agent::Generator, attempts.node, call).await?;
        tally.take_as(attempts, 1, replies.first_reply()).await?;
    }
    Ok(())
}

/// Tries the replies to one request until the vote is decided.
async fn try_samples(attempts: &AttemptContext<'_>, request: Request, tally: &mut Tally) -> Result<(), StageError> {
    let mut outstanding = request.samples as usize;
    let tries = async |text: &str| {
        outstanding -= 1;
        tally.try_reply(attempts, text).await?;
        Ok(outstanding > 0 && is_decided(&tally.ran, outstanding, attempts.contract))
    };
    attempts.context.call_until(Agent::Generator, attempts.node, request, tries).await.map(|_| ())
}

/// Samples all requests in turns, a few replies concurrently, until the vote is decided.
async fn sample_in_turns(
    attempts: &AttemptContext<'_>,
    requests: &[Request],
    samples: u32,
    tally: &mut Tally,
) -> Result<(), StageError> {
    let context = attempts.context;
    let mut sampled = 0;
    while sampled < samples && !is_decided(&tally.ran, (samples - sampled) as usize, attempts.contract) {
        let turn = (requests.len() as u32).max(TURN).min(samples - sampled);
        // Each seed is used once, because equal replies of one seed would look like two that agree.
        let asked = (sampled..sampled + turn).zip(requests.iter().cycle()).map(|(place, request)| {
            let seed = context.ask.options.settings.seed + 1 + u64::from(place);
            Request { seed, ..sql_request(context, request, 1, false) }
        });
        let calls = asked.map(|request| context.call_model(Agent::Generator, attempts.node, request));
        let mut written = stream::iter(calls).buffered(CALLS_AT_ONCE);
        while let Some(replies) = written.try_next().await? {
            tally.try_reply(attempts, replies.first_reply()).await?;
        }
        sampled += turn;
    }
    Ok(())
}

/// A failed query with its error.
type Failure = (String, String);

/// Outcome of the replies so far.
#[derive(Default)]
struct Tally {
    ran: Vec<Candidate>,
    /// Number of the last candidate.
    number: u32,
    attempt: u32,
    /// SQL texts of all failed queries.
    failed: HashSet<String>,
    /// Replies which state that the requested data is missing.
    declined: Vec<Declined>,
    /// First failure of this round, with its error.
    failure: Option<Failure>,
    /// Errors of this round's queries.
    errors: Vec<String>,
    /// True if this round had a new failure.
    anything_new: bool,
}

impl Tally {
    /// Returns the number of replies that were tried so far.
    fn count_tried(&self, attempts: &AttemptContext<'_>) -> usize {
        (self.number + 1 - attempts.first) as usize
    }

    /// Tries a reply; returns `Some` if its query failed.
    async fn try_reply(&mut self, attempts: &AttemptContext<'_>, text: &str) -> Result<Option<Failure>, StageError> {
        self.take_as(attempts, self.attempt, text).await
    }

    async fn take_as(
        &mut self,
        attempts: &AttemptContext<'_>,
        attempt: u32,
        text: &str,
    ) -> Result<Option<Failure>, StageError> {
        self.number += 1;
        match try_sql(attempts, self.number, attempt, text).await? {
            Tried::Ran(candidate) => self.ran.push(*candidate),
            Tried::Declined(declined) => self.declined.push(declined),
            Tried::Failed { sql, error } => {
                self.anything_new |= self.failed.insert(sql.clone());
                self.failure.get_or_insert((sql.clone(), error.clone()));
                self.errors.push(error.clone());
                return Ok(Some((sql, error)));
            }
        }
        Ok(None)
    }

    fn next_round(&mut self) {
        self.attempt += 1;
        (self.failure, self.anything_new) = (None, false);
        self.errors.clear();
    }
}

/// Returns a request for SQL alone.
fn sql_request(context: &RunContext, request: &Request, samples: u32, greedy: bool) -> Request {
    Request {
        samples,
        first_greedy: greedy,
        temperature: if greedy { 0.0 } else { CANDIDATE_TEMPERATURE },
        top_p: 0.95,
        seed: context.ask.options.settings.seed,
        ..sql_alone(request, &context.model(Agent::Generator).profile())
    }
}
