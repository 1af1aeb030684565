//! Google's Gemini API.

mod models;
mod wire;

use crate::LlmError;
use crate::http::{HttpModel, ServerConfig};

/// A model behind an address that generates content. Connects only when asked something.
pub fn model(config: ServerConfig) -> Result<HttpModel, LlmError> {
    HttpModel::new(wire::GenerateContent, config)
}
