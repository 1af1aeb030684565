//! What asking models may cost.

use crate::Agent;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// What may be spent. Money of models without a known price is not in it: it cannot be counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct Cap {
    /// Tokens of prompts and replies together.
    #[specta(type = Option<f64>)]
    pub tokens: Option<u64>,
    /// Millionths of a US dollar.
    #[specta(type = Option<f64>)]
    pub money: Option<u64>,
}

impl Cap {
    /// Whether something is limited.
    pub fn is_set(&self) -> bool {
        *self != Self::default()
    }
}

/// What models behind an address may cost in a calendar month (UTC).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct MonthlyCaps {
    /// Of all agents together.
    pub all: Cap,
    /// Of single agents.
    pub by_agent: BTreeMap<Agent, Cap>,
}

impl MonthlyCaps {
    /// Whether something is limited.
    pub fn is_set(&self) -> bool {
        self.all.is_set() || self.by_agent.values().any(Cap::is_set)
    }
}
