//! Times of a run by phase, a pure fold over its events.

use crate::{Agent, EventBody, RunEvent};
use serde::{Deserialize, Serialize};

/// Milliseconds of a run by phase. Concurrent calls and queries overlap, so the sum of the phases may exceed the run's time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseTimes {
    /// Time until the first token of each call before the answer: prompt evaluation, waiting and, for remote models, the network.
    pub prompt_ms: u64,
    /// Time from the first to the last token of each call before the answer.
    pub generation_ms: u64,
    /// Time of the queries before the answer.
    pub execution_ms: u64,
    /// Time from the start to the answer, without the user's response times; 0 without an answer.
    pub answer_ms: u64,
    /// Time from the answer to the last estimate of its certainty; 0 if that was immediate.
    pub check_ms: u64,
    /// The user's response times so far.
    #[serde(skip)]
    waited_ms: u64,
}

impl PhaseTimes {
    /// Adds the next event of a run.
    pub fn apply_event(&mut self, event: &RunEvent) {
        let at = u64::from(event.at_ms);
        match &event.body {
            EventBody::ModelCallFinished { agent, usage, .. } if *agent != Agent::Assessor => {
                self.prompt_ms += usage.first_token_ms;
                self.generation_ms += usage.wall_ms.saturating_sub(usage.first_token_ms);
            }
            EventBody::QueryExecuted { agent, ms, .. } if *agent != Agent::Assessor => {
                self.execution_ms += u64::from(*ms);
            }
            EventBody::ReadingChosen { waited_ms, .. }
            | EventBody::LookingDecided { waited_ms, .. }
            | EventBody::ApprovalDecided { waited_ms, .. } => self.waited_ms += u64::from(*waited_ms),
            EventBody::ResultReady { .. } => (self.answer_ms, self.check_ms) = (at.saturating_sub(self.waited_ms), 0),
            EventBody::CertaintyEstimated { .. } if self.answer_ms > 0 => {
                self.check_ms = at.saturating_sub(self.waited_ms + self.answer_ms);
            }
            _ => {}
        }
    }
}

impl std::ops::AddAssign for PhaseTimes {
    fn add_assign(&mut self, other: Self) {
        self.prompt_ms += other.prompt_ms;
        self.generation_ms += other.generation_ms;
        self.execution_ms += other.execution_ms;
        self.answer_ms += other.answer_ms;
        self.check_ms += other.check_ms;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Certainty, CertaintyLevel, NodeId, Page, Usage};

    fn event(at_ms: u32, body: EventBody) -> RunEvent {
        RunEvent { run_id: "r".to_owned(), seq: at_ms, at_ms, body }
    }

    fn node() -> NodeId {
        NodeId::from("result")
    }

    fn call(agent: Agent, first_token_ms: u64, wall_ms: u64) -> EventBody {
        EventBody::ModelCallFinished {
            node: node(),
            call: 1,
            agent,
            replies: Vec::new(),
            probabilities: Vec::new(),
            usage: Usage { first_token_ms, wall_ms, ..Usage::default() },
            error: None,
        }
    }

    #[test]
    fn phases_exclude_the_users_time_and_separate_the_check() {
        let certainty = Certainty { level: CertaintyLevel::Check, probability: 0.5, reasons: Vec::new() };
        let events = [
            event(1_500, call(Agent::Generator, 1_000, 1_400)),
            event(
                1_600,
                EventBody::QueryExecuted {
                    node: node(),
                    agent: Agent::Generator,
                    sql: "SELECT 1".to_owned(),
                    ms: 30,
                    row_count: Some(1),
                    bytes: None,
                    error: None,
                    composed: false,
                },
            ),
            event(
                6_600,
                EventBody::ReadingChosen { node: node(), candidate: Some(1), waited_ms: 5_000, remembered: None },
            ),
            event(
                6_700,
                EventBody::ResultReady {
                    node: node(),
                    sql: "SELECT 1".to_owned(),
                    code: None,
                    page: Page::default(),
                    headline: None,
                    written: None,
                    changes: Vec::new(),
                    variants: Vec::new(),
                    findings: Vec::new(),
                },
            ),
            event(8_600, call(Agent::Assessor, 100, 1_800)),
            event(8_700, EventBody::CertaintyEstimated { node: node(), certainty, firm: true }),
        ];
        let mut phases = PhaseTimes::default();
        events.iter().for_each(|event| phases.apply_event(event));
        let PhaseTimes { prompt_ms, generation_ms, execution_ms, answer_ms, check_ms, .. } = phases;
        assert_eq!([prompt_ms, generation_ms, execution_ms, answer_ms, check_ms], [1_000, 400, 30, 1_700, 2_000]);
    }
}
