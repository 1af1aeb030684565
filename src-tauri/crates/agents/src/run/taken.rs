//! Results that a run reuses from the earlier run that it continues.

use crate::run::context::RunContext;
use vitrine_domain::{Agent, EventBody, NodeId, RunChange, ValueMatch};

impl RunContext {
    /// Reuses the results of a node in the earlier run by emitting its events again. Returns false if the stage has to run.
    pub fn replay_stage(&self, node: &NodeId) -> bool {
        let Some(earlier) = self.ask.history.earlier.as_ref().filter(|earlier| earlier.keeps_node(node)) else {
            return false;
        };
        for body in earlier.node_events(node) {
            let mut body = body.clone();
            if let EventBody::ValuesRetrieved { matches, .. } = &mut body {
                self.retain_known(matches);
            }
            let begins = matches!(body, EventBody::StageStarted { .. });
            self.emit(body);
            if begins {
                self.emit(EventBody::StageKept { node: node.to_owned(), from: earlier.steered.from.clone() });
            }
        }
        true
    }

    /// Returns the stored values that the earlier run found at a node.
    pub fn earlier_values(&self, of: &NodeId) -> Vec<ValueMatch> {
        let mut found: Vec<ValueMatch> = Vec::new();
        for body in self.ask.history.earlier.iter().flat_map(|earlier| earlier.events()) {
            if let EventBody::ValuesRetrieved { node, matches, .. } = body
                && node == of
            {
                found.extend(matches.iter().cloned());
            }
        }
        self.retain_known(&mut found);
        let mut distinct: Vec<ValueMatch> = Vec::new();
        for one in found {
            if !distinct.contains(&one) {
                distinct.push(one);
            }
        }
        distinct
    }

    /// Returns an agent's reply at a node of the earlier run, if the question was the same.
    pub fn earlier_reply(&self, node: &NodeId, agent: Agent, place: usize) -> Option<String> {
        let earlier = self.ask.history.earlier.as_ref().filter(|earlier| earlier.asks_the_same())?;
        earlier.agent_replies(node, agent).get(place).map(|text| (*text).to_owned())
    }

    /// Records that the user set the result of a stage.
    pub fn record_edit(&self, node: &NodeId, change: RunChange) {
        self.emit(EventBody::StageEdited { node: node.to_owned(), change });
    }

    fn retain_known(&self, matches: &mut Vec<ValueMatch>) {
        let known = |found: &ValueMatch| {
            self.ask
                .data
                .catalog
                .find_table(&found.table)
                .is_some_and(|table| table.find_column(&found.column).is_some())
        };
        matches.retain(known);
        *matches = self.egress.retain_unmasked(std::mem::take(matches));
    }
}
