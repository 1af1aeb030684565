//! Models as front ends see them.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{ModelId, ProfileFacts};

/// Where a model runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ModelPlace {
    /// On this computer, from a file.
    Embedded,
    /// Behind an address.
    Remote,
}

/// A model that can be used or pulled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelStatus {
    /// Names it in settings.
    pub id: ModelId,
    /// For people.
    pub title: String,
    /// Where it runs.
    pub kind: ModelPlace,
    /// Whether it answers questions; the other kind compares values by their meaning.
    pub answers: bool,
    /// Bytes on disk.
    #[specta(type = f64)]
    pub bytes: u64,
    /// Bytes of it that are here already, where a download was stopped in the middle, too.
    #[specta(type = f64)]
    pub fetched: u64,
    /// As its makers name it.
    pub licence: String,
    /// Where it can be had, in the order of trying.
    pub sources: Vec<String>,
    /// Of its file.
    pub sha256: Option<String>,
    /// Whether it can be used now.
    pub present: bool,
    /// Whether it is the default model or some agent's.
    pub in_use: bool,
    /// Whether its files can be removed.
    pub removable: bool,
    /// Whether it is in memory.
    pub loaded: bool,
    /// One line for people.
    pub detail: String,
}

/// A model that a server has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ServedModel {
    /// Its name there.
    pub id: String,
    /// Its name for people, where it has one.
    pub title: Option<String>,
    /// What the server tells about it, and what the table of known models does.
    pub facts: ProfileFacts,
}

/// Who serves a remote model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum RemoteProvider {
    /// OpenAI.
    Openai,
    /// Azure.
    Azure,
    /// Anthropic.
    Anthropic,
    /// Google's Gemini.
    Gemini,
    /// Ollama.
    Ollama,
    /// LM Studio.
    LmStudio,
    /// vLLM.
    Vllm,
    /// Anything else that speaks OpenAI's chat completions.
    Other,
}

/// A model behind an address. Its key is in the system's keychain and never here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RemoteModel {
    /// Names it in settings.
    pub id: ModelId,
    /// For people.
    pub title: String,
    /// Who serves it.
    pub provider: RemoteProvider,
    /// Where.
    pub base_url: String,
    /// Its name there.
    pub model: String,
    /// Prompt and reply together may not be longer; 0 leaves it to what is known of the model.
    pub context_tokens: u32,
    /// Whether a key is stored; ignored when set.
    #[serde(default)]
    pub has_key: bool,
}
