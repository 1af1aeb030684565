//! The prompt that each candidate replies to. Events do not name it: the candidate's query is searched in the replies of
//! its node.

use std::collections::HashMap;
use vitrine_domain::{EventBody, NodeId, PromptMessage, RunEvent};

/// A reply of a model call.
struct Reply<'a> {
    node: &'a NodeId,
    prompt: &'a [PromptMessage],
    text: String,
    claimed: bool,
}

/// Numbers of the prompts of each node, in the order in which candidates reply to them.
pub(super) struct PromptNumbers<'a> {
    replies: Vec<Reply<'a>>,
    /// The distinct prompts of each node.
    prompts: HashMap<String, Vec<&'a [PromptMessage]>>,
    /// The prompt of each candidate that starts with a reply; `None` if it was not found.
    candidates: HashMap<(String, u32), Option<u32>>,
}

impl<'a> PromptNumbers<'a> {
    pub(super) fn from_events(events: &'a [RunEvent]) -> Self {
        let mut started = HashMap::new();
        let mut replies: Vec<(u32, Reply<'a>)> = Vec::new();
        for event in events {
            match &event.body {
                EventBody::ModelCallStarted { call, messages, .. } => _ = started.insert(*call, messages.as_slice()),
                EventBody::ModelCallFinished { node, call, replies: texts, .. } => {
                    let Some(&prompt) = started.get(call) else { continue };
                    let reply = |text: &String| Reply { node, prompt, text: join_words(text), claimed: false };
                    replies.extend(texts.iter().map(|text| (*call, reply(text))));
                }
                _ => {}
            }
        }
        // Concurrent calls finish in any order; their replies are tried in the order of the calls.
        replies.sort_by_key(|(call, _)| *call);
        let replies = replies.into_iter().map(|(_, reply)| reply).collect();
        Self { replies, prompts: HashMap::new(), candidates: HashMap::new() }
    }

    /// Assigns a reply to an attempt; `before` are the events before it. Each reply belongs to one attempt, because
    /// several replies may contain the same query.
    pub(super) fn claim_reply(
        &mut self,
        before: &[RunEvent],
        node: &NodeId,
        (candidate, attempt): (u32, u32),
        sql: &str,
    ) {
        let written = find_written_text(before, node, sql);
        let found = self.replies.iter_mut().find(|r| !r.claimed && r.node == node && r.text.contains(&written));
        let prompt = found.map(|reply| {
            reply.claimed = true;
            reply.prompt
        });
        // A correction replies to the error of another query.
        if attempt > 0 {
            return;
        }
        let number = prompt.map(|prompt| {
            let known = self.prompts.entry(node.to_string()).or_default();
            let place = known.iter().position(|other| *other == prompt);
            place.unwrap_or_else(|| {
                known.push(prompt);
                known.len() - 1
            }) as u32
                + 1
        });
        self.candidates.insert((node.to_string(), candidate), number);
    }

    /// Returns the number of a candidate's prompt: its own, or the only one of the node.
    pub(super) fn number_of(&self, node: &str, candidate: u32) -> Option<u32> {
        let number = *self.candidates.get(&(node.to_owned(), candidate))?;
        number.or_else(|| (self.prompts.get(node)?.len() == 1).then_some(1))
    }
}

/// Returns a query as the model wrote it, before rules changed it.
fn find_written_text(before: &[RunEvent], of: &NodeId, sql: &str) -> String {
    let mut text = join_words(sql);
    for event in before.iter().rev() {
        if let EventBody::QueryChanged { node, before, after, .. } = &event.body
            && node == of
            && join_words(after) == text
        {
            text = join_words(before);
        }
    }
    text
}

fn join_words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
