//! Anthropic's Messages API, and servers that are compatible with it.

mod models;
mod wire;

use crate::LlmError;
use crate::http::{HttpModel, ServerConfig};

/// Creates a model behind a Messages API address. Connects only when a request is sent.
pub fn create_model(config: ServerConfig) -> Result<HttpModel, LlmError> {
    HttpModel::new(wire::Messages, config)
}
