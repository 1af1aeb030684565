//! Builds the addresses of calls from the base address that users enter, and the key header.

use crate::LlmError;
use crate::http::{ServerConfig, parse_address};
use reqwest::Url;

/// The Azure API version that is used if the address contains none.
const AZURE_API_VERSION: &str = "2024-10-21";

/// The addressing scheme of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenAiKind {
    /// The service of OpenAI itself.
    OpenAi,
    /// Azure: the key in a separate header, the deployment in the path, an API version in the query.
    Azure,
    /// Ollama, LM Studio, vLLM, llama.cpp and all other servers that are compatible with OpenAI.
    Compatible,
}

/// Returns the header that carries the key, and its value.
pub(super) fn key_header(kind: OpenAiKind, key: &str) -> (&'static str, String) {
    match kind {
        OpenAiKind::Azure => ("api-key", key.to_owned()),
        OpenAiKind::OpenAi | OpenAiKind::Compatible => ("authorization", format!("Bearer {key}")),
    }
}

/// Returns the path of an address without the suffix of a call.
fn base_path(url: &Url) -> String {
    let path = url.path().trim_end_matches('/');
    path.trim_end_matches("/chat/completions").trim_end_matches("/responses").to_owned()
}

/// Returns the address to which chat completions are posted.
pub(super) fn chat_endpoint(kind: OpenAiKind, config: &ServerConfig) -> Result<Url, LlmError> {
    let mut url = parse_address(&config.base_url)?;
    let path = base_path(&url);
    let path = match kind {
        // Azure's newer addresses end in /openai/v1 and need no special treatment.
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
        // Users copy `http://localhost:11434` from a start-up message.
        _ if path.is_empty() => "/v1".to_owned(),
        _ => path,
    };
    url.set_path(&format!("{path}/chat/completions"));
    Ok(url)
}

/// Builds an address below the version: `/v1/responses`, `/v1/models`. Azure has one such path for all deployments.
pub(super) fn build_versioned_url(kind: OpenAiKind, config: &ServerConfig, end: &str) -> Result<Url, LlmError> {
    let mut url = parse_address(&config.base_url)?;
    let path = base_path(&url);
    let path = match kind {
        OpenAiKind::Azure if !path.ends_with("/v1") => {
            let root = path.split("/openai").next().unwrap_or_default();
            // Dated API versions belong to the older paths.
            url.set_query(None);
            format!("{root}/openai/v1")
        }
        _ if path.is_empty() => "/v1".to_owned(),
        _ => path,
    };
    url.set_path(&format!("{path}/{end}"));
    Ok(url)
}
