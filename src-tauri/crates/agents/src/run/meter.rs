//! Spending of all runs in a month. The implementation is passed in: this crate stores nothing and has no calendar.

use vitrine_domain::{Agent, Usage};
use vitrine_llm::{CallUsage, ChatModel};

/// Durations of a model call in milliseconds.
#[derive(Debug, Clone, Copy, Default)]
pub struct CallTime {
    /// Time until the first token; the whole time of a call without tokens.
    pub first_token_ms: u64,
    /// Time until the end.
    pub wall_ms: u64,
}

/// A model call that has ended.
#[derive(Debug, Clone, Copy)]
pub struct SpentCall<'a> {
    /// Agent that made the call.
    pub agent: Agent,
    /// Id of the called model.
    pub model: &'a str,
    /// True if the model is remote.
    pub remote: bool,
    /// Tokens, money and time that the call used.
    pub usage: Usage,
}

impl<'a> SpentCall<'a> {
    /// Records a call of `model`, priced if the model's price is known.
    pub fn new(agent: Agent, model: &'a dyn ChatModel, spent: &CallUsage, took: CallTime) -> Self {
        let profile = model.profile();
        let mut usage = Usage {
            llm_calls: 1,
            prompt_tokens: spent.prompt_tokens,
            cached_prompt_tokens: spent.cached_prompt_tokens,
            cache_write_tokens: spent.cache_write_tokens,
            completion_tokens: spent.completion_tokens,
            reasoning_tokens: spent.reasoning_tokens,
            wall_ms: took.wall_ms,
            first_token_ms: took.first_token_ms,
            ..Usage::default()
        };
        if let Some(price) = profile.micro_usd(&usage) {
            (usage.micro_usd, usage.priced_calls) = (price, 1);
        }
        Self { agent, model: model.id(), remote: !profile.runs_here(), usage }
    }
}

/// Meter that all runs share. Both functions are called between two model calls and should return quickly.
pub trait MonthlyMeter: Send + Sync {
    /// Adds a call to the month's spending.
    fn record_call(&self, call: SpentCall<'_>);

    /// Returns the reason why an agent may not call remote models any more, as the end of a sentence that begins with "when"; `None` while
    /// it may.
    fn reached_limit(&self, agent: Agent) -> Option<String>;
}
