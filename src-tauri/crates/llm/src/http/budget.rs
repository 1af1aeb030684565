//! Whether a prompt and its reply fit the context, estimated from their length.

use crate::tokens::estimate_prompt;
use crate::{LlmError, Request};
use vitrine_domain::{Effort, ModelProfile};

/// No English or SQL has more characters a token than this on average: a prompt that is too long even so is not sent.
const MOST_CHARS_PER_TOKEN: f64 = 5.0;
/// The least room for a reply that a prompt near the limit leaves.
const LEAST_REPLY: u32 = 64;

/// Tokens that a model may think before it replies, where thinking counts against the limit of the reply. A limit is not
/// a cost: a model that does not think writes no more than it did.
pub(crate) fn thinking_room(effort: Option<Effort>) -> u32 {
    match effort {
        Some(Effort::None | Effort::Minimal) => 1_024,
        Some(Effort::Low) => 4_096,
        None | Some(Effort::Medium) => 8_192,
        Some(Effort::High) => 16_384,
        Some(Effort::Xhigh | Effort::Max) => 32_768,
    }
}

/// The request with a reply limit that fits the context.
pub(super) fn within(context: u32, mut request: Request) -> Result<Request, LlmError> {
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

/// The reply limit with room for thinking, as far as the context has it and the model writes.
pub(crate) fn with_thinking(profile: &ModelProfile, request: &Request) -> u32 {
    let most = profile.context_tokens.saturating_sub(least_tokens(request)).min(profile.reply_tokens);
    request.max_tokens.saturating_add(thinking_room(profile.effort)).min(most.max(request.max_tokens))
}

fn least_tokens(request: &Request) -> u32 {
    let chars: usize = request.texts().map(|text| text.chars().count()).sum();
    (chars as f64 / MOST_CHARS_PER_TOKEN) as u32
}
