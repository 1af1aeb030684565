//! How one question of a run went: one line of `results.jsonl`.

use crate::metrics::fault::Fault;
use crate::metrics::linking::Linking;
use crate::metrics::{Rule, Verdict};
use crate::pack::{EvalScope, Question, SkipReason};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use vitrine_domain::{Certainty, Usage};

/// Gradings of the known packs from easy to hard.
const GRADINGS: [&str; 7] = ["easy", "simple", "medium", "moderate", "hard", "challenging", "extra"];

/// The place of a grading; unknown ones come last.
pub(crate) fn grade(hardness: &str) -> usize {
    GRADINGS.iter().position(|known| *known == hardness).unwrap_or(GRADINGS.len())
}

/// How one question went. What earlier versions did not write has a default, so that their results can still be read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The question's id.
    pub id: String,
    /// Its database.
    pub db_id: String,
    /// The pack's grading; empty without one.
    pub hardness: String,
    /// As a person asks it.
    #[serde(default)]
    pub question: String,
    /// By Spider's rule.
    pub spider: bool,
    /// By BIRD's rule.
    pub bird: bool,
    /// By the rule of Spider 2.0; `None` where it was not judged.
    #[serde(default)]
    pub spider2: Option<bool>,
    /// Whether there is an answer: the final SQL ran.
    pub answered: bool,
    /// The final SQL, or the last one tried.
    pub sql: Option<String>,
    /// The first gold SQL.
    pub gold: String,
    /// Why there is no answer.
    pub error: Option<String>,
    /// What is wrong with it, by the rule of its pack.
    #[serde(default)]
    pub fault: Option<Fault>,
    /// Whether it looked at the right tables and columns, where gold SQL says which these are.
    #[serde(default)]
    pub linking: Option<Linking>,
    /// What it cost.
    pub usage: Usage,
    /// How many questions were worked on at once: its seconds are not its own where these are several. 0 is not known.
    #[serde(default)]
    pub at_once: usize,
    /// Whether replies may have come from a file: its seconds say nothing then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replayed: bool,
    /// What each agent cost.
    pub by_agent: BTreeMap<String, Usage>,
    /// Whether the reading that was meant was among those that a person was asked about; `None` where nobody was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<bool>,
    /// How sure the answer is; `None` where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certainty: Option<Certainty>,
    /// Why it does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<SkipReason>,
}

impl Outcome {
    /// A question without any answer.
    pub(crate) fn missing(question: &Question, error: Option<String>) -> Self {
        Self {
            id: question.id.clone(),
            db_id: question.db_id.clone(),
            hardness: question.hardness.clone().unwrap_or_default(),
            question: question.question.clone(),
            spider2: Some(false),
            gold: question.gold_sql.first().cloned().unwrap_or_default(),
            fault: Some(Fault::NoSql),
            error,
            ..Self::default()
        }
    }

    /// A question that cannot be measured.
    pub(crate) fn left_out(question: &Question, reason: SkipReason) -> Self {
        Self { left_out: Some(reason), fault: None, ..Self::missing(question, None) }
    }

    /// Seconds of wall time; `None` where they say nothing.
    pub fn seconds(&self) -> Option<f64> {
        (!self.replayed).then_some(self.usage.wall_ms as f64 / 1000.0)
    }

    pub(crate) fn judged(&mut self, verdict: Verdict) {
        (self.spider, self.bird, self.spider2) = (verdict.spider, verdict.bird, Some(verdict.spider2));
    }

    /// Whether it is right by a rule; `None` where that was not judged.
    pub fn right(&self, rule: Rule) -> Option<bool> {
        match rule {
            Rule::Spider => Some(self.spider),
            Rule::Bird => Some(self.bird),
            Rule::Spider2 => self.spider2,
        }
    }

    /// Whether it is known to be right by a rule.
    pub fn is_right(&self, rule: Rule) -> bool {
        self.right(rule) == Some(true)
    }

    /// Whether the question went well: its answer is right, or no table that it needs is missing.
    pub fn went_well(&self, scope: EvalScope, rule: Rule) -> bool {
        match scope {
            EvalScope::Answers => self.is_right(rule),
            EvalScope::Linking => self.linking.is_some_and(|linking| linking.tables.is_complete()),
        }
    }
}
