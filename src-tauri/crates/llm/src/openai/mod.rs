//! OpenAI's chat completions: OpenAI, Azure, Ollama, LM Studio, vLLM, llama.cpp and every server that follows them.

mod endpoint;
mod wire;

pub use endpoint::OpenAiKind;

use crate::LlmError;
use crate::http::{HttpModel, ServerConfig};

/// A model behind an OpenAI-compatible address. Connects only when asked something.
pub fn model(kind: OpenAiKind, config: ServerConfig) -> Result<HttpModel, LlmError> {
    HttpModel::new(wire::ChatCompletions { kind }, config)
}
