//! Options with which the application is opened.

use crate::folders::Folders;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_llm::ChatModel;
use vitrine_store::secrets::{Keychain, SecretStore};
use vitrine_words::tr;

/// How a program is set up.
#[derive(Clone)]
pub struct AppOptions {
    /// Where things lie on disk.
    pub folders: Folders,
    /// The binary that serves as the embedded model's worker.
    pub worker_exe: PathBuf,
    /// How long a question waits for the background work on its warehouse.
    pub patience: Patience,
    /// Where keys are kept.
    pub secrets: Arc<dyn SecretStore>,
    /// Models that are simply there, under their own ids.
    pub models: Vec<Arc<dyn ChatModel>>,
}

/// How long a question waits for the background work on its warehouse; after that it uses what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For the profile: the schema text is better and stable with it.
    pub profile: Duration,
    /// For the value index.
    pub values: Duration,
}

impl Patience {
    /// For a window, where background work began when the warehouse was opened.
    pub const WINDOW: Self = Self { profile: Duration::from_secs(10), values: Duration::from_secs(2) };
    /// For one command in a terminal, which begins the work itself.
    pub const TERMINAL: Self = Self { profile: Duration::from_secs(120), values: Duration::from_secs(60) };
}

impl AppOptions {
    /// As the environment says; this very binary is the worker.
    ///
    /// # Errors
    /// When there is no folder for the application's files.
    pub fn from_environment(patience: Patience) -> Result<Self, AppError> {
        let worker_exe = std::env::current_exe().map_err(|error| {
            AppError::new(ErrorCode::Internal, tr!("The program does not find its own file")).with_detail(error)
        })?;
        Ok(Self {
            folders: Folders::from_environment()?,
            worker_exe,
            patience,
            secrets: Arc::new(Keychain),
            models: Vec::new(),
        })
    }
}
