//! Configuration of a model on a server, with timeouts and retries.

use super::address::redact_address;
use std::fmt;
use std::time::Duration;
use vitrine_domain::ModelProfile;

/// Configuration of a model behind an address.
#[derive(Clone, Default, PartialEq)]
pub struct ServerConfig {
    /// The name that settings and run logs use.
    pub id: String,
    /// The base address: `https://api.openai.com/v1`, `https://NAME.openai.azure.com`, `http://localhost:11434` ...
    pub base_url: String,
    /// The API key, if the server requires one. Never shown by `Debug` or in an error.
    pub api_key: Option<String>,
    /// The model's name on the server; on Azure, the name of the deployment.
    pub model: String,
    /// The known properties of the model.
    pub profile: ModelProfile,
    /// Timeouts and retries for calls.
    pub patience: Patience,
}

impl fmt::Debug for ServerConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerConfig")
            .field("id", &self.id)
            .field("base_url", &redact_address(&self.base_url))
            .field("api_key", &self.api_key.as_ref().map(|_| "***"))
            .field("model", &self.model)
            .field("profile", &self.profile)
            .field("patience", &self.patience)
            .finish()
    }
}

/// Timeouts and retry limits for a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Timeout for establishing a connection.
    pub connect: Duration,
    /// Maximum time without any data; long, because a small machine processes a long prompt before it sends anything.
    pub silence: Duration,
    /// Maximum number of attempts, including the first.
    pub attempts: usize,
    /// Delay before the second attempt; doubled before each later one, unless the server specifies a delay.
    pub first_wait: Duration,
    /// Maximum delay; if the server asks for a longer one, the call is not retried.
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
