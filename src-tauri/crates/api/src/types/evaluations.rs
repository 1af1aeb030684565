//! Measuring methods and models: what is started, and what came of it.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{MethodName, ModelId};

/// What to measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EvaluationRequest {
    /// A folder of questions with known answers; `None` takes the saved questions of `warehouse`.
    pub pack: Option<String>,
    /// The data whose saved questions are asked.
    pub warehouse: Option<String>,
    /// The method.
    pub strategy: MethodName,
    /// The model; `None` is the default one.
    pub model: Option<ModelId>,
    /// Every K-th question.
    pub every: u32,
    /// Questions at most; `None` takes all.
    pub limit: Option<u32>,
}

/// What was measured, in figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EvaluationSummary {
    /// Names it in later calls.
    pub id: String,
    /// The pack's name.
    pub pack: String,
    /// How questions were worked on, where that was recorded.
    pub strategy: Option<MethodName>,
    /// Who answered, where that was recorded.
    pub model: Option<ModelId>,
    /// The rule that `right` follows, for people.
    pub rule: String,
    /// Every K-th question of the pack.
    pub every: u32,
    /// Right answers.
    pub right: u32,
    /// Questions that count, so far.
    pub questions: u32,
    /// Half of the questions took at most so many seconds; `None` where replies came from a file.
    pub median_seconds: Option<f64>,
    /// Model calls of a question, mean.
    pub model_calls: f64,
    /// Tokens of a question, mean: read anew and written.
    pub tokens: f64,
    /// Right answers by the pack's grading, from easy to hard.
    pub by_hardness: Vec<EvaluationGroup>,
}

/// Right answers of one kind of question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EvaluationGroup {
    /// The kind.
    pub name: String,
    /// Right answers.
    pub right: u32,
    /// Questions.
    pub questions: u32,
}

/// How one question went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EvaluationQuestion {
    /// Names it in later calls.
    pub id: String,
    /// The database's name.
    pub database: String,
    /// As asked.
    pub question: String,
    /// The pack's grading; may be empty.
    pub hardness: String,
    /// Whether it is right by the pack's rule.
    pub right: bool,
    /// The SQL, or the last one tried.
    pub sql: Option<String>,
    /// What is right.
    pub gold: String,
    /// Why there is no answer.
    pub error: Option<String>,
    /// Seconds it took; `None` where replies came from a file.
    pub seconds: Option<f64>,
}

/// Two runs over the same questions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EvaluationComparison {
    /// Questions that both have.
    pub questions: u32,
    /// Right only in the run.
    pub wins: u32,
    /// Right only in the base run.
    pub losses: u32,
    /// Difference of the shares, in points of 100.
    pub difference: f64,
    /// Its 95% interval, lower end.
    pub low: f64,
    /// Its 95% interval, upper end.
    pub high: f64,
    /// Exact two-sided sign test.
    pub p: f64,
    /// Ids of the questions that the run wins.
    pub won: Vec<String>,
    /// Ids of the questions that it loses.
    pub lost: Vec<String>,
}
