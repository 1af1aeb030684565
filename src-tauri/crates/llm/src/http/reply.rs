//! Collects the replies of one call, independent of the provider's format.

use super::failure::{Failure, sanitize_message};
use super::held::Held;
use super::part::{SampleRange, wants_json};
use super::spread_key::SpreadKey;
use crate::tokens::sum_token_weights;
use crate::{CallUsage, FinishReason, LlmError, ModelEvent, Request};
use vitrine_domain::TokenProbability;

/// Converts the parsed parts of a reply to events.
#[derive(Debug)]
pub(crate) struct Reply {
    part: SampleRange,
    context_tokens: u32,
    samples: Vec<Sample>,
    events: Vec<ModelEvent>,
    usage: Option<CallUsage>,
    ended: bool,
    /// Estimated number of received tokens, for servers that do not count them.
    written: f64,
    /// Estimated number of reasoning tokens that were sent separately from the replies.
    reasoned: f64,
}

#[derive(Debug, Clone)]
struct Sample {
    held: Option<Held>,
    spread: SpreadKey,
    refusal: String,
    seen: bool,
    finished: bool,
    probability: Option<TokenProbability>,
}

impl Reply {
    /// Creates the state for the samples of one call. With `prefilled`, the server continues the given beginning;
    /// otherwise the model was asked to begin with it, and a repetition is removed. `key` is the API key, which is
    /// masked if the server repeats it.
    pub(super) fn new(
        request: &Request,
        part: SampleRange,
        context_tokens: u32,
        prefilled: bool,
        key: Option<&str>,
    ) -> Self {
        let prefix = if wants_json(request) || prefilled { "" } else { &request.assistant_prefix };
        let held = (!prefix.is_empty()).then(|| Held::new(prefix));
        let spread = SpreadKey::new(key);
        let sample = Sample { held, spread, refusal: String::new(), seen: false, finished: false, probability: None };
        Self {
            part,
            context_tokens,
            samples: vec![sample; part.samples as usize],
            events: Vec::new(),
            usage: None,
            ended: false,
            written: 0.0,
            reasoned: 0.0,
        }
    }

    /// Returns the context limit, which prompt and reply share.
    pub(crate) fn context_tokens(&self) -> u32 {
        self.context_tokens
    }

    /// Adds text to a sample, by its index within the call. Samples that were not requested are ignored.
    pub(crate) fn push_text(&mut self, index: u32, text: &str) {
        let Some(sample) = self.samples.get_mut(index as usize).filter(|sample| !sample.finished) else { return };
        sample.seen = true;
        self.written += sum_token_weights(text);
        let text = match &mut sample.held {
            None => text.to_owned(),
            Some(held) => {
                held.push(text);
                if !held.is_decided() {
                    return;
                }
                sample.held.take().map(Held::release_text).unwrap_or_default()
            }
        };
        self.emit_redacted(index, text);
    }

    /// Adds reasoning that some servers send separately. It is counted, but not part of the answer.
    pub(crate) fn push_reasoning(&mut self, text: &str) {
        self.reasoned += sum_token_weights(text);
    }

    /// Adds the natural logarithm of one token's probability.
    pub(crate) fn push_probability(&mut self, index: u32, logarithm: f64) {
        if let Some(sample) = self.samples.get_mut(index as usize) {
            sample.probability.get_or_insert_default().add_log_probability(logarithm);
        }
    }

    /// Adds text of a message in which the model declines to answer.
    pub(crate) fn push_refusal(&mut self, index: u32, text: &str) {
        if let Some(sample) = self.samples.get_mut(index as usize) {
            sample.refusal.push_str(text);
        }
    }

    /// Completes a sample of the call.
    ///
    /// # Errors
    /// Fails if the sample was a refusal.
    pub(crate) fn finish_sample(&mut self, index: u32, reason: FinishReason) -> Result<(), Failure> {
        let Some(sample) = self.samples.get_mut(index as usize).filter(|sample| !sample.finished) else {
            return Ok(());
        };
        sample.seen = true;
        let held = sample.held.take().map(Held::release_text).unwrap_or_default();
        sample.finished = true;
        if !sample.refusal.is_empty() {
            let refusal = sample.spread.push(std::mem::take(&mut sample.refusal)) + &sample.spread.finish();
            let message = format!("the model refused to answer: {}", sanitize_message(&refusal));
            return Err(unusable_reply(message));
        }
        self.emit_redacted(index, held);
        let rest = self.samples[index as usize].spread.finish();
        self.emit_token(index, rest);
        let probability = self.samples[index as usize].probability.take();
        self.events.push(ModelEvent::Finished { sample: self.part.first + index, reason, probability });
        Ok(())
    }

    /// Returns the usage reported by the server so far.
    pub(crate) fn usage_mut(&mut self) -> &mut CallUsage {
        self.usage.get_or_insert_default()
    }

    /// Marks the end of the stream.
    pub(crate) fn mark_ended(&mut self) {
        self.ended = true;
    }

    /// Returns true if the server marked the end of the stream.
    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Takes the events that were collected since the last call.
    pub(super) fn take_events(&mut self) -> Vec<ModelEvent> {
        std::mem::take(&mut self.events)
    }

    /// Checks that at least one reply has begun and every reply that began has finished.
    pub(super) fn is_complete(&self) -> bool {
        self.samples.iter().any(|sample| sample.seen)
            && self.samples.iter().all(|sample| sample.finished || !sample.seen)
    }

    /// Returns the samples that the server omitted.
    pub(super) fn missing_samples(&self) -> Vec<u32> {
        let unseen = self.samples.iter().zip(self.part.first..).filter(|(sample, _)| !sample.seen);
        unseen.map(|(_, index)| index).collect()
    }

    /// Returns the prompt tokens, if the server counted them.
    pub(super) fn counted_prompt(&self) -> Option<u64> {
        self.usage.map(|usage| usage.prompt_tokens).filter(|tokens| *tokens > 0)
    }

    /// Returns the usage as reported by the server, else estimated. Most servers that show reasoning do not count it
    /// separately.
    pub(super) fn total_usage(&self, prompt_estimate: u32) -> CallUsage {
        let tokens = |estimated: f64| estimated.ceil() as u64;
        let mut cost = self.usage.unwrap_or(CallUsage {
            prompt_tokens: prompt_estimate.into(),
            completion_tokens: tokens(self.written + self.reasoned),
            ..CallUsage::default()
        });
        if cost.reasoning_tokens == 0 {
            cost.reasoning_tokens = tokens(self.reasoned).min(cost.completion_tokens);
        }
        cost
    }

    fn emit_redacted(&mut self, index: u32, text: String) {
        let text = self.samples[index as usize].spread.push(text);
        self.emit_token(index, text);
    }

    fn emit_token(&mut self, index: u32, text: String) {
        if !text.is_empty() {
            self.events.push(ModelEvent::Token { sample: self.part.first + index, text });
        }
    }
}

/// Creates the failure for a reply that arrived but cannot be used.
pub(crate) fn unusable_reply(message: String) -> Failure {
    Failure::permanent(LlmError::BadReply { message, reply: String::new() })
}

/// Creates the failure for a response that does not follow the provider's format.
pub(crate) fn not_in_format(what: &str, error: &serde_json::Error, data: &str) -> Failure {
    let message = format!("the server sent something that is no {what}: {error}");
    Failure::permanent(LlmError::BadReply { message, reply: sanitize_message(data) })
}
