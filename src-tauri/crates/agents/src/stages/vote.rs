//! Voting on results (ReFoRCE, 3.2.2) in its own node.

use crate::attempt::context::AttemptContext;
use crate::candidate::Candidate;
use crate::candidate::vote::{Vote, count_votes, order_counts};
use vitrine_domain::{Confidence, EventBody, NodeId, StageKind};
use vitrine_words::{plural, tr};

/// Counts the votes of the candidates and reports them in a separate node.
///
/// `failed` candidates did not run, and `declined` replies stated that the requested data is missing. A result wins with high confidence if
/// more candidates have it than any other result and, for a model that deliberates, than failed, declined or returned no rows: for other
/// models, most wrong queries return no rows.
pub fn vote_by_result(
    attempts: &AttemptContext<'_>,
    node: &NodeId,
    round: u32,
    candidates: &[Candidate],
    (failed, declined): (usize, usize),
) -> Vote {
    let context = attempts.context;
    context.begin_stage(node, StageKind::Choice, tr!("Vote by result"), &[attempts.node]);
    let ordered = attempts.contract.ordered || order_counts(candidates);
    let mut vote = count_votes(candidates, ordered);
    if attempts.contract.deliberates && !vote.is_plurality(failed.max(declined)) {
        vote.confidence = Confidence::Low;
    }
    context.emit(EventBody::Voted {
        node: node.to_owned(),
        round,
        clusters: vote.clusters.clone(),
        confidence: vote.confidence,
        ordered,
        failed: failed as u32,
    });
    let of = candidates.len() + if attempts.contract.deliberates { failed + declined } else { 0 };
    let summary = match vote.confidence {
        Confidence::High => tr!("{votes} of {of} queries agree", votes = vote.leader_votes(), of),
        Confidence::Low if of == 0 => tr!("No query ran"),
        Confidence::Low => {
            plural!(vote.clusters.len(), "No clear winner among {n} result", "No clear winner among {n} results")
        }
    };
    context.finish_stage(node, summary);
    vote
}
