//! OpenAI's chat completions: OpenAI, Azure, Ollama, LM Studio, vLLM, llama.cpp and every server that follows them.

mod endpoint;
mod wire;

use crate::LlmError;
use crate::http::{HttpModel, ServerConfig};

/// Which of the three ways of addressing a server has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenAiKind {
    /// OpenAI itself.
    OpenAi,
    /// Azure: the key in its own header, the deployment in the path, an API version in the query.
    Azure,
    /// Ollama, LM Studio, vLLM, llama.cpp and everything else that follows OpenAI.
    Compatible,
}

/// A model behind an OpenAI-compatible address. Connects only when asked something.
pub fn model(kind: OpenAiKind, config: ServerConfig) -> Result<HttpModel, LlmError> {
    HttpModel::new(wire::ChatCompletions { kind }, config)
}
