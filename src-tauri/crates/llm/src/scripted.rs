//! A scripted model for tests: it replies with given lines.

use crate::{CallUsage, ChatModel, FinishReason, LlmError, ModelEvent, Request, estimate_tokens};
use async_trait::async_trait;
use futures::{StreamExt, stream, stream::BoxStream};
use parking_lot::Mutex;
use std::collections::VecDeque;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Caching, ModelProfile, TokenProbability};

/// What the model does at one call.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// Every sample says the same.
    Say(String),
    /// Sample `i` says text `i`; the last text is repeated for the samples beyond.
    Samples(Vec<String>),
    /// Says this much and is cut off by the token limit.
    CutOff(String),
    /// Says this much and then fails.
    Fail(String, LlmError),
    /// Says nothing until it is cancelled.
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

/// Plays a script, one line per call, and keeps the requests for the test to check.
#[derive(Debug)]
pub struct ScriptedModel {
    id: String,
    profile: ModelProfile,
    lines: Mutex<VecDeque<Line>>,
    /// How likely it says that it found a text; it does not say so by itself.
    probability: Option<fn(&str) -> TokenProbability>,
    requests: Mutex<Vec<Request>>,
}

impl ScriptedModel {
    /// A model named `scripted` with these lines. A call beyond the last is an error that names its prompt.
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

    /// The same script under another name.
    pub fn named(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// The same script by a model that can do less or more.
    pub fn with_profile(mut self, profile: ModelProfile) -> Self {
        self.profile = profile;
        self
    }

    /// The same script by a model that says how likely it found what it wrote.
    pub fn with_probability(mut self, of: fn(&str) -> TokenProbability) -> Self {
        self.probability = Some(of);
        self
    }

    /// Every request so far, in order.
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().clone()
    }

    /// Lines not said yet.
    pub fn left(&self) -> usize {
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
            // In words, so that what listens to the stream is tested too.
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
