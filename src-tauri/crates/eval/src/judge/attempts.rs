//! The queries that a run wrote, from its events.

use super::prompts::PromptNumbers;
use crate::metrics::candidates::{JudgedQuery, QueryOrigin};
use vitrine_domain::{EventBody, GenerationPath, NodeId, RunEvent};

/// A query of a run that is not judged yet.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Attempt {
    /// The query without a verdict.
    pub(crate) query: JudgedQuery,
    pub(crate) sql: String,
}

/// Returns the queries that a run wrote as possible answers, in order: all attempts, variants with another result, and
/// edits of the revisor. Probes, queries that check the answer, and states of DSR-SQL before the last one are none.
pub(crate) fn collect_attempts(events: &[RunEvent]) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    let mut prompts = PromptNumbers::from_events(events);
    let before_last = list_states_before_last(events);
    for (place, event) in events.iter().enumerate() {
        let (query, sql) = match &event.body {
            EventBody::SqlAttempted { node, candidate, attempt, sql, error, row_count, .. }
                if !before_last.contains(&node) =>
            {
                prompts.claim_reply(&events[..place], node, (*candidate, *attempt), sql);
                let query = JudgedQuery {
                    node: node.to_string(),
                    candidate: *candidate,
                    attempt: *attempt,
                    rows: *row_count,
                    error: error.clone(),
                    ..JudgedQuery::default()
                };
                (query, sql)
            }
            EventBody::VariantTried { node, candidate, sql, error, row_count, same_result: false, .. }
                if !before_last.contains(&node) =>
            {
                let query = JudgedQuery {
                    origin: QueryOrigin::Variant,
                    node: node.to_string(),
                    candidate: *candidate,
                    rows: *row_count,
                    error: error.clone(),
                    ..JudgedQuery::default()
                };
                (query, sql)
            }
            EventBody::Revised { node, before, after, .. } if before != after => {
                let node = node.to_string();
                (JudgedQuery { origin: QueryOrigin::Revision, node, ..JudgedQuery::default() }, after)
            }
            _ => continue,
        };
        attempts.push(Attempt { query, sql: sql.clone() });
    }
    for Attempt { query, .. } in attempts.iter_mut().filter(|attempt| attempt.query.origin == QueryOrigin::Written) {
        query.prompt = prompts.number_of(&query.node, query.candidate);
    }
    attempts
}

/// Returns the nodes of all generation states except the last: their queries answer only parts of the question.
fn list_states_before_last(events: &[RunEvent]) -> Vec<&NodeId> {
    let states = events.iter().filter_map(|event| match &event.body {
        EventBody::StateReached { node, .. } => Some(node),
        _ => None,
    });
    let mut nodes: Vec<&NodeId> = states.collect();
    nodes.pop();
    nodes
}

/// Returns the path of DSR-SQL's generation state; `None` if the run has no such state.
pub(crate) fn find_generation_path(events: &[RunEvent]) -> Option<GenerationPath> {
    let paths = events.iter().filter_map(|event| match &event.body {
        EventBody::StateReached { path, action, .. } => Some(path.unwrap_or(action.path())),
        _ => None,
    });
    paths.max()
}
