//! Cost of questions for front ends. Money is in millionths of a US dollar.

use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;
use vitrine_domain::{Agent, ModelId, ModelPreset, MonthlyCaps, Usage};

/// A likely range of a quantity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Span {
    /// Lower end of the range.
    #[specta(type = f64)]
    pub low: u64,
    /// Upper end of the range.
    #[specta(type = f64)]
    pub high: u64,
}

/// The source of an estimate, the most reliable first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum EstimateBasis {
    /// Runs of the same method and models on this warehouse.
    Warehouse,
    /// Runs of the same method and models on other warehouses.
    Elsewhere,
    /// The schema's tokens and the method's number of calls.
    Formula,
}

/// The estimated cost of a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Estimate {
    /// Source from which the estimate is computed.
    pub basis: EstimateBasis,
    /// Number of runs behind the estimate; 0 for a formula.
    pub runs: u32,
    /// Number of calls to models.
    pub calls: Span,
    /// Number of tokens of prompts and replies together.
    pub tokens: Span,
    /// Cost of models with a known price, 0 for local models; `None` if no price is known.
    pub money: Option<Span>,
    /// Duration in seconds; `None` if these models were not used here before.
    pub seconds: Option<Span>,
    /// Models with an unknown price; they are not in `money`, and limits of money do not apply to them.
    pub unpriced: Vec<ModelId>,
    /// Reason that the question would be refused now, as a sentence about a monthly limit.
    pub refused: Option<String>,
    /// The whole estimate in a sentence, for users.
    pub text: String,
}

/// Usage of one model by one agent in a month.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SpendingRow {
    /// Id of the model that was called.
    pub model: ModelId,
    /// Agent that called the model.
    pub agent: Agent,
    /// True for a remote model; only those are subject to the monthly limits.
    pub remote: bool,
    /// Tokens, time and money of the calls.
    pub usage: Usage,
}

/// Spending in a calendar month (UTC).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Spending {
    /// The month, such as `2026-11`.
    pub month: String,
    /// Months with spending, the latest first.
    pub months: Vec<String>,
    /// Usage by model and agent, the most expensive first.
    pub rows: Vec<SpendingRow>,
    /// Total usage of remote models.
    pub remote: Usage,
    /// Usage of remote models by agent.
    pub remote_by_agent: BTreeMap<Agent, Usage>,
    /// Total usage of local models.
    pub local: Usage,
    /// The monthly limits that are currently set.
    pub caps: MonthlyCaps,
    /// Remote models with an unknown price, to which limits of money do not apply: connected ones and those used in this month.
    pub unpriced: Vec<ModelId>,
}

/// A named choice of models, resolved for this computer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelPresetInfo {
    /// Identifier of the preset in settings.
    pub name: ModelPreset,
    /// Name of the preset for users.
    pub label: String,
    /// The models that it would use, or the reason that it is not usable.
    pub note: String,
    /// True if the preset is usable now.
    pub usable: bool,
    /// Value for a question's `model`; `None` if the preset is not usable.
    pub model: Option<ModelId>,
    /// Value for a question's `agentModels`.
    pub agent_models: BTreeMap<Agent, ModelId>,
}
