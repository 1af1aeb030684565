//! Which model of which server, and how long it is waited for.

use super::address::shown;
use std::fmt;
use std::time::Duration;
use vitrine_domain::ModelProfile;

/// A model behind an address.
#[derive(Clone, Default, PartialEq)]
pub struct ServerConfig {
    /// The name that settings and run logs use.
    pub id: String,
    /// `https://api.openai.com/v1`, `https://NAME.openai.azure.com`, `http://localhost:11434` ...
    pub base_url: String,
    /// The key, when the server wants one. Never shown: not by `Debug`, not in an error.
    pub api_key: Option<String>,
    /// The model's name on the server; on Azure the deployment's.
    pub model: String,
    /// What is known about the model.
    pub profile: ModelProfile,
    /// How long the server is waited for.
    pub patience: Patience,
}

impl fmt::Debug for ServerConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerConfig")
            .field("id", &self.id)
            .field("base_url", &shown(&self.base_url))
            .field("api_key", &self.api_key.as_ref().map(|_| "***"))
            .field("model", &self.model)
            .field("profile", &self.profile)
            .field("patience", &self.patience)
            .finish()
    }
}

/// How long a server is waited for, and how often it is asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Until the connection stands.
    pub connect: Duration,
    /// Without a single byte; long, because a small machine reads a long prompt in silence.
    pub silence: Duration,
    /// Attempts in all.
    pub attempts: usize,
    /// Before the second attempt; doubled before each later one, unless the server says how long to wait.
    pub first_wait: Duration,
    /// A server that asks for a longer wait than this is not waited for.
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
