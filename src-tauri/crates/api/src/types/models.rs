//! Models for front ends.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{ModelId, ProfileFacts};

/// The place where a model runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ModelPlace {
    /// On this computer, from a file.
    Embedded,
    /// On a server behind an address.
    Remote,
}

/// A model that is usable or can be downloaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelStatus {
    /// Id of the model in settings and commands.
    pub id: ModelId,
    /// Name of the model for users.
    pub title: String,
    /// Place where the model runs.
    pub kind: ModelPlace,
    /// True if the model answers questions; embedding models compare values by meaning instead.
    pub answers: bool,
    /// Size on disk in bytes.
    #[specta(type = f64)]
    pub bytes: u64,
    /// Number of bytes that are already present, also of an interrupted download.
    #[specta(type = f64)]
    pub fetched: u64,
    /// Licence, as its authors name it.
    pub licence: String,
    /// Download sources, in the order in which they are tried.
    pub sources: Vec<String>,
    /// SHA-256 of the model's file.
    pub sha256: Option<String>,
    /// True if the model is usable now.
    pub present: bool,
    /// True if it is the default model or the model of an agent.
    pub in_use: bool,
    /// True if its files can be removed.
    pub removable: bool,
    /// True if the model is loaded into memory.
    pub loaded: bool,
    /// Details in one line, for users.
    pub detail: String,
}

/// A model that a server offers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ServedModel {
    /// Name of the model on the server.
    pub id: String,
    /// Display name, if the server gives one.
    pub title: Option<String>,
    /// Properties from the server and from the table of known models.
    pub facts: ProfileFacts,
}

/// The provider of a remote model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum RemoteProvider {
    /// OpenAI, with its own API.
    Openai,
    /// The OpenAI service of Azure.
    Azure,
    /// Anthropic, with its own API.
    Anthropic,
    /// The Gemini API of Google.
    Gemini,
    /// A server that runs Ollama.
    Ollama,
    /// A server that runs LM Studio.
    LmStudio,
    /// A server that runs vLLM.
    Vllm,
    /// Any other server with OpenAI's chat completions API.
    Other,
}

/// A remote model. Its key is in the system's keychain and never in this type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RemoteModel {
    /// Id of the model in settings and commands.
    pub id: ModelId,
    /// Name of the model for users.
    pub title: String,
    /// Provider that serves the model, which determines the API.
    pub provider: RemoteProvider,
    /// Base URL of the server.
    pub base_url: String,
    /// Name of the model on the server.
    pub model: String,
    /// Maximum length of prompt and reply together in tokens; 0 uses the known properties of the model.
    pub context_tokens: u32,
    /// True if a key is stored; ignored in requests.
    #[serde(default)]
    pub has_key: bool,
}
