//! Accepts a candidate as a node's outcome and reports its confidence.

use crate::attempt::context::AttemptContext;
use crate::candidate::Candidate;
use crate::candidate::choose::{Choice, choose_candidate};
use crate::candidate::interpretations::list_other_readings;
use vitrine_domain::EventBody;
use vitrine_words::tr;

/// Chooses among candidates that ran and ends the node. `ran` must not be empty.
pub fn accept_majority(attempts: &AttemptContext<'_>, ran: Vec<Candidate>) -> Candidate {
    let choice = choose_candidate(&ran, attempts.contract).expect("something ran");
    let of = ran.len() as u32;
    let reason = if of == 1 {
        tr!("It ran")
    } else {
        tr!("{votes} of {of} queries that ran agree on this result", votes = choice.votes, of)
    };
    warn_no_majority(attempts, choice.votes, of);
    accept_choice(attempts, ran, &choice, reason)
}

/// Warns if no result has a majority.
pub fn warn_no_majority(attempts: &AttemptContext<'_>, votes: u32, of: u32) {
    if of > 1 && votes * 2 <= of {
        let message = tr!("Not sure: only {votes} of {of} queries agree on this result", votes, of);
        attempts.context.warn(Some(attempts.node), message);
    }
}

/// Makes a candidate the node's outcome, and reports other interpretations if it has no majority.
pub fn accept_choice(
    attempts: &AttemptContext<'_>,
    mut ran: Vec<Candidate>,
    choice: &Choice,
    reason: String,
) -> Candidate {
    let AttemptContext { context, node, .. } = attempts;
    let of = ran.len() as u32;
    let others = list_other_readings(&ran, choice, attempts.contract, &context.ask.data.catalog);
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
    context.finish_stage(node, reason);
    chosen
}
