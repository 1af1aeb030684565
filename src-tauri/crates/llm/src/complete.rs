//! Collects complete replies from the event stream of any model.

use crate::{CallUsage, ChatModel, FinishReason, LlmError, ModelEvent, Request};
use futures::StreamExt;
use tokio_util::sync::CancellationToken;
use vitrine_domain::TokenProbability;

/// The complete response to a request.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Completion {
    /// The text of each sample, in order.
    pub replies: Vec<String>,
    /// The finish reason of each reply, in the same order.
    pub reasons: Vec<FinishReason>,
    /// The token probabilities of each reply, in the same order; `None` if the model does not report them.
    pub probabilities: Vec<Option<TokenProbability>>,
    /// Tokens used by the call.
    pub usage: CallUsage,
}

impl Completion {
    /// Returns the first reply; empty if the model wrote nothing.
    pub fn first_reply(&self) -> &str {
        self.replies.first().map_or("", String::as_str)
    }
}

/// Sends a request and waits for every sample. `on_text` receives the text of sample 0 as it arrives.
///
/// A cancelled reply is not an answer: when `cancel` fires, this fails with [`LlmError::Cancelled`] at once and drops
/// the stream with its connection or worker request.
pub async fn complete_request(
    model: &dyn ChatModel,
    request: Request,
    cancel: CancellationToken,
    mut on_text: impl FnMut(&str),
) -> Result<Completion, LlmError> {
    let samples = request.samples.max(1) as usize;
    let read = async {
        let mut stream = model.stream(request, cancel.clone()).await?;
        let mut replies = vec![String::new(); samples];
        let mut reasons: Vec<Option<FinishReason>> = vec![None; samples];
        let mut probabilities = vec![None; samples];
        let mut usage = CallUsage::default();
        while let Some(event) = stream.next().await {
            match event? {
                ModelEvent::Token { sample, text } => {
                    let reply = replies.get_mut(sample as usize).ok_or_else(|| too_many(sample, samples))?;
                    reply.push_str(&text);
                    if sample == 0 {
                        on_text(&text);
                    }
                }
                ModelEvent::Finished { sample, reason, probability } => {
                    let slot = reasons.get_mut(sample as usize).ok_or_else(|| too_many(sample, samples))?;
                    *slot = Some(reason);
                    probabilities[sample as usize] = probability;
                }
                ModelEvent::Usage(spent) => usage = spent,
                ModelEvent::Sent { .. } => {}
            }
        }
        if reasons.contains(&Some(FinishReason::Cancelled)) {
            return Err(LlmError::Cancelled);
        }
        match reasons.iter().position(Option::is_none) {
            None => Ok(Completion { replies, reasons: reasons.into_iter().flatten().collect(), probabilities, usage }),
            Some(missing) => Err(LlmError::BadReply {
                message: format!("the stream ended before reply {} of {samples} was whole", missing + 1),
                reply: std::mem::take(&mut replies[missing]),
            }),
        }
    };
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(LlmError::Cancelled),
        done = read => done,
    }
}

fn too_many(sample: u32, wanted: usize) -> LlmError {
    LlmError::BadReply {
        message: format!("the model sent reply {}, but {wanted} were asked for", sample + 1),
        reply: String::new(),
    }
}
