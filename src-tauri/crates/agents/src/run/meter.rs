//! What all runs spend in a month. The implementation is passed in: this crate keeps nothing and knows no calendar.

use vitrine_domain::{Agent, Usage};

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

/// The meter that all runs share. Both functions are called between two calls of a model and should not take long.
pub trait MonthlyMeter: Send + Sync {
    /// Takes a call into account.
    fn spent(&self, call: SpentCall<'_>);

    /// Why an agent may not ask models behind an address any more, as the end of a sentence that begins with "when"; `None`
    /// while it may.
    fn reached(&self, agent: Agent) -> Option<String>;
}
