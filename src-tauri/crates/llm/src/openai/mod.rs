//! OpenAI's chat completions and Responses APIs: OpenAI, Azure, Ollama, LM Studio, vLLM, llama.cpp and every compatible
//! server.

mod endpoint;
mod models;
mod responses;
mod wire;

pub use endpoint::OpenAiKind;

use crate::LlmError;
use crate::http::{HttpModel, ServerConfig};
use vitrine_domain::Endpoint;

/// Creates a model behind an OpenAI-compatible address, at the endpoint that its profile selects. Connects only when a
/// request is sent.
pub fn create_model(kind: OpenAiKind, config: ServerConfig) -> Result<HttpModel, LlmError> {
    match config.profile.endpoint {
        Endpoint::Chat => HttpModel::new(wire::ChatCompletions { kind }, config),
        Endpoint::Responses => HttpModel::new(responses::Responses { kind }, config),
    }
}
