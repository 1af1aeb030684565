//! Anthropic's Messages API, and servers that follow it.

mod models;
mod wire;

use crate::LlmError;
use crate::http::{HttpModel, ServerConfig};

/// A model behind an address that takes messages. Connects only when asked something.
pub fn model(config: ServerConfig) -> Result<HttpModel, LlmError> {
    HttpModel::new(wire::Messages, config)
}
