//! The replies of one call as they arrive, whatever format they come in.

use super::failure::{Failure, told};
use super::held::Held;
use super::part::{Part, wants_json};
use super::spread_key::SpreadKey;
use crate::tokens::weigh;
use crate::{CallUsage, FinishReason, LlmError, ModelEvent, Request};
use vitrine_domain::TokenProbability;

/// Turns what a format reads into events.
#[derive(Debug)]
pub(crate) struct Reply {
    part: Part,
    context_tokens: u32,
    samples: Vec<Sample>,
    events: Vec<ModelEvent>,
    usage: Option<CallUsage>,
    ended: bool,
    /// Tokens received, estimated for servers that do not count them.
    written: f64,
    /// Tokens of reasoning that came beside the replies, estimated.
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
    /// The samples of one call. With `prefilled` the server goes on from the text that the reply begins with; otherwise
    /// the model was asked to begin so, and what it repeats is taken away.
    /// The server has `key`, and may repeat it.
    pub(super) fn new(request: &Request, part: Part, context_tokens: u32, prefilled: bool, key: Option<&str>) -> Self {
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

    /// Prompt and reply together may not be longer.
    pub(crate) fn context_tokens(&self) -> u32 {
        self.context_tokens
    }

    /// More text of a sample, counted within the call. More samples than asked for are nobody's.
    pub(crate) fn text(&mut self, index: u32, text: &str) {
        let Some(sample) = self.samples.get_mut(index as usize).filter(|sample| !sample.finished) else { return };
        sample.seen = true;
        self.written += weigh(text);
        let text = match &mut sample.held {
            None => text.to_owned(),
            Some(held) => {
                held.push(text);
                if !held.decided() {
                    return;
                }
                sample.held.take().map(Held::release).unwrap_or_default()
            }
        };
        self.say(index, text);
    }

    /// More of the reasoning that some servers send beside the reply. It is no part of the answer.
    pub(crate) fn reasoning(&mut self, text: &str) {
        self.reasoned += weigh(text);
    }

    /// One more token of a sample, by the natural logarithm of its probability.
    pub(crate) fn token(&mut self, index: u32, logarithm: f64) {
        if let Some(sample) = self.samples.get_mut(index as usize) {
            sample.probability.get_or_insert_default().push(logarithm);
        }
    }

    /// More of the words in which the model declines to answer.
    pub(crate) fn refusal(&mut self, index: u32, text: &str) {
        if let Some(sample) = self.samples.get_mut(index as usize) {
            sample.refusal.push_str(text);
        }
    }

    /// A sample is whole.
    ///
    /// # Errors
    /// When it was a refusal.
    pub(crate) fn finish(&mut self, index: u32, reason: FinishReason) -> Result<(), Failure> {
        let Some(sample) = self.samples.get_mut(index as usize).filter(|sample| !sample.finished) else {
            return Ok(());
        };
        sample.seen = true;
        let held = sample.held.take().map(Held::release).unwrap_or_default();
        sample.finished = true;
        if !sample.refusal.is_empty() {
            let refusal = sample.spread.push(std::mem::take(&mut sample.refusal)) + &sample.spread.finish();
            let message = format!("the model refused to answer: {}", told(&refusal));
            return Err(unusable(message));
        }
        self.say(index, held);
        let rest = self.samples[index as usize].spread.finish();
        self.tell(index, rest);
        let probability = self.samples[index as usize].probability.take();
        self.events.push(ModelEvent::Finished { sample: self.part.first + index, reason, probability });
        Ok(())
    }

    /// What the call has cost so far, as the server counts.
    pub(crate) fn usage(&mut self) -> &mut CallUsage {
        self.usage.get_or_insert_default()
    }

    /// Nothing follows.
    pub(crate) fn end(&mut self) {
        self.ended = true;
    }

    /// Whether the server said that nothing follows.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// What is new.
    pub(super) fn events(&mut self) -> Vec<ModelEvent> {
        std::mem::take(&mut self.events)
    }

    /// Whether every reply that began has ended, and at least one has begun.
    pub(super) fn whole(&self) -> bool {
        self.samples.iter().any(|sample| sample.seen)
            && self.samples.iter().all(|sample| sample.finished || !sample.seen)
    }

    /// Samples that the server left out.
    pub(super) fn missing(&self) -> Vec<u32> {
        let unseen = self.samples.iter().zip(self.part.first..).filter(|(sample, _)| !sample.seen);
        unseen.map(|(_, index)| index).collect()
    }

    /// Tokens of the prompt, where the server counted them.
    pub(super) fn counted_prompt(&self) -> Option<u64> {
        self.usage.map(|usage| usage.prompt_tokens).filter(|tokens| *tokens > 0)
    }

    /// What the call cost: as the server counted, else estimated. Most servers that show reasoning do not count it apart.
    pub(super) fn cost(&self, prompt_estimate: u32) -> CallUsage {
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

    fn say(&mut self, index: u32, text: String) {
        let text = self.samples[index as usize].spread.push(text);
        self.tell(index, text);
    }

    fn tell(&mut self, index: u32, text: String) {
        if !text.is_empty() {
            self.events.push(ModelEvent::Token { sample: self.part.first + index, text });
        }
    }
}

/// A reply that is there and of no use.
pub(crate) fn unusable(message: String) -> Failure {
    Failure::lasting(LlmError::BadReply { message, reply: String::new() })
}

/// What came is not in the provider's format.
pub(crate) fn not_in_format(what: &str, error: &serde_json::Error, data: &str) -> Failure {
    let message = format!("the server sent something that is no {what}: {error}");
    Failure::lasting(LlmError::BadReply { message, reply: told(data) })
}
