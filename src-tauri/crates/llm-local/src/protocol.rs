//! The protocol between parent and worker: one JSON object per line.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use vitrine_llm::{LlmError, ModelEvent, Request};

/// The first argument that makes a binary a worker.
pub(crate) const WORKER_ARGUMENT: &str = "model-worker";
/// The environment variable that does the same.
pub(crate) const WORKER_VARIABLE: &str = "VITRINE_WORKER";

/// From parent to worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub(crate) enum Order {
    /// Always the first.
    Load {
        gguf: PathBuf,
        threads: u32,
        context_tokens: u32,
        /// Where states of stable beginnings are kept; nowhere when absent.
        prefixes: Option<PathBuf>,
    },
    /// Answers with `Event`s and then `Done` or `Failed`.
    Generate {
        id: u64,
        request: Box<Request>,
    },
    /// Ends the request with this number soon.
    Cancel {
        id: u64,
    },
    /// Answers with `Counts`, also while a request is being answered.
    Count {
        id: u64,
        texts: Vec<String>,
    },
    /// Answers with `Pong`, also while a request is being answered.
    Ping {
        id: u64,
    },
    Shutdown,
}

/// From worker to parent.
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
    /// The order that this answers; none for loading.
    pub fn id(&self) -> Option<u64> {
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

/// Why the worker could not do what it was asked.
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
    /// The schema or grammar is wrong or too hard.
    Output {
        message: String,
    },
    /// Set by the parent when the worker is gone.
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
