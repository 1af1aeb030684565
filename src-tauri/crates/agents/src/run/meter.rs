//! What all runs spend in a month. The implementation is passed in: this crate keeps nothing and knows no calendar.

use vitrine_domain::{Agent, Usage};
use vitrine_llm::{CallUsage, ChatModel};

/// A call of a model that has ended.
#[derive(Debug, Clone, Copy)]
pub struct SpentCall<'a> {
    /// Who asked.
    pub agent: Agent,
    /// The model's id.
    pub model: &'a str,
    /// Whether the model is behind an address.
    pub remote: bool,
    /// What it cost.
    pub usage: Usage,
}

impl<'a> SpentCall<'a> {
    /// A call of `model` that took `wall_ms` milliseconds, with its price where the model's is known.
    pub fn new(agent: Agent, model: &'a dyn ChatModel, spent: &CallUsage, wall_ms: u64) -> Self {
        let profile = model.profile();
        let mut usage = Usage {
            llm_calls: 1,
            prompt_tokens: spent.prompt_tokens,
            cached_prompt_tokens: spent.cached_prompt_tokens,
            cache_write_tokens: spent.cache_write_tokens,
            completion_tokens: spent.completion_tokens,
            reasoning_tokens: spent.reasoning_tokens,
            wall_ms,
            ..Usage::default()
        };
        if let Some(price) = profile.micro_usd(&usage) {
            (usage.micro_usd, usage.priced_calls) = (price, 1);
        }
        Self { agent, model: model.id(), remote: !profile.runs_here(), usage }
    }
}

/// The meter that all runs share. Both functions are called between two calls of a model and should not take long.
pub trait MonthlyMeter: Send + Sync {
    /// Takes a call into account.
    fn record_call(&self, call: SpentCall<'_>);

    /// Why an agent may not ask models behind an address any more, as the end of a sentence that begins with "when"; `None`
    /// while it may.
    fn reached_limit(&self, agent: Agent) -> Option<String>;
}
