//! The protocol between parent and worker: one JSON object per line.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use vitrine_llm::{LlmError, ModelEvent, Request};

/// The first argument that starts a binary as a worker.
pub(crate) const WORKER_ARGUMENT: &str = "model-worker";
/// The environment variable that starts a binary as a worker.
pub(crate) const WORKER_VARIABLE: &str = "VITRINE_WORKER";

/// A message from the parent to the worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub(crate) enum Order {
    /// Loads the model; always the first order.
    Load {
        gguf: PathBuf,
        threads: u32,
        context_tokens: u32,
        /// The folder for states of stable prefixes; `None` disables them.
        prefixes: Option<PathBuf>,
    },
    /// Generates replies; reports `Event`s and then `Done` or `Failed`.
    Generate {
        id: u64,
        request: Box<Request>,
    },
    /// Cancels the request with this id.
    Cancel {
        id: u64,
    },
    /// Counts tokens and reports `Counts`, even during a request.
    Count {
        id: u64,
        texts: Vec<String>,
    },
    /// Reports `Pong`, even during a request.
    Ping {
        id: u64,
    },
    Shutdown,
}

/// A message from the worker to the parent.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "report", rename_all = "snake_case")]
pub(crate) enum Report {
    Loaded { context_tokens: u32, threads: u32 },
    NotLoaded { failure: Failure },
    Event { id: u64, event: ModelEvent },
    Done { id: u64 },
    Failed { id: u64, failure: Failure },
    Counts { id: u64, tokens: Vec<u32> },
    Pong { id: u64 },
}

impl Report {
    /// Returns the id of the order that this report answers; `None` for loading.
    pub fn order_id(&self) -> Option<u64> {
        match self {
            Report::Loaded { .. } | Report::NotLoaded { .. } => None,
            Report::Event { id, .. }
            | Report::Done { id }
            | Report::Failed { id, .. }
            | Report::Counts { id, .. }
            | Report::Pong { id } => Some(*id),
        }
    }
}

/// The reason why an order failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "failure", rename_all = "snake_case")]
pub(crate) enum Failure {
    OutOfMemory {
        message: String,
    },
    ModelFile {
        path: PathBuf,
        message: String,
    },
    ContextExceeded {
        needed: u32,
        available: u32,
    },
    /// The schema or grammar is invalid or too complex.
    Output {
        message: String,
    },
    /// The worker has ended; reported by the parent.
    Crashed {
        message: String,
    },
    Internal {
        message: String,
    },
}

impl From<Failure> for LlmError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::OutOfMemory { message } => LlmError::OutOfMemory { message },
            Failure::ModelFile { path, message } => LlmError::ModelFile { path, message },
            Failure::ContextExceeded { needed, available } => LlmError::ContextExceeded { needed, available },
            Failure::Output { message } => LlmError::BadReply { message, reply: String::new() },
            Failure::Crashed { message } | Failure::Internal { message } => LlmError::WorkerCrashed { message },
        }
    }
}
