//! Refinement: candidates corrected one by one (CHASE-SQL, 3.4, the query fixer; ReFoRCE, 3.2, self-refinement). An error or an empty
//! result is returned to the model, a bounded number of times.

use crate::attempt::context::AttemptContext;
use crate::attempt::correction::{FINDS_NOTHING, correction_request, second_look};
use crate::attempt::declined::Declined;
use crate::attempt::reply::{is_same_query_text, sql_of};
use crate::attempt::stuck::RepeatedError;
use crate::attempt::try_sql::{Tried, goes_on, parse_generator_declined, try_sql};
use crate::candidate::Candidate;
use crate::candidate::choose::take_variants;
use crate::run::calls::CALLS_AT_ONCE;
use crate::run::events::StageError;
use futures::{StreamExt, TryStreamExt};
use vitrine_domain::{Agent, EventBody, Switch};
use vitrine_llm::Request;

/// Outcome of all replies to a request.
#[derive(Default)]
pub struct Refined {
    /// Candidates that ran, in order.
    pub ran: Vec<Candidate>,
    /// Replies which report that the requested data is missing, either immediately or instead of a correction.
    pub declined: Vec<Declined>,
}

/// Tries every reply to `request` and corrects failed queries and queries without rows, at most `rounds` times each. Equal queries are
/// processed once and have as many votes as replies. Numbers start at `first`. Replies that decline cause a warning if other queries ran.
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
            let outcome = refine_reply(attempts, request, &replies[index], first + index as u32, rounds).await?;
            Ok::<_, StageError>((index, outcome))
        })
        .buffered(CALLS_AT_ONCE)
        .try_collect()
        .await?;
    let mut all = Refined::default();
    for (index, from) in originals.into_iter().enumerate() {
        let number = first + index as u32;
        let found = match refined.iter().find(|(i, _)| *i == from) {
            Some((_, Outcome::Ran(found))) => found,
            Some((_, Outcome::Declined(declined))) => {
                if from != index {
                    declined.record_event(attempts.context, attempts.node, number);
                }
                all.declined.push(declined.clone());
                continue;
            }
            _ => continue,
        };
        if from != index {
            attempts.context.emit(EventBody::SqlAttempted {
                node: attempts.node.to_owned(),
                candidate: number,
                attempt: 0,
                sql: found.sql.as_str().to_owned(),
                repairs: Vec::new(),
                error: None,
                row_count: Some(found.page.row_count),
                digest: Some(found.digest.clone()),
            });
        }
        all.ran.push(Candidate { number, ..(**found).clone() });
    }
    take_variants(&mut all.ran);
    if !all.ran.is_empty() {
        Declined::warn_of(&all.declined, replies.len(), attempts.context, attempts.node);
    }
    Ok(all)
}

/// Outcome of refining one reply to the request.
enum Outcome {
    Ran(Box<Candidate>),
    Declined(Declined),
    Failed,
}

/// Refines one candidate: returns the last query that returned rows, else the last that ran.
async fn refine_reply(
    attempts: &AttemptContext<'_>,
    request: &Request,
    reply: &str,
    number: u32,
    rounds: u32,
) -> Result<Outcome, StageError> {
    let mut written = reply.to_owned();
    let mut ran: Option<Candidate> = None;
    let mut warned = false;
    let mut repeated = RepeatedError::default();
    for attempt in 0..=rounds {
        let (sql, error, looks_again) = match try_sql(attempts, number, attempt, &written).await? {
            Tried::Ran(candidate) => {
                let says_nothing = candidate.says_nothing() && attempts.corrects_empty_results();
                // A warning is passed on once, since it may be unfounded.
                let warning = candidate.warning.clone().filter(|_| !warned);
                if !says_nothing && warning.is_none() {
                    let last = if candidate.warning.is_some() { ran.unwrap_or(*candidate) } else { *candidate };
                    return Ok(Outcome::Ran(Box::new(last)));
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
                return Ok(ran.map_or(Outcome::Declined(declined), |candidate| Outcome::Ran(Box::new(candidate))));
            }
            Tried::Failed { error, .. } if repeated.is_stuck([error.as_str()]) => break,
            Tried::Failed { sql, error } => (sql, error, false),
        };
        if attempt == rounds {
            break;
        }
        let again = Request {
            temperature: if attempt == 0 { 0.0 } else { attempts.limits.correction_temperature },
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
    Ok(ran.map_or(Outcome::Failed, |candidate| Outcome::Ran(Box::new(candidate))))
}
