//! The addresses that calls are posted to, from what users enter, and the header of the key.

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

/// The header that carries the key, and its value.
pub(super) fn key_header(kind: OpenAiKind, key: &str) -> (&'static str, String) {
    match kind {
        OpenAiKind::Azure => ("api-key", key.to_owned()),
        OpenAiKind::OpenAi | OpenAiKind::Compatible => ("authorization", format!("Bearer {key}")),
    }
}

/// The path of an address without that of a call.
fn base_path(url: &Url) -> String {
    let path = url.path().trim_end_matches('/');
    path.trim_end_matches("/chat/completions").trim_end_matches("/responses").to_owned()
}

/// Where chat completions are posted to.
pub(super) fn chat_endpoint(kind: OpenAiKind, config: &ServerConfig) -> Result<Url, LlmError> {
    let mut url = parsed(&config.base_url)?;
    let path = base_path(&url);
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

/// An address below the version: `/v1/responses`, `/v1/models`. Azure has one path for all deployments there.
pub(super) fn versioned(kind: OpenAiKind, config: &ServerConfig, end: &str) -> Result<Url, LlmError> {
    let mut url = parsed(&config.base_url)?;
    let path = base_path(&url);
    let path = match kind {
        OpenAiKind::Azure if !path.ends_with("/v1") => {
            let root = path.split("/openai").next().unwrap_or_default();
            // A dated version is one of the older paths.
            url.set_query(None);
            format!("{root}/openai/v1")
        }
        _ if path.is_empty() => "/v1".to_owned(),
        _ => path,
    };
    url.set_path(&format!("{path}/{end}"));
    Ok(url)
}
