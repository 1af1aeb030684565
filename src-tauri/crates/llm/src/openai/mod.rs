//! OpenAI's chat completions and Responses: OpenAI, Azure, Ollama, LM Studio, vLLM, llama.cpp and every server that follows
//! them.

mod endpoint;
mod models;
mod responses;
mod wire;

pub use endpoint::OpenAiKind;

use crate::LlmError;
use crate::http::{HttpModel, ServerConfig};
use vitrine_domain::Endpoint;

/// A model behind an OpenAI-compatible address, at the endpoint that its profile names. Connects only when asked something.
pub fn model(kind: OpenAiKind, config: ServerConfig) -> Result<HttpModel, LlmError> {
    match config.profile.endpoint {
        Endpoint::Chat => HttpModel::new(wire::ChatCompletions { kind }, config),
        Endpoint::Responses => HttpModel::new(responses::Responses { kind }, config),
    }
}
