//! The address that chat completions are posted to, from what users enter.

use crate::LlmError;
use crate::http::{ServerConfig, parsed};
use reqwest::Url;

/// The API version asked of Azure when the address names none.
const AZURE_API_VERSION: &str = "2024-10-21";

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

/// The address for one model.
pub(super) fn endpoint(kind: OpenAiKind, config: &ServerConfig) -> Result<Url, LlmError> {
    let mut url = parsed(&config.base_url)?;
    let path = url.path().trim_end_matches('/').trim_end_matches("/chat/completions").to_owned();
    let path = match kind {
        // Azure's newer addresses end in /openai/v1 and are like everybody else's.
        OpenAiKind::Azure if !path.ends_with("/v1") => {
            if !url.query_pairs().any(|(name, _)| name == "api-version") {
                url.query_pairs_mut().append_pair("api-version", AZURE_API_VERSION);
            }
            if path.contains("/deployments/") {
                path
            } else {
                format!("{}/openai/deployments/{}", path.trim_end_matches("/openai"), config.model)
            }
        }
        // People copy `http://localhost:11434` from a start-up message.
        _ if path.is_empty() => "/v1".to_owned(),
        _ => path,
    };
    url.set_path(&format!("{path}/chat/completions"));
    Ok(url)
}
