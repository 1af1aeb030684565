//! Refinement: candidates corrected one by one (CHASE-SQL, 3.4, the query fixer; ReFoRCE, 3.2, self-refinement). An error or an empty
//! result is returned to the model, a bounded number of times. A model that deliberates reconsiders an empty result once, with the stored
//! values of the compared columns; the empty query stays a candidate beside the new one.

use crate::attempt::context::AttemptContext;
use crate::attempt::correction::{EMPTY_RESULT, FINDS_NOTHING, correction_request, second_look};
use crate::attempt::declined::Declined;
use crate::attempt::reply::{is_same_query_text, sql_of};
use crate::attempt::stuck::RepeatedError;
use crate::attempt::try_sql::{Tried, goes_on, parse_generator_declined, try_sql};
use crate::attempt::value_hints::look_up;
use crate::candidate::choose::take_variants;
use crate::candidate::{Candidate, finds_nothing};
use crate::run::calls::CALLS_AT_ONCE;
use crate::run::events::StageError;
use futures::{StreamExt, TryStreamExt};
use vitrine_domain::{Agent, EventBody, Switch};
use vitrine_llm::Request;

/// Temperature of the second and later corrections; the first one is greedy.
const TEMPERATURE: f32 = 0.7;

/// Outcome of all replies to a request.
#[derive(Default)]
pub struct Refined {
    /// Candidates that ran, in order.
    pub ran: Vec<Candidate>,
    /// Number of replies with such a candidate.
    pub answered: usize,
    /// Replies which report that the requested data is missing, either immediately or instead of a correction.
    pub declined: Vec<Declined>,
}

/// Tries every reply to `request` and corrects failed queries and queries without rows, at most `rounds` times each. Equal queries are
/// processed once and have as many votes as replies. Numbers start at `first`; [`count_numbers`] are used. Replies that decline cause a
/// warning if other queries ran.
///
/// # Errors
/// Fails if the model or the connection fails; queries that cannot be corrected are omitted.
pub async fn refine_replies(
    attempts: &AttemptContext<'_>,
    request: &Request,
    replies: &[String],
    first: u32,
    rounds: u32,
) -> Result<Refined, StageError> {
    // A reply that declines has no query, and differs from an empty reply.
    let query = |reply| match parse_generator_declined(attempts.context, reply) {
        Some(_) => reply,
        None => sql_of(&attempts.context.ask, reply),
    };
    let written: Vec<&str> = replies.iter().map(|reply| query(reply.as_str())).collect();
    let original = |text: &&str| written.iter().position(|w| is_same_query_text(w, text)).expect("it is one of them");
    let originals: Vec<usize> = written.iter().map(original).collect();
    let rounds = if attempts.context.ask.options.settings.is_enabled(Switch::SqlFeedback) { rounds } else { 0 };
    let refined: Vec<(usize, Outcome)> = futures::stream::iter((0..written.len()).filter(|&i| originals[i] == i))
        .map(async |index| {
            // The complete reply is passed on, because it may also report missing data.
            let number = first + index as u32;
            let numbers = (number, number + replies.len() as u32);
            let outcome = refine_reply(attempts, request, &replies[index], numbers, rounds).await?;
            Ok::<_, StageError>((index, outcome))
        })
        .buffered(CALLS_AT_ONCE)
        .try_collect()
        .await?;
    let mut all = Refined::default();
    for (index, from) in originals.into_iter().enumerate() {
        let number = first + index as u32;
        let candidates = match refined.iter().find(|(i, _)| *i == from) {
            Some((_, Outcome::Ran(candidates))) => candidates,
            Some((_, Outcome::Declined(declined))) => {
                if from != index {
                    declined.record_event(attempts.context, attempts.node, number);
                }
                all.declined.push(declined.clone());
                continue;
            }
            _ => continue,
        };
        all.answered += 1;
        for found in candidates {
            let number = found.number + (index - from) as u32;
            let same = Candidate { number, ..found.clone() };
            if from != index {
                record_same(attempts, &same);
            }
            all.ran.push(same);
        }
    }
    take_variants(&mut all.ran);
    if !all.ran.is_empty() {
        Declined::warn_of(&all.declined, replies.len(), attempts.context, attempts.node);
    }
    Ok(all)
}

/// Records a candidate whose query ran before under another number.
fn record_same(attempts: &AttemptContext<'_>, candidate: &Candidate) {
    attempts.context.emit(EventBody::SqlAttempted {
        node: attempts.node.to_owned(),
        candidate: candidate.number,
        attempt: 0,
        sql: candidate.sql.as_str().to_owned(),
        repairs: Vec::new(),
        error: None,
        row_count: Some(candidate.page.row_count),
        digest: Some(candidate.digest.clone()),
    });
}

/// Returns how many numbers the candidates of this many replies may take: a reply of a model that deliberates can give two.
pub fn count_numbers(deliberates: bool, replies: u32) -> u32 {
    if deliberates { 2 * replies } else { replies }
}

/// Outcome of refining one reply to the request.
enum Outcome {
    /// The query that ran, and the one before it that found nothing.
    Ran(Vec<Candidate>),
    Declined(Declined),
    Failed,
}

/// Refines one candidate: returns the last query that returned rows, else the last that ran. The query before it that
/// found nothing is a candidate of its own, with the number `other`.
async fn refine_reply(
    attempts: &AttemptContext<'_>,
    request: &Request,
    reply: &str,
    (number, other): (u32, u32),
    rounds: u32,
) -> Result<Outcome, StageError> {
    let mut written = reply.to_owned();
    let mut ran: Option<Candidate> = None;
    let mut empty: Option<Candidate> = None;
    let mut warned = false;
    let mut repeated = RepeatedError::default();
    for attempt in 0..=rounds {
        let (sql, error, looks_again) = match try_sql(attempts, number, attempt, &written).await? {
            Tried::Ran(candidate) if attempts.contract.deliberates && finds_nothing(&candidate.page) => {
                let first = empty.is_none() && attempt < rounds;
                let candidate = &*empty.get_or_insert(*candidate);
                if !first {
                    break;
                }
                (candidate.sql.as_str().to_owned(), describe_empty(attempts, candidate).await, true)
            }
            Tried::Ran(candidate) => {
                // Any other result of a model that deliberates is trusted.
                let says_nothing = candidate.says_nothing() && !attempts.contract.deliberates;
                // A warning is passed on once, since it may be unfounded.
                let warning = candidate.warning.clone().filter(|_| !warned);
                if !says_nothing && warning.is_none() {
                    let last = if candidate.warning.is_some() { ran.unwrap_or(*candidate) } else { *candidate };
                    let empty = empty.map(|empty| Candidate { number: other, ..empty });
                    empty.iter().for_each(|empty| record_same(attempts, empty));
                    return Ok(Outcome::Ran(std::iter::once(last).chain(empty).collect()));
                }
                warned |= warning.is_some();
                let sql = candidate.sql.as_str().to_owned();
                if ran.as_ref().is_none_or(Candidate::says_nothing) {
                    ran = Some(*candidate);
                }
                let looks_again = warning.is_some();
                (sql, warning.unwrap_or_else(|| FINDS_NOTHING.to_owned()), looks_again)
            }
            // The reply has no query to correct. A query that ran before has precedence over a later report of missing data.
            Tried::Declined(declined) => {
                return Ok(empty
                    .or(ran)
                    .map_or(Outcome::Declined(declined), |candidate| Outcome::Ran(vec![candidate])));
            }
            Tried::Failed { error, .. } if repeated.is_stuck([error.as_str()]) => break,
            Tried::Failed { sql, error } => (sql, error, false),
        };
        if attempt == rounds {
            break;
        }
        let again = Request {
            temperature: if attempt == 0 { 0.0 } else { TEMPERATURE },
            seed: attempts.context.ask.options.settings.seed + u64::from(number) * 10 + u64::from(attempt),
            ..match looks_again {
                true => second_look(attempts, Agent::Generator, request, &sql, &error).await?,
                false => correction_request(attempts, Agent::Generator, request, &sql, &error).await?,
            }
        };
        let replies = attempts.context.call_model(Agent::Generator, attempts.node, again).await?;
        replies.first_reply().clone_into(&mut written);
        if !goes_on(attempts, &written, &sql) {
            break;
        }
    }
    Ok(empty.or(ran).map_or(Outcome::Failed, |candidate| Outcome::Ran(vec![candidate])))
}

/// Describes an empty result for the model: what the columns hold that the query compares with values which are not stored.
async fn describe_empty(attempts: &AttemptContext<'_>, candidate: &Candidate) -> String {
    let context = attempts.context;
    let looked_up = look_up(context, attempts.node, &candidate.sql).await;
    let stored = looked_up.describe_stored(&candidate.sql, &context.ask.data.catalog, context.shown_profile());
    std::iter::once(EMPTY_RESULT.to_owned()).chain(stored).collect::<Vec<_>>().join("; ")
}
