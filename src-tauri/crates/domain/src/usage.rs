//! The usage of model calls, agents and runs: calls, tokens, time and money.

use crate::money::format_usd;
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_words::tr;

/// The usage of a model call, an agent or a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Usage {
    /// Number of calls of models.
    #[specta(type = f64)]
    pub llm_calls: u64,
    /// Number of prompt tokens, including cached ones.
    #[specta(type = f64)]
    pub prompt_tokens: u64,
    /// Number of prompt tokens read from a cache.
    #[specta(type = f64)]
    pub cached_prompt_tokens: u64,
    /// Number of prompt tokens written to the provider's cache, for which some providers charge more.
    #[serde(default)]
    #[specta(type = f64)]
    pub cache_write_tokens: u64,
    /// Number of generated tokens, including hidden reasoning.
    #[specta(type = f64)]
    pub completion_tokens: u64,
    /// Number of reasoning tokens, which are part of `completion_tokens`; 0 if the server does not report it.
    #[serde(default)]
    #[specta(type = f64)]
    pub reasoning_tokens: u64,
    /// Number of statements sent to the database.
    #[specta(type = f64)]
    pub db_calls: u64,
    /// Elapsed wall-clock time in milliseconds.
    #[specta(type = f64)]
    pub wall_ms: u64,
    /// Time until the first token of the calls in milliseconds; 0 in logs of earlier versions.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[specta(type = f64)]
    pub first_token_ms: u64,
    /// Cost of the calls with a known price, in millionths of a US dollar.
    #[serde(default)]
    #[specta(type = f64)]
    pub micro_usd: u64,
    /// Number of model calls with a known price. Calls of models on this computer cost nothing. The cost of the
    /// remaining calls is not part of `micro_usd`.
    #[serde(default)]
    #[specta(type = f64)]
    pub priced_calls: u64,
    /// Number of bytes that queries were billed for, or read if the engine does not report billed bytes.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[specta(type = f64)]
    pub billed_bytes: u64,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl Usage {
    /// Returns the number of tokens in prompts and replies together.
    pub fn total_tokens(&self) -> u64 {
        self.prompt_tokens + self.completion_tokens
    }

    /// Returns the cost of all calls in millionths of a US dollar; `None` if the price of a call is unknown.
    pub fn cost_micro_usd(&self) -> Option<u64> {
        (self.priced_calls >= self.llm_calls).then_some(self.micro_usd)
    }

    /// Formats the cost for users, with a note about calls of unknown price.
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
        self.first_token_ms += other.first_token_ms;
        self.micro_usd += other.micro_usd;
        self.priced_calls += other.priced_calls;
        self.billed_bytes += other.billed_bytes;
    }
}
