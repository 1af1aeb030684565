//! The interface of a language model: one trait, one request, one stream of events.

use async_trait::async_trait;
use futures::stream::BoxStream;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{ModelProfile, TokenProbability};

/// A model that answers chat requests, embedded or remote.
#[async_trait]
pub trait ChatModel: Send + Sync {
    /// Returns the name that settings and run logs use.
    fn id(&self) -> &str;

    /// Returns the known properties of the model. They may change between calls, because refusals by a server are
    /// remembered.
    fn profile(&self) -> ModelProfile;

    /// Counts the tokens of each text with the model's tokenizer, or estimates them.
    async fn count_tokens(&self, texts: &[&str]) -> Result<Vec<u32>, LlmError>;

    /// Starts a request. The stream ends after [`ModelEvent::Usage`] or with the first error.
    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<BoxStream<'static, Result<ModelEvent, LlmError>>, LlmError>;
}

/// A chat request to a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The text of the system message.
    pub system: String,
    /// The stable first part of the user message (the schema); ends with a newline unless empty.
    pub prefix: String,
    /// The variable rest of the user message.
    pub tail: String,
    /// Later messages as (assistant, user) pairs, for example during repair.
    pub turns: Vec<(String, String)>,
    /// The number of replies to generate.
    pub samples: u32,
    /// Generates sample 0 at temperature 0.
    pub first_greedy: bool,
    /// The sampling temperature; 0 is greedy.
    pub temperature: f32,
    /// The probability mass for nucleus sampling; 1 disables it.
    pub top_p: f32,
    /// The random seed; sample `i` uses `seed + i`.
    pub seed: u64,
    /// The maximum number of tokens of each reply.
    pub max_tokens: u32,
    /// Texts that end a reply. Not sent to a server that cannot prefill `assistant_prefix`, so its reply may continue:
    /// code that reads a reply must find the end on its own.
    pub stop: Vec<String>,
    /// The required form of a reply.
    pub output: OutputFormat,
    /// The beginning of every reply. It belongs to the prompt and is not included in the reply's text.
    pub assistant_prefix: String,
    /// Marks a request without a waiting user: the embedded model answers all other requests first.
    #[serde(default)]
    pub background: bool,
}

impl Request {
    /// Returns every text of the prompt except `assistant_prefix`.
    pub(crate) fn prompt_texts(&self) -> impl Iterator<Item = &str> {
        let turns = self.turns.iter().flat_map(|(assistant, user)| [assistant.as_str(), user.as_str()]);
        [self.system.as_str(), &self.prefix, &self.tail].into_iter().chain(turns)
    }
}

impl Default for Request {
    fn default() -> Self {
        Self {
            system: String::new(),
            prefix: String::new(),
            tail: String::new(),
            turns: Vec::new(),
            samples: 1,
            first_greedy: false,
            temperature: 0.0,
            top_p: 1.0,
            seed: 0,
            max_tokens: 512,
            stop: Vec::new(),
            output: OutputFormat::Text,
            assistant_prefix: String::new(),
            background: false,
        }
    }
}

/// The required form of a reply.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "kebab-case")]
pub enum OutputFormat {
    /// Text that is not constrained.
    #[default]
    Text,
    /// JSON that conforms to a schema.
    JsonSchema {
        /// A short name for the schema, which some providers require.
        name: String,
        /// The JSON Schema that the reply must satisfy.
        schema: serde_json::Value,
    },
    /// Text that matches a Lark grammar (llguidance's variant).
    Lark(String),
}

/// An event in the stream of a model's response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ModelEvent {
    /// A request is about to be sent to a server. One call may send several, for more samples and for retries.
    Sent {
        /// The receiver: scheme, host and port.
        to: String,
        /// The request body, byte for byte.
        body: String,
    },
    /// More text of a reply, split only between characters.
    Token {
        /// The index of the reply, from 0.
        sample: u32,
        /// The new text of the reply.
        text: String,
    },
    /// Marks a reply as complete.
    Finished {
        /// The index of the reply, from 0.
        sample: u32,
        /// The reason why it ended.
        reason: FinishReason,
        /// The probability of its tokens; `None` if the model does not report it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        probability: Option<TokenProbability>,
    },
    /// The token counts of the call; always the last event.
    Usage(CallUsage),
}

/// The reason why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FinishReason {
    /// The model finished, or a stop text was reached.
    Stop,
    /// `max_tokens` or the context limit was reached.
    Length,
    /// The caller cancelled the request.
    Cancelled,
}

/// The token counts of one call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallUsage {
    /// Tokens of the prompt, including cached ones.
    pub prompt_tokens: u64,
    /// Prompt tokens that were read from a cache.
    pub cached_prompt_tokens: u64,
    /// Prompt tokens that were written to the server's cache, if it counts them separately.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_write_tokens: u64,
    /// Generated tokens over all samples, including hidden reasoning.
    pub completion_tokens: u64,
    /// Generated tokens that were spent on reasoning, if the server counts them.
    #[serde(default)]
    pub reasoning_tokens: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The reason why an address is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressFault {
    /// The address does not begin with `http://` or `https://`.
    #[error("it must begin with http:// or https://")]
    Scheme,
    /// The address contains a user name or password.
    #[error("it holds a name or password; enter the key by itself")]
    Login,
    /// The address has a query or fragment that may contain a key.
    #[error("nothing but an api-version may stand behind its path; enter the key by itself")]
    BehindPath,
    /// The address is malformed in another way.
    #[error("{why}")]
    Malformed {
        /// The message of the URL parser.
        why: String,
    },
}

/// The reason why a model did not answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LlmError {
    /// The address is invalid; no connection was attempted.
    #[error("'{address}' is not the address of a model server: {fault}")]
    Address {
        /// The address without parts that may be secret.
        address: String,
        /// The fault of the address.
        fault: AddressFault,
    },
    /// No connection could be established.
    #[error("the model server cannot be reached: {message}")]
    Unreachable {
        /// The address and the cause.
        message: String,
    },
    /// The server's certificate is not trusted by this computer.
    #[error("the model server's certificate is not trusted: {message}")]
    Untrusted {
        /// The address and the cause.
        message: String,
    },
    /// The API key is missing or invalid.
    #[error("the model server refused the key: {message}")]
    Unauthorised {
        /// The error message of the server.
        message: String,
    },
    /// The rate limit was still exceeded after all retries.
    #[error("the model server is limiting requests{}", .retry_after.map(|d| format!("; it asks to wait {} s", d.as_secs())).unwrap_or_default())]
    RateLimited {
        /// The delay that the server asked for.
        retry_after: Option<Duration>,
    },
    /// The server rejected the request for another reason.
    #[error("the model server answered {status}: {message}")]
    Refused {
        /// The HTTP status; 0 if there is none.
        status: u16,
        /// The error message of the server.
        message: String,
    },
    /// The reply does not have the required form.
    #[error("the model's reply cannot be used: {message}")]
    BadReply {
        /// The reason why the reply cannot be used.
        message: String,
        /// The text of the reply.
        reply: String,
    },
    /// The prompt and the reply exceed the context.
    #[error("the prompt needs {needed} tokens, but the model has room for {available}")]
    ContextExceeded {
        /// The number of tokens needed.
        needed: u32,
        /// The number of tokens available.
        available: u32,
    },
    /// The process of the embedded model ended unexpectedly.
    #[error("the model process stopped: {message}")]
    WorkerCrashed {
        /// The last output of the process, and advice.
        message: String,
    },
    /// The embedded model does not fit into memory.
    #[error("not enough memory for the model: {message}")]
    OutOfMemory {
        /// The required and the available memory.
        message: String,
    },
    /// The model file cannot be used.
    #[error("the model file {path} cannot be used: {message}", path = .path.display())]
    ModelFile {
        /// The path of the file.
        path: PathBuf,
        /// The reason why it cannot be used.
        message: String,
    },
    /// The caller cancelled the request.
    #[error("cancelled")]
    Cancelled,
    /// No answer arrived in time.
    #[error("the model did not answer within {seconds} s")]
    Timeout {
        /// The time limit in seconds.
        seconds: u64,
    },
}
