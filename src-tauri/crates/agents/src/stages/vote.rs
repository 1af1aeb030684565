//! Voting on results (ReFoRCE, 3.2.2), in a node of its own.

use crate::attempt::context::AttemptContext;
use crate::candidate::Candidate;
use crate::candidate::vote::{Vote, count_votes, order_counts};
use crate::prompt::format::count;
use vitrine_domain::{Confidence, EventBody, StageKind};

/// Counts votes in a node of its own.
///
/// `failed` candidates did not run. A result wins with high confidence where more candidates have it than any other, and,
/// with a model that deliberates, than failed or found nothing: most wrong queries of another model find nothing.
pub fn vote(attempts: &AttemptContext<'_>, node: &str, round: u32, candidates: &[Candidate], failed: usize) -> Vote {
    let context = attempts.context;
    context.begin(node, StageKind::Choice, "Vote by result", &[attempts.node]);
    let ordered = attempts.contract.ordered || order_counts(candidates);
    let mut vote = count_votes(candidates, ordered);
    if attempts.contract.deliberates && !vote.is_plurality(failed) {
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
    let of = candidates.len() + if attempts.contract.deliberates { failed } else { 0 };
    let summary = match vote.confidence {
        Confidence::High => format!("{} of {of} queries agree", vote.votes()),
        Confidence::Low if of == 0 => "No query ran".to_owned(),
        Confidence::Low => format!("No clear winner among {}", count(vote.clusters.len(), "result")),
    };
    context.finish(node, summary);
    vote
}
