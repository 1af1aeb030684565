//! Options with which the application is opened.

use crate::folders::Folders;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_llm::ChatModel;
use vitrine_store::secrets::{Keychain, SecretStore};
use vitrine_words::tr;

/// Options for opening the application.
#[derive(Clone)]
pub struct AppOptions {
    /// Folders of the application's files.
    pub folders: Folders,
    /// Path of the executable that runs as the embedded model's worker.
    pub worker_exe: PathBuf,
    /// Time that a question waits for the preparation of its warehouse.
    pub patience: Patience,
    /// Store of API keys and passwords.
    pub secrets: Arc<dyn SecretStore>,
    /// Additional models, available under their own ids.
    pub models: Vec<Arc<dyn ChatModel>>,
}

/// Maximum time that a question waits for the preparation of its warehouse; after that it uses the available data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Time to wait for the profile, which improves and stabilizes the schema's text.
    pub profile: Duration,
    /// Time to wait for the value index, after the profile.
    pub values: Duration,
}

impl Patience {
    /// For a window, in which the preparation may start before the question.
    pub const WINDOW: Self = Self { profile: Duration::from_secs(10), values: Duration::from_secs(2) };
    /// For a single command in a terminal, which starts the preparation itself.
    pub const TERMINAL: Self = Self { profile: Duration::from_secs(120), values: Duration::from_secs(60) };
}

impl AppOptions {
    /// Returns the options from the environment; the current executable is the worker.
    ///
    /// # Errors
    /// When the folder of the application's files cannot be determined.
    pub fn from_environment(patience: Patience) -> Result<Self, AppError> {
        let worker_exe = std::env::current_exe().map_err(|error| {
            AppError::new(ErrorCode::Internal, tr!("The program cannot find its own file")).with_detail(error)
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
