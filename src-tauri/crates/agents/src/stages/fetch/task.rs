//! What views are fetched for.

use crate::attempt::context::AttemptContext;
use vitrine_domain::{Agent, Switch};
use vitrine_llm::Request;

/// The beginning of a request about views. Notes on the dialect stand in it only where views are written in SQL.
pub(super) fn views_opening_request(attempts: &AttemptContext<'_>) -> Request {
    let context = attempts.context;
    match context.ask.settings.is_enabled(Switch::Dsl) {
        true => attempts.visible.opening_without_notes(context, Agent::ViewGenerator),
        false => attempts.visible.opening_request(context, Agent::ViewGenerator),
    }
}

/// The input of fetching.
pub struct Task<'a> {
    /// The question as asked.
    pub question: &'a str,
    /// Knowledge, or empty.
    pub facts: &'a str,
    /// The most views.
    pub most: u32,
    /// The most rows read of one view.
    pub rows: u64,
}
