//! Input for fetching views.

use crate::attempt::context::AttemptContext;
use vitrine_domain::{Agent, Switch};
use vitrine_llm::Request;

/// Returns the beginning of a request about views. It contains notes on the dialect only if views are written in SQL.
pub(super) fn views_opening_request(attempts: &AttemptContext<'_>) -> Request {
    let context = attempts.context;
    match context.ask.options.settings.is_enabled(Switch::Dsl) {
        true => attempts.visible.opening_without_notes(context, Agent::ViewGenerator),
        false => attempts.visible.opening_request(context, Agent::ViewGenerator),
    }
}

/// Question and limits for fetching views.
pub struct Task<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Description of the database as a whole, in lines, for a model that deliberates.
    pub about: &'a [String],
    /// Maximum number of views to fetch.
    pub most: u32,
    /// Maximum number of rows read of one view.
    pub rows: u64,
}
