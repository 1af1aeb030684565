//! A model wrapper that keeps the requests as they were sent.

use async_trait::async_trait;
use futures::StreamExt;
use futures::stream::BoxStream;
use parking_lot::Mutex;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::ModelProfile;
use vitrine_llm::{ChatModel, LlmError, ModelEvent, Request};

/// A request that was sent, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SentRequest {
    /// Recipient: scheme, host and port.
    pub(crate) to: String,
    pub(crate) body: String,
}

/// A model whose requests are recorded. A request is kept even if the model never replies.
pub(crate) struct Overheard {
    model: Arc<dyn ChatModel>,
    sent: Arc<Mutex<Vec<SentRequest>>>,
}

impl Overheard {
    pub(crate) fn new(model: Arc<dyn ChatModel>) -> Self {
        Self { model, sent: Arc::default() }
    }

    /// Returns the requests that were sent so far.
    pub(crate) fn sent_requests(&self) -> Vec<SentRequest> {
        self.sent.lock().clone()
    }
}

#[async_trait]
impl ChatModel for Overheard {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn profile(&self) -> ModelProfile {
        self.model.profile()
    }

    async fn count_tokens(&self, texts: &[&str]) -> Result<Vec<u32>, LlmError> {
        self.model.count_tokens(texts).await
    }

    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<BoxStream<'static, Result<ModelEvent, LlmError>>, LlmError> {
        let sent = Arc::clone(&self.sent);
        let stream = self.model.stream(request, cancel).await?;
        let kept = stream.inspect(move |event| {
            if let Ok(ModelEvent::Sent { to, body }) = event {
                sent.lock().push(SentRequest { to: to.clone(), body: body.clone() });
            }
        });
        Ok(kept.boxed())
    }
}
