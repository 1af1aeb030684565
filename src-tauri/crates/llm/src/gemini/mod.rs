//! Google's Gemini API.

mod models;
mod wire;

use crate::LlmError;
use crate::http::{HttpModel, ServerConfig};

/// Creates a model behind a Gemini API address. Connects only when a request is sent.
pub fn create_model(config: ServerConfig) -> Result<HttpModel, LlmError> {
    HttpModel::new(wire::GenerateContent, config)
}
