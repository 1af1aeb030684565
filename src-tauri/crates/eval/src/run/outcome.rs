//! The outcome of one question of a run: one line of `results.jsonl`.

use crate::metrics::candidates::EvaluatedCandidates;
use crate::metrics::fault::Fault;
use crate::metrics::linking::Linking;
use crate::metrics::{Rule, Verdict};
use crate::pack::{EvalScope, Question, SkipReason};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use vitrine_domain::{Certainty, PhaseTimes, Usage};

/// Difficulty levels of the known packs, from easy to hard.
const GRADINGS: [&str; 7] = ["easy", "simple", "medium", "moderate", "hard", "challenging", "extra"];

/// Returns the sort position of a difficulty level; unknown ones come last.
pub(crate) fn hardness_position(hardness: &str) -> usize {
    GRADINGS.iter().position(|known| *known == hardness).unwrap_or(GRADINGS.len())
}

/// The outcome of one question. Fields that earlier versions did not write have defaults, so that old results can be
/// read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The id of the question.
    pub id: String,
    /// The name of its database.
    pub db_id: String,
    /// The pack's difficulty level; empty without one.
    pub hardness: String,
    /// The question in natural language.
    #[serde(default)]
    pub question: String,
    /// `true` if right by Spider's rule.
    pub spider: bool,
    /// `true` if right by BIRD's rule.
    pub bird: bool,
    /// Right by the rule of Spider 2.0; `None` if it was not judged.
    #[serde(default)]
    pub spider2: Option<bool>,
    /// `true` if there is an answer: the final SQL ran.
    pub answered: bool,
    /// The final SQL, or the last attempt.
    pub sql: Option<String>,
    /// The text of the first gold SQL.
    pub gold: String,
    /// The error of a question without an answer.
    pub error: Option<String>,
    /// The fault of a wrong answer, by the pack's rule.
    #[serde(default)]
    pub fault: Option<Fault>,
    /// Overlap of its tables and columns with the names in the gold SQL, if there is gold SQL.
    #[serde(default)]
    pub linking: Option<Linking>,
    /// The usage of the whole run.
    pub usage: Usage,
    /// Number of questions run in parallel, which affects the time of each; 0 is unknown.
    #[serde(default)]
    pub at_once: usize,
    /// `true` if replies may have come from a file, which makes the time meaningless.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replayed: bool,
    /// Times by phase.
    #[serde(default)]
    pub phases: PhaseTimes,
    /// The usage of each agent, by name.
    pub by_agent: BTreeMap<String, Usage>,
    /// `true` if the intended interpretation was among those offered to the user; `None` if the user was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<bool>,
    /// The answer's certainty; `None` without an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certainty: Option<Certainty>,
    /// The verdicts on all queries of the run; `None` if they were not evaluated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<EvaluatedCandidates>,
    /// The reason why the question was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<SkipReason>,
}

impl Outcome {
    /// Creates the outcome of a question without an answer.
    pub(crate) fn without_answer(question: &Question, error: Option<String>) -> Self {
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

    /// Creates the outcome of a question that cannot be measured.
    pub(crate) fn left_out(question: &Question, reason: SkipReason) -> Self {
        Self { left_out: Some(reason), fault: None, ..Self::without_answer(question, None) }
    }

    /// Returns the elapsed seconds; `None` if they are not meaningful.
    pub fn elapsed_seconds(&self) -> Option<f64> {
        (!self.replayed).then_some(self.usage.wall_ms as f64 / 1000.0)
    }

    pub(crate) fn set_verdict(&mut self, verdict: Verdict) {
        (self.spider, self.bird, self.spider2) = (verdict.spider, verdict.bird, Some(verdict.spider2));
    }

    /// Returns `true` if right by a rule; `None` if it was not judged by it.
    pub fn right_by(&self, rule: Rule) -> Option<bool> {
        match rule {
            Rule::Spider => Some(self.spider),
            Rule::Bird => Some(self.bird),
            Rule::Spider2 => self.spider2,
        }
    }

    /// Returns `true` if it is known to be right by a rule.
    pub fn is_right(&self, rule: Rule) -> bool {
        self.right_by(rule) == Some(true)
    }

    /// Returns `true` if the question succeeded: its answer is right, or no needed table is missing.
    pub fn went_well(&self, scope: EvalScope, rule: Rule) -> bool {
        match scope {
            EvalScope::Answers => self.is_right(rule),
            EvalScope::Linking => self.linking.is_some_and(|linking| linking.tables.is_complete()),
        }
    }
}
