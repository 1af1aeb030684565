//! Checks that a prompt and its reply fit the context, with token counts estimated from text length.

use crate::tokens::estimate_prompt;
use crate::{LlmError, Request};
use vitrine_domain::{Effort, ModelProfile};

/// An upper bound on the average characters per token of English and SQL. A prompt that is too long even at this ratio
/// is not sent.
const MOST_CHARS_PER_TOKEN: f64 = 5.0;
/// The minimum number of tokens that must remain for a reply.
const LEAST_REPLY: u32 = 64;

/// Returns the tokens that a model may spend on thinking, where thinking counts against the reply limit. The limit
/// costs nothing in itself: a model that does not think writes no more than before.
pub(crate) fn thinking_room(effort: Option<Effort>) -> u32 {
    match effort {
        Some(Effort::None | Effort::Minimal) => 1_024,
        Some(Effort::Low) => 4_096,
        None | Some(Effort::Medium) => 8_192,
        Some(Effort::High) => 16_384,
        Some(Effort::Xhigh | Effort::Max) => 32_768,
    }
}

/// Reduces the reply limit of a request so that it fits the context.
pub(super) fn limit_reply_tokens(context: u32, mut request: Request) -> Result<Request, LlmError> {
    let least = least_tokens(&request);
    if least + LEAST_REPLY > context {
        return Err(LlmError::ContextExceeded {
            needed: estimate_prompt(&request) + request.max_tokens,
            available: context,
        });
    }
    request.max_tokens = request.max_tokens.min(context - least);
    Ok(request)
}

/// Returns the reply limit plus room for thinking, capped by the context and by the model's reply limit.
pub(crate) fn with_thinking(profile: &ModelProfile, request: &Request) -> u32 {
    let most = profile.context_tokens.saturating_sub(least_tokens(request)).min(profile.reply_tokens);
    request.max_tokens.saturating_add(thinking_room(profile.effort)).min(most.max(request.max_tokens))
}

fn least_tokens(request: &Request) -> u32 {
    let chars: usize = request.prompt_texts().map(|text| text.chars().count()).sum();
    (chars as f64 / MOST_CHARS_PER_TOKEN) as u32
}
