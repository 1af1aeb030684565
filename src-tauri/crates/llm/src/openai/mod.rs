//! Any server that speaks OpenAI's chat completions: OpenAI, Azure, Ollama, LM Studio, vLLM, llama.cpp.
//!
//! Servers differ in what they accept. The adapter asks for the best (several samples in one call, replies held to a
//! schema, usage in the stream), and where a server refuses a feature it asks again without it and remembers; what is
//! missing is made up for here: samples by concurrent calls, the schema as text in the prompt.

mod call;
mod config;
mod failure;
mod quirks;
mod sse;
mod tokens;
mod wire;

pub use config::{OpenAiConfig, OpenAiKind, Patience};
pub use tokens::estimate_tokens;

use crate::{ChatModel, LlmError, ModelEvent, ModelTraits, Request};
use async_trait::async_trait;
use call::Caller;
use futures::stream::BoxStream;
use futures::{StreamExt, stream};
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// A model behind an OpenAI-compatible address.
#[derive(Debug, Clone)]
pub struct OpenAiCompatible {
    caller: Arc<Caller>,
}

impl OpenAiCompatible {
    /// Checks the configuration; connects only when asked something.
    pub fn new(config: OpenAiConfig) -> Result<Self, LlmError> {
        Ok(Self { caller: Arc::new(Caller::new(config)?) })
    }
}

#[async_trait]
impl ChatModel for OpenAiCompatible {
    fn id(&self) -> &str {
        &self.caller.config.id
    }

    fn traits(&self) -> ModelTraits {
        ModelTraits {
            context_tokens: self.caller.config.context_tokens,
            chunk_budget: self.caller.config.chunk_budget,
            // True until the server refuses it: then replies are recovered from text.
            constrained: self.caller.quirks.has(quirks::Feature::Schema),
            grammar: false,
            shared_prefill: self.caller.quirks.has(quirks::Feature::Samples),
            seeded: false,
            deliberates: true,
        }
    }

    async fn count_tokens(&self, texts: &[&str]) -> Result<Vec<u32>, LlmError> {
        Ok(texts.iter().map(|text| estimate_tokens(text)).collect())
    }

    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<BoxStream<'static, Result<ModelEvent, LlmError>>, LlmError> {
        let request = self.caller.within_budget(request)?;
        let (sender, receiver) = mpsc::channel(256);
        let caller = self.caller.clone();
        let work = async move {
            let answered = tokio::select! {
                biased;
                // Dropping the call drops its connections, which is how a server learns that nobody listens.
                () = cancel.cancelled() => Err(LlmError::Cancelled),
                answered = caller.answer(request, &sender) => answered,
            };
            let last = answered.map(ModelEvent::Usage);
            // A receiver that is gone has lost interest, too.
            let _ = sender.send(last).await;
        };
        // The work is polled only as part of the stream: a dropped stream leaves no task behind.
        let work = stream::once(work).filter_map(|()| async { None });
        let events =
            stream::unfold(receiver, |mut receiver| async { receiver.recv().await.map(|event| (event, receiver)) });
        Ok(stream::select(events, work).boxed())
    }
}
