//! A model behind HTTP as the rest of the program sees it.

use super::budget;
use super::caller::Caller;
use super::config::ServerConfig;
use super::format::Format;
use super::quirks::Feature;
use super::served::ServedModel;
use crate::{ChatModel, LlmError, ModelEvent, Request};
use async_trait::async_trait;
use futures::stream::BoxStream;
use futures::{StreamExt, stream};
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{ModelProfile, SchemaSupport};

/// A model behind an address, in the format of its provider.
#[derive(Debug, Clone)]
pub struct HttpModel {
    caller: Arc<Caller>,
}

impl HttpModel {
    /// Checks the configuration; connects only when asked something.
    pub(crate) fn new(format: impl Format, config: ServerConfig) -> Result<Self, LlmError> {
        Ok(Self { caller: Arc::new(Caller::new(Arc::new(format), config)?) })
    }

    /// The same model with another profile. Nothing is known yet of what its server refuses.
    pub(crate) fn with_profile(&self, profile: ModelProfile) -> Result<Self, LlmError> {
        let config = ServerConfig { profile, ..self.caller.config.clone() };
        Ok(Self { caller: Arc::new(Caller::new(Arc::clone(&self.caller.format), config)?) })
    }

    /// How the model is called on its server.
    pub(crate) fn name_on_server(&self) -> &str {
        &self.caller.config.model
    }

    /// Whether no schema was refused so far.
    pub(crate) fn took_schema(&self) -> bool {
        self.caller.quirks.has(Feature::Schema)
    }

    /// Whether texts to stop at were not refused so far.
    pub(crate) fn takes_stops(&self) -> bool {
        self.caller.quirks.has(Feature::Stop)
    }

    /// Whether the beginning of a reply was not refused so far.
    pub(crate) fn takes_prefill(&self) -> bool {
        self.caller.quirks.has(Feature::Prefill)
    }

    /// Whether seeds were not refused so far.
    pub(crate) fn takes_seeds(&self) -> bool {
        self.caller.quirks.has(Feature::Seed)
    }

    /// Whether a level of effort was not refused so far.
    pub(crate) fn takes_effort(&self) -> bool {
        self.caller.quirks.has(Feature::Effort)
    }

    /// Whether the probabilities of tokens were not refused so far, and its format has a place for them.
    pub(crate) fn takes_probabilities(&self) -> bool {
        self.caller.quirks.has(Feature::Probabilities)
    }

    /// The models that its server has, by name.
    pub async fn served(&self) -> Result<Vec<ServedModel>, LlmError> {
        self.caller.served().await
    }
}

#[async_trait]
impl ChatModel for HttpModel {
    fn id(&self) -> &str {
        &self.caller.config.id
    }

    fn profile(&self) -> ModelProfile {
        let Caller { config, quirks, .. } = self.caller.as_ref();
        let declared = &config.profile;
        ModelProfile {
            // True until the server refuses it: then replies are recovered from text.
            schema: if quirks.has(Feature::Schema) { declared.schema } else { SchemaSupport::None },
            samples: declared.samples && quirks.has(Feature::Samples),
            stop: declared.stop && quirks.has(Feature::Stop),
            prefill: declared.prefill && quirks.has(Feature::Prefill),
            token_probabilities: declared.token_probabilities && quirks.has(Feature::Probabilities),
            ..declared.clone()
        }
    }

    async fn count_tokens(&self, texts: &[&str]) -> Result<Vec<u32>, LlmError> {
        Ok(texts.iter().map(|text| self.caller.measure.tokens(text)).collect())
    }

    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<BoxStream<'static, Result<ModelEvent, LlmError>>, LlmError> {
        let request = budget::within(self.caller.config.profile.context_tokens, request)?;
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
