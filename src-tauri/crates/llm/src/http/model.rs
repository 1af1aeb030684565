//! The [`ChatModel`] implementation for all HTTP providers.

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
    /// Validates the configuration. Connects only when a request is sent.
    pub(crate) fn new(format: impl Format, config: ServerConfig) -> Result<Self, LlmError> {
        Ok(Self { caller: Arc::new(Caller::new(Arc::new(format), config)?) })
    }

    /// Creates the same model with another profile and without remembered refusals.
    pub(crate) fn with_profile(&self, profile: ModelProfile) -> Result<Self, LlmError> {
        let config = ServerConfig { profile, ..self.caller.config.clone() };
        Ok(Self { caller: Arc::new(Caller::new(Arc::clone(&self.caller.format), config)?) })
    }

    /// Returns the model's name on its server.
    pub(crate) fn name_on_server(&self) -> &str {
        &self.caller.config.model
    }

    /// Returns true if the server has not rejected a schema so far.
    pub(crate) fn took_schema(&self) -> bool {
        self.caller.quirks.may_use(Feature::Schema)
    }

    /// Returns true if the server has not rejected stop texts so far.
    pub(crate) fn takes_stops(&self) -> bool {
        self.caller.quirks.may_use(Feature::Stop)
    }

    /// Returns true if the server has not rejected a prefilled reply so far.
    pub(crate) fn takes_prefill(&self) -> bool {
        self.caller.quirks.may_use(Feature::Prefill)
    }

    /// Returns true if the server has not rejected a seed so far.
    pub(crate) fn takes_seeds(&self) -> bool {
        self.caller.quirks.may_use(Feature::Seed)
    }

    /// Returns true if the server has not rejected an effort level so far.
    pub(crate) fn takes_effort(&self) -> bool {
        self.caller.quirks.may_use(Feature::Effort)
    }

    /// Returns true if the format supports token probabilities and the server has not rejected them so far.
    pub(crate) fn takes_probabilities(&self) -> bool {
        self.caller.quirks.may_use(Feature::Probabilities)
    }

    /// Returns the models of the server, sorted by name.
    pub async fn list_models(&self) -> Result<Vec<ServedModel>, LlmError> {
        self.caller.list_models().await
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
            // As declared until the server rejects schemas; then JSON is extracted from plain text.
            schema: if quirks.may_use(Feature::Schema) { declared.schema } else { SchemaSupport::None },
            samples: declared.samples && quirks.may_use(Feature::Samples),
            stop: declared.stop && quirks.may_use(Feature::Stop),
            prefill: declared.prefill && quirks.may_use(Feature::Prefill),
            token_probabilities: declared.token_probabilities && quirks.may_use(Feature::Probabilities),
            ..declared.clone()
        }
    }

    async fn count_tokens(&self, texts: &[&str]) -> Result<Vec<u32>, LlmError> {
        Ok(texts.iter().map(|text| self.caller.measure.estimate_tokens(text)).collect())
    }

    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<BoxStream<'static, Result<ModelEvent, LlmError>>, LlmError> {
        let request = budget::limit_reply_tokens(self.caller.config.profile.context_tokens, request)?;
        let (sender, receiver) = mpsc::channel(256);
        let caller = self.caller.clone();
        let work = async move {
            let answered = tokio::select! {
                biased;
                // Dropping the call closes its connections, which notifies the server of the cancellation.
                () = cancel.cancelled() => Err(LlmError::Cancelled),
                answered = caller.request_samples(request, &sender) => answered,
            };
            let last = answered.map(ModelEvent::Usage);
            // A dropped receiver needs no result.
            let _ = sender.send(last).await;
        };
        // The work is polled only as part of the stream, so that a dropped stream leaves no task behind.
        let work = stream::once(work).filter_map(|()| async { None });
        let events =
            stream::unfold(receiver, |mut receiver| async { receiver.recv().await.map(|event| (event, receiver)) });
        Ok(stream::select(events, work).boxed())
    }
}
