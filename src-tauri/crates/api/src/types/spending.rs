//! What questions cost, as front ends see it. Money is in millionths of a US dollar.

use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;
use vitrine_domain::{Agent, ModelId, ModelPreset, MonthlyCaps, Usage};

/// From the least to the most that is likely.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Span {
    /// The least.
    #[specta(type = f64)]
    pub low: u64,
    /// The most.
    #[specta(type = f64)]
    pub high: u64,
}

/// Where an estimate comes from, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum EstimateBasis {
    /// Runs of the same method and models on this warehouse.
    Warehouse,
    /// Runs of the same method and models on other warehouses.
    Elsewhere,
    /// The schema's tokens, and the calls that the method takes.
    Formula,
}

/// What a question would cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Estimate {
    /// Where it comes from.
    pub basis: EstimateBasis,
    /// Runs that it comes from; 0 for a formula.
    pub runs: u32,
    /// Calls of models.
    pub calls: Span,
    /// Tokens of prompts and replies together.
    pub tokens: Span,
    /// Money of models with a known price, 0 for those of this computer; `None` where no model has a known price.
    pub money: Option<Span>,
    /// Seconds; `None` where nothing was asked of these models here before.
    pub seconds: Option<Span>,
    /// Models whose price is unknown: their money is not in it, and no limit can hold it.
    pub unpriced: Vec<ModelId>,
    /// Why the question would be refused now, in a sentence: a month's limit.
    pub refused: Option<String>,
    /// The whole in a sentence, for people.
    pub text: String,
}

/// What one agent spent on one model in a month.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SpendingRow {
    /// The model.
    pub model: ModelId,
    /// Who asked.
    pub agent: Agent,
    /// Whether the model is behind an address: only those count for the month's limits.
    pub remote: bool,
    /// What it came to.
    pub usage: Usage,
}

/// What was spent in a calendar month (UTC).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Spending {
    /// `2026-11`.
    pub month: String,
    /// Months in which something was spent, the latest first.
    pub months: Vec<String>,
    /// By model and agent, the costliest first.
    pub rows: Vec<SpendingRow>,
    /// Models behind an address together.
    pub remote: Usage,
    /// The same by agent.
    pub remote_by_agent: BTreeMap<Agent, Usage>,
    /// Models on this computer together.
    pub local: Usage,
    /// The limits that are set.
    pub caps: MonthlyCaps,
    /// Models behind an address whose price is unknown: money cannot be limited for them. Connected ones, and those asked in
    /// this month.
    pub unpriced: Vec<ModelId>,
}

/// A named choice of models, as it comes out on this computer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelPresetInfo {
    /// Its name.
    pub name: ModelPreset,
    /// Its name for users.
    pub label: String,
    /// Which models it would use, or why it cannot be used.
    pub note: String,
    /// Whether it can be used now.
    pub usable: bool,
    /// For a question's `model`; `None` where it cannot be used.
    pub model: Option<ModelId>,
    /// For a question's `agentModels`.
    pub agent_models: BTreeMap<Agent, ModelId>,
}
