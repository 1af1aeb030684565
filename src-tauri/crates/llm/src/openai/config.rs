//! A server's address, its protocol, and timeouts.

use crate::LlmError;
use reqwest::Url;
use std::fmt;
use std::time::Duration;

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

/// A model behind an OpenAI-compatible address.
#[derive(Clone, PartialEq)]
pub struct OpenAiConfig {
    /// The name that settings and run logs use.
    pub id: String,
    /// `https://api.openai.com/v1`, `https://NAME.openai.azure.com`, `http://localhost:11434` ...
    pub base_url: String,
    /// The key, when the server wants one. Never shown: not by `Debug`, not in an error.
    pub api_key: Option<String>,
    /// The model's name on the server; on Azure the deployment's.
    pub model: String,
    /// How the server is addressed.
    pub kind: OpenAiKind,
    /// Prompt and reply together may not be longer.
    pub context_tokens: u32,
    /// Tokens of schema text that are sensible in one prompt.
    pub chunk_budget: u32,
    /// How long the server is waited for.
    pub patience: Patience,
}

impl Default for OpenAiConfig {
    fn default() -> Self {
        Self {
            id: String::new(),
            base_url: String::new(),
            api_key: None,
            model: String::new(),
            kind: OpenAiKind::Compatible,
            context_tokens: 32_768,
            chunk_budget: 8_192,
            patience: Patience::default(),
        }
    }
}

impl fmt::Debug for OpenAiConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiConfig")
            .field("id", &self.id)
            .field("base_url", &shown(&self.base_url))
            .field("api_key", &self.api_key.as_ref().map(|_| "***"))
            .field("model", &self.model)
            .field("kind", &self.kind)
            .field("context_tokens", &self.context_tokens)
            .field("chunk_budget", &self.chunk_budget)
            .field("patience", &self.patience)
            .finish()
    }
}

/// How long a server is waited for, and how often it is asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Timeout for connecting.
    pub connect: Duration,
    /// Without a single byte; long, because a small machine reads a long prompt in silence.
    pub silence: Duration,
    /// Attempts in all.
    pub attempts: usize,
    /// Before the second attempt; doubled before each later one, unless the server says how long to wait.
    pub first_wait: Duration,
    /// The longest wait requested by a server that is honoured.
    pub longest_wait: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            silence: Duration::from_secs(300),
            attempts: 4,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(30),
        }
    }
}

impl OpenAiConfig {
    /// The address that requests are posted to.
    pub(super) fn endpoint(&self) -> Result<Url, LlmError> {
        let bad = |why: &str| LlmError::Unreachable {
            message: format!("'{}' is not the address of a model server: {why}", shown(&self.base_url)),
        };
        let mut url = Url::parse(self.base_url.trim()).map_err(|error| bad(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(bad("it must begin with http:// or https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(bad("it holds a name or password; enter the key by itself"));
        }
        url.set_fragment(None);
        let path = url.path().trim_end_matches('/').trim_end_matches("/chat/completions").to_owned();
        let path = match self.kind {
            // Azure's newer addresses end in /openai/v1 and are like everybody else's.
            OpenAiKind::Azure if !path.ends_with("/v1") => {
                if !url.query_pairs().any(|(name, _)| name == "api-version") {
                    url.query_pairs_mut().append_pair("api-version", AZURE_API_VERSION);
                }
                if path.contains("/deployments/") {
                    path
                } else {
                    format!("{}/openai/deployments/{}", path.trim_end_matches("/openai"), self.model)
                }
            }
            // People copy `http://localhost:11434` from a start-up message.
            _ if path.is_empty() => "/v1".to_owned(),
            _ => path,
        };
        url.set_path(&format!("{path}/chat/completions"));
        Ok(url)
    }
}

/// An address without what may be secret in it.
pub(super) fn shown(address: &str) -> String {
    match Url::parse(address.trim()) {
        Ok(mut url) => {
            let _ = url.set_username("");
            let _ = url.set_password(None);
            url.set_query(None);
            url.to_string()
        }
        Err(_) => address.rsplit('@').next().unwrap_or_default().to_owned(),
    }
}
