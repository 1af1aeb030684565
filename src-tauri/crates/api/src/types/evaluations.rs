//! Evaluations of methods and models: requests and results.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{MethodName, ModelId};

/// Request for an evaluation of a method and model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EvaluationRequest {
    /// Folder of questions with known answers; `None` uses the saved questions of `warehouse`.
    pub pack: Option<String>,
    /// Address of the warehouse whose saved questions are used.
    pub warehouse: Option<String>,
    /// Method that answers the questions.
    pub strategy: MethodName,
    /// Model to use; `None` for the default one.
    pub model: Option<ModelId>,
    /// Interval of the sample: every K-th question is used.
    pub every: u32,
    /// Maximum number of questions; `None` uses all.
    pub limit: Option<u32>,
}

/// Summary of an evaluation, over all its questions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EvaluationSummary {
    /// Id of the evaluation in later calls.
    pub id: String,
    /// Name of the pack of questions.
    pub pack: String,
    /// Method; `None` if it was not recorded.
    pub strategy: Option<MethodName>,
    /// Model; `None` if it was not recorded.
    pub model: Option<ModelId>,
    /// The scoring rule behind `right`, as text for users.
    pub rule: String,
    /// Every K-th question of the pack was used.
    pub every: u32,
    /// Number of questions that were answered right.
    pub right: u32,
    /// Number of scored questions so far.
    pub questions: u32,
    /// Median time of a question in seconds; `None` if replies were recorded.
    pub median_seconds: Option<f64>,
    /// Mean number of model calls per question.
    pub model_calls: f64,
    /// Mean number of tokens per question: uncached input and output.
    pub tokens: f64,
    /// Right answers by the pack's difficulty, from easy to hard.
    pub by_hardness: Vec<EvaluationGroup>,
}

/// Right answers of one group of questions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EvaluationGroup {
    /// Name of the group, such as a difficulty.
    pub name: String,
    /// Number of right answers in the group.
    pub right: u32,
    /// Number of questions in the group.
    pub questions: u32,
}

/// Outcome of one question of an evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EvaluationQuestion {
    /// Id of the question in later calls.
    pub id: String,
    /// Name of the database that the question is about.
    pub database: String,
    /// The question as the pack contains it.
    pub question: String,
    /// The pack's difficulty; may be empty.
    pub hardness: String,
    /// True if the answer is right by the pack's rule.
    pub right: bool,
    /// The answer's SQL, or the last attempt.
    pub sql: Option<String>,
    /// The gold query of the question.
    pub gold: String,
    /// Error that prevented an answer; `None` otherwise.
    pub error: Option<String>,
    /// Duration in seconds; `None` if replies were recorded.
    pub seconds: Option<f64>,
}

/// Comparison of two evaluations over the same questions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EvaluationComparison {
    /// Number of questions that both contain.
    pub questions: u32,
    /// Number of questions that are right only in the run.
    pub wins: u32,
    /// Number of questions that are right only in the base run.
    pub losses: u32,
    /// Difference of accuracy, in percentage points.
    pub difference: f64,
    /// Lower end of its 95% confidence interval.
    pub low: f64,
    /// Upper end of its 95% confidence interval.
    pub high: f64,
    /// P-value of the exact two-sided sign test.
    pub p: f64,
    /// Ids of the questions that are right only in the run.
    pub won: Vec<String>,
    /// Ids of the questions that are right only in the base run.
    pub lost: Vec<String>,
}
