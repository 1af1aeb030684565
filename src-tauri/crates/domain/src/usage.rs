//! What a call of a model, an agent or a run cost.

use crate::money::format_usd;
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_words::tr;

/// What a call, an agent or a run cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Usage {
    /// Model calls.
    #[specta(type = f64)]
    pub llm_calls: u64,
    /// Prompt tokens, cached ones included.
    #[specta(type = f64)]
    pub prompt_tokens: u64,
    /// Prompt tokens that did not have to be read again.
    #[specta(type = f64)]
    pub cached_prompt_tokens: u64,
    /// Prompt tokens that were put into the provider's cache, which some are paid more for.
    #[serde(default)]
    #[specta(type = f64)]
    pub cache_write_tokens: u64,
    /// Tokens written, those of hidden reasoning included.
    #[specta(type = f64)]
    pub completion_tokens: u64,
    /// Of the tokens written, those that the model reasoned with before its replies, where the server counts them.
    #[serde(default)]
    #[specta(type = f64)]
    pub reasoning_tokens: u64,
    /// Statements sent to the database.
    #[specta(type = f64)]
    pub db_calls: u64,
    /// Time spent, in milliseconds.
    #[specta(type = f64)]
    pub wall_ms: u64,
    /// What the calls cost whose price is known, in millionths of a US dollar.
    #[serde(default)]
    #[specta(type = f64)]
    pub micro_usd: u64,
    /// Model calls whose price is known; those of models on this computer cost nothing. What the others cost is not in
    /// `micro_usd`.
    #[serde(default)]
    #[specta(type = f64)]
    pub priced_calls: u64,
    /// Bytes that queries were billed for, or read where the database tells only that.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[specta(type = f64)]
    pub billed_bytes: u64,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl Usage {
    /// Tokens of prompts and replies together.
    pub fn total_tokens(&self) -> u64 {
        self.prompt_tokens + self.completion_tokens
    }

    /// What all calls cost, in millionths of a US dollar; `None` where the price of some call is unknown.
    pub fn cost_micro_usd(&self) -> Option<u64> {
        (self.priced_calls >= self.llm_calls).then_some(self.micro_usd)
    }

    /// The same for users: an amount, or what is known of it.
    pub fn money_text(&self) -> String {
        let known = format_usd(self.micro_usd);
        match (self.cost_micro_usd(), self.priced_calls) {
            (Some(_), _) => known,
            (None, 0) => tr!("price unknown"),
            (None, _) => tr!("{amount} and calls of unknown price", amount = known),
        }
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.llm_calls += other.llm_calls;
        self.prompt_tokens += other.prompt_tokens;
        self.cached_prompt_tokens += other.cached_prompt_tokens;
        self.cache_write_tokens += other.cache_write_tokens;
        self.completion_tokens += other.completion_tokens;
        self.reasoning_tokens += other.reasoning_tokens;
        self.db_calls += other.db_calls;
        self.wall_ms += other.wall_ms;
        self.micro_usd += other.micro_usd;
        self.priced_calls += other.priced_calls;
        self.billed_bytes += other.billed_bytes;
    }
}
