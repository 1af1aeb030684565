//! A scripted model for tests, which returns given replies.

use crate::{CallUsage, ChatModel, FinishReason, LlmError, ModelEvent, Request, estimate_tokens};
use async_trait::async_trait;
use futures::{StreamExt, stream, stream::BoxStream};
use parking_lot::Mutex;
use std::collections::VecDeque;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Caching, ModelProfile, TokenProbability};

/// The model's behaviour for one call.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// Replies with the same text for every sample.
    Say(String),
    /// Replies with text `i` for sample `i`; the last text is repeated for further samples.
    Samples(Vec<String>),
    /// Replies with this text, truncated by the token limit.
    CutOff(String),
    /// Replies with this text and then fails.
    Fail(String, LlmError),
    /// Sends nothing until it is cancelled.
    Hang,
}

impl From<&str> for Line {
    fn from(text: &str) -> Self {
        Line::Say(text.to_owned())
    }
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Line::Say(text)
    }
}

impl From<Vec<String>> for Line {
    fn from(texts: Vec<String>) -> Self {
        Line::Samples(texts)
    }
}

impl From<LlmError> for Line {
    fn from(error: LlmError) -> Self {
        Line::Fail(String::new(), error)
    }
}

/// Plays a script, one line per call, and records the requests for assertions.
#[derive(Debug)]
pub struct ScriptedModel {
    id: String,
    profile: ModelProfile,
    lines: Mutex<VecDeque<Line>>,
    /// Computes the reported probability of a text; none is reported if absent.
    probability: Option<fn(&str) -> TokenProbability>,
    requests: Mutex<Vec<Request>>,
}

impl ScriptedModel {
    /// Creates a model named `scripted` with these lines. A call after the last line fails with an error that shows its
    /// prompt.
    pub fn new<L: Into<Line>>(lines: Vec<L>) -> Self {
        Self {
            id: "scripted".to_owned(),
            profile: ModelProfile {
                context_tokens: 8192,
                chunk_budget: 2048,
                deliberates: false,
                grammar: true,
                seeded: true,
                caching: Caching::Kept,
                ..ModelProfile::default()
            },
            lines: Mutex::new(lines.into_iter().map(Into::into).collect()),
            requests: Mutex::default(),
            probability: None,
        }
    }

    /// Sets the name of the model.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets the profile of the model.
    pub fn with_profile(mut self, profile: ModelProfile) -> Self {
        self.profile = profile;
        self
    }

    /// Makes the model report token probabilities, computed by `of`.
    pub fn with_probability(mut self, of: fn(&str) -> TokenProbability) -> Self {
        self.probability = Some(of);
        self
    }

    /// Returns all requests so far, in order.
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().clone()
    }

    /// Returns the number of unused lines.
    pub fn unused_lines(&self) -> usize {
        self.lines.lock().len()
    }
}

#[async_trait]
impl ChatModel for ScriptedModel {
    fn id(&self) -> &str {
        &self.id
    }

    fn profile(&self) -> ModelProfile {
        self.profile.clone()
    }

    async fn count_tokens(&self, texts: &[&str]) -> Result<Vec<u32>, LlmError> {
        Ok(texts.iter().map(|text| estimate_tokens(text)).collect())
    }

    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<BoxStream<'static, Result<ModelEvent, LlmError>>, LlmError> {
        let samples = request.samples.max(1);
        let prompt =
            [&request.system, &request.prefix, &request.tail].map(|text| u64::from(estimate_tokens(text))).iter().sum();
        let asked = format!("{}{}", request.prefix, request.tail);
        self.requests.lock().push(request);
        let line = self.lines.lock().pop_front();
        let (texts, reason, error) = match line {
            Some(Line::Say(text)) => (vec![text], FinishReason::Stop, None),
            Some(Line::Samples(texts)) => (texts, FinishReason::Stop, None),
            Some(Line::CutOff(text)) => (vec![text], FinishReason::Length, None),
            Some(Line::Fail(text, error)) => (vec![text], FinishReason::Stop, Some(error)),
            Some(Line::Hang) => {
                return Ok(stream::once(async move {
                    cancel.cancelled().await;
                    Err(LlmError::Cancelled)
                })
                .boxed());
            }
            None => {
                let end = asked.trim_end().lines().last().unwrap_or_default().to_owned();
                return Err(LlmError::BadReply {
                    message: format!("the script has no line for: {end}"),
                    reply: String::new(),
                });
            }
        };
        let mut events = Vec::new();
        let mut usage = CallUsage { prompt_tokens: prompt, ..CallUsage::default() };
        for sample in 0..samples {
            let Some(text) = texts.get(sample as usize).or(texts.last()) else { break };
            usage.completion_tokens += u64::from(estimate_tokens(text));
            // Sent word by word, so that consumers of the stream are tested too.
            events
                .extend(text.split_inclusive(' ').map(|word| Ok(ModelEvent::Token { sample, text: word.to_owned() })));
            if error.is_none() {
                let probability = self.probability.as_ref().map(|of| of(text));
                events.push(Ok(ModelEvent::Finished { sample, reason, probability }));
            }
        }
        events.push(match error {
            Some(error) => Err(error),
            None => Ok(ModelEvent::Usage(usage)),
        });
        Ok(stream::iter(events).boxed())
    }
}
