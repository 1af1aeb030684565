//! Voting on results (ReFoRCE, 3.2.2), in a node of its own.

use crate::attempt::context::AttemptContext;
use crate::candidate::Candidate;
use crate::candidate::vote::{Vote, count_votes};
use crate::prompt::format::count;
use vitrine_domain::{Confidence, EventBody, StageKind};

/// Counts votes in a node of its own.
pub fn vote(attempts: &AttemptContext<'_>, node: &str, round: u32, candidates: &[Candidate]) -> Vote {
    let context = attempts.context;
    context.begin(node, StageKind::Choice, "Vote by result", &[attempts.node]);
    let vote = count_votes(candidates, attempts.contract.ordered);
    context.emit(EventBody::Voted {
        node: node.to_owned(),
        round,
        clusters: vote.clusters.clone(),
        confidence: vote.confidence,
    });
    let of = candidates.len();
    let summary = match vote.confidence {
        Confidence::High => format!("{} of {of} candidates agree", vote.votes()),
        Confidence::Low if of == 0 => "No candidate ran".to_owned(),
        Confidence::Low => format!("No clear winner among {}", count(vote.clusters.len(), "result")),
    };
    context.finish(node, summary);
    vote
}
