//! Requests the list of models from a server.

use super::address::redact_address;
use super::caller::Caller;
use super::failure::Failure;
use super::served::{Details, ServedModel};
use crate::LlmError;
use futures::{StreamExt, stream};
use reqwest::{Method, Url};
use serde_json::Value;
use std::time::Duration;

/// Timeout for each request of a list or of details.
const LIMIT: Duration = Duration::from_secs(30);
/// Maximum number of bytes that are read of a list.
const LONGEST_LIST: usize = 16 << 20;
/// Maximum number of pages that are read.
const MOST_PAGES: usize = 20;
/// Maximum number of models for which details are requested one by one.
const MOST_DETAILS: usize = 200;
/// Maximum number of concurrent requests for details.
const AT_ONCE: usize = 8;

impl Caller {
    /// Returns the models of the server, sorted by name.
    pub(super) async fn list_models(&self) -> Result<Vec<ServedModel>, LlmError> {
        let mut models = Vec::new();
        let mut after = None;
        for _ in 0..MOST_PAGES {
            let url = self.format.models_endpoint(&self.config, after.as_deref())?;
            let page = self.fetch_json(Method::GET, url, None).await?;
            let (more, next) = self.format.read_models(&page);
            models.extend(more);
            after = next;
            if after.is_none() {
                break;
            }
        }
        models.sort_by(|a, b| a.id.cmp(&b.id));
        models.dedup_by(|a, b| a.id == b.id);
        if models.len() <= MOST_DETAILS {
            let asked: Vec<_> = models.iter_mut().map(|model| self.look_closer(model)).collect();
            stream::iter(asked).buffer_unordered(AT_ONCE).collect::<()>().await;
        }
        Ok(models)
    }

    /// Adds a server's details about one model, if available; other properties stay unknown.
    async fn look_closer(&self, model: &mut ServedModel) {
        let Some(Details { url, body }) = self.format.details_request(&self.config, model) else { return };
        let method = if body.is_some() { Method::POST } else { Method::GET };
        match self.fetch_json(method, url, body).await {
            Ok(said) => self.format.read_details(&said, model),
            Err(error) => tracing::debug!(model = model.id, %error, "the server tells no more about this model"),
        }
    }

    async fn fetch_json(&self, method: Method, url: Url, body: Option<Value>) -> Result<Value, LlmError> {
        let address = redact_address(url.as_str());
        let read = async {
            let mut request = self.client.request(method, url).headers(self.headers.clone()).timeout(LIMIT);
            if let Some(body) = body {
                request = request.body(body.to_string());
            }
            let mut response = request.send().await.map_err(|error| self.broken_at(error, &address))?;
            let (status, headers) = (response.status(), response.headers().clone());
            let mut bytes = Vec::new();
            while let Some(chunk) = response.chunk().await.map_err(|error| self.broken_at(error, &address))? {
                bytes.extend_from_slice(&chunk);
                if bytes.len() > LONGEST_LIST {
                    let message = format!("{address}: the list is longer than {} MB", LONGEST_LIST >> 20);
                    return Err(Failure::permanent(LlmError::BadReply { message, reply: String::new() }));
                }
            }
            if !status.is_success() {
                let text = String::from_utf8_lossy(&bytes);
                let text = self.without_key(&text);
                return Err(Failure::from_response(
                    status.as_u16(),
                    &headers,
                    &text,
                    self.config.profile.context_tokens,
                ));
            }
            serde_json::from_slice(&bytes).map_err(|_| {
                let message =
                    format!("{address} answers with something that is no list of models; is the address right?");
                Failure::permanent(LlmError::Refused { status: status.as_u16(), message })
            })
        };
        read.await.map_err(|failure: Failure| self.redact_error(failure.error))
    }
}
