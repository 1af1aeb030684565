//! The interface of a language model: one trait, one request, one stream of events.

use async_trait::async_trait;
use futures::stream::BoxStream;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{ModelProfile, TokenProbability};

/// Any model that answers a chat request, embedded or remote.
#[async_trait]
pub trait ChatModel: Send + Sync {
    /// The name that settings and run logs use.
    fn id(&self) -> &str;

    /// What is known about the model. It may change while it is asked: a server's refusals are remembered.
    fn profile(&self) -> ModelProfile;

    /// Tokens in each text, by the model's own tokenizer or the best estimate there is.
    async fn count_tokens(&self, texts: &[&str]) -> Result<Vec<u32>, LlmError>;

    /// Starts a request. The stream ends after [`ModelEvent::Usage`] or with the first error.
    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<BoxStream<'static, Result<ModelEvent, LlmError>>, LlmError>;
}

/// One question to a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The system message.
    pub system: String,
    /// The stable first part of the user message (the schema); ends with a newline when not empty.
    pub prefix: String,
    /// The varying rest of the user message.
    pub tail: String,
    /// What came after the first user message: (assistant, user) pairs, as in repair.
    pub turns: Vec<(String, String)>,
    /// How many replies are wanted.
    pub samples: u32,
    /// Whether sample 0 is taken at temperature 0.
    pub first_greedy: bool,
    /// Sampling temperature; 0 is greedy.
    pub temperature: f32,
    /// Nucleus of probability sampled from; 1 is all.
    pub top_p: f32,
    /// Sample `i` uses `seed + i`.
    pub seed: u64,
    /// Limit on the tokens of each reply.
    pub max_tokens: u32,
    /// A reply ends before any of these, where the model can be made to begin as `assistant_prefix` says; a server that can
    /// only be asked to is not told, and its reply goes on. What reads a reply has to find its end by itself.
    pub stop: Vec<String>,
    /// What a reply must look like.
    pub output: OutputFormat,
    /// Every reply is made to begin so. It is part of the prompt, not of the reply's text.
    pub assistant_prefix: String,
    /// Whether nobody waits for the replies: a model of this computer answers every other request first.
    #[serde(default)]
    pub background: bool,
}

impl Request {
    /// Every text of the prompt, without the beginning of the reply.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
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

/// What a reply must look like.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "kebab-case")]
pub enum OutputFormat {
    /// Anything.
    #[default]
    Text,
    /// JSON that fits a schema.
    JsonSchema {
        /// A short name for the schema, which some providers require.
        name: String,
        /// The JSON Schema.
        schema: serde_json::Value,
    },
    /// Text of a Lark grammar (llguidance's variant).
    Lark(String),
}

/// Something that a model sends while it answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ModelEvent {
    /// A request is about to leave for a server. One call may send several: for further samples, and again after a failure.
    Sent {
        /// Where to: scheme, host and port.
        to: String,
        /// The body, byte for byte.
        body: String,
    },
    /// More text of a reply, never a broken character.
    Token {
        /// Which reply, from 0.
        sample: u32,
        /// The text.
        text: String,
    },
    /// A reply is whole.
    Finished {
        /// Which reply, from 0.
        sample: u32,
        /// Why it ended.
        reason: FinishReason,
        /// How likely the model found it; `None` where it does not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        probability: Option<TokenProbability>,
    },
    /// What the call cost; always the last event.
    Usage(CallUsage),
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FinishReason {
    /// The model was done, or a stop text came.
    Stop,
    /// `max_tokens` or the context ran out.
    Length,
    /// The caller lost interest.
    Cancelled,
}

/// What one call cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallUsage {
    /// Tokens of the prompt, cached ones included.
    pub prompt_tokens: u64,
    /// Prompt tokens that did not have to be read again.
    pub cached_prompt_tokens: u64,
    /// Prompt tokens that were put into the server's cache, where it counts them apart.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_write_tokens: u64,
    /// Tokens written, over all samples, those of hidden reasoning included.
    pub completion_tokens: u64,
    /// Of the tokens written, those that the model reasoned with before its replies, where the server counts them.
    #[serde(default)]
    pub reasoning_tokens: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What is wrong with an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressFault {
    /// It does not begin with `http://` or `https://`.
    #[error("it must begin with http:// or https://")]
    Scheme,
    /// It holds a name or a password.
    #[error("it holds a name or password; enter the key by itself")]
    Login,
    /// Behind its path stands what may be a key.
    #[error("nothing but an api-version may stand behind its path; enter the key by itself")]
    BehindPath,
    /// Something else.
    #[error("{why}")]
    Malformed {
        /// What.
        why: String,
    },
}

/// Why a model did not answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LlmError {
    /// No server can be there; it was not tried.
    #[error("'{address}' is not the address of a model server: {fault}")]
    Address {
        /// The address without what may be secret in it.
        address: String,
        /// What is wrong with it.
        fault: AddressFault,
    },
    /// No connection.
    #[error("the model server cannot be reached: {message}")]
    Unreachable {
        /// Address and cause.
        message: String,
    },
    /// The server's certificate is of nobody that this computer trusts.
    #[error("the model server's certificate is not trusted: {message}")]
    Untrusted {
        /// Address and cause.
        message: String,
    },
    /// The key is missing or wrong.
    #[error("the model server refused the key: {message}")]
    Unauthorised {
        /// What the server said.
        message: String,
    },
    /// Too many requests, after all retries.
    #[error("the model server is limiting requests{}", .retry_after.map(|d| format!("; it asks to wait {} s", d.as_secs())).unwrap_or_default())]
    RateLimited {
        /// How long the server asked to wait.
        retry_after: Option<Duration>,
    },
    /// Any other refusal.
    #[error("the model server answered {status}: {message}")]
    Refused {
        /// The HTTP status, 0 where there is none.
        status: u16,
        /// What the server said.
        message: String,
    },
    /// The reply is not what was asked for.
    #[error("the model's reply cannot be used: {message}")]
    BadReply {
        /// What is wrong with it.
        message: String,
        /// The reply.
        reply: String,
    },
    /// The prompt and the reply do not fit.
    #[error("the prompt needs {needed} tokens, but the model has room for {available}")]
    ContextExceeded {
        /// Tokens needed.
        needed: u32,
        /// Tokens there are.
        available: u32,
    },
    /// The embedded model's process ended by itself.
    #[error("the model process stopped: {message}")]
    WorkerCrashed {
        /// Its last words, and what to try.
        message: String,
    },
    /// The embedded model does not fit into memory.
    #[error("not enough memory for the model: {message}")]
    OutOfMemory {
        /// How much is needed and how much there is.
        message: String,
    },
    /// The model file cannot be used.
    #[error("the model file {path} cannot be used: {message}", path = .path.display())]
    ModelFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
    /// No answer in time.
    #[error("the model did not answer within {seconds} s")]
    Timeout {
        /// The limit.
        seconds: u64,
    },
}
