//! The program: everything that outlives one command.

use crate::code::CodeAtWork;
use crate::folders::Folders;
use crate::jobs::Jobs;
use crate::models::Shelf;
use crate::passwords::Passwords;
use crate::results::Results;
use crate::runs::ActiveRuns;
use crate::types::{AppEvent, AppInfo};
use crate::warehouses::OpenWarehouses;
use crate::warm::Prefills;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_llm::ChatModel;
use vitrine_store::secrets::{Keychain, SecretStore};
use vitrine_store::{Store, StoreError};

/// Events that a slow listener may be behind before it has to read the run log instead.
const EVENT_BACKLOG: usize = 16_384;

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
    /// When there is no place to keep things in.
    pub fn from_environment(patience: Patience) -> Result<Self, AppError> {
        let worker_exe = std::env::current_exe().map_err(|error| {
            AppError::new(ErrorCode::Internal, "The program does not find its own file").detail(error)
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

/// The program behind every front end. Cheap to clone; all clones are one program.
#[derive(Clone)]
pub struct App {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) options: AppOptions,
    pub(crate) store: Arc<Store>,
    pub(crate) events: broadcast::Sender<AppEvent>,
    /// Cancels everything when the program ends.
    pub(crate) ending: CancellationToken,
    pub(crate) warehouses: OpenWarehouses,
    pub(crate) shelf: Shelf,
    pub(crate) runs: ActiveRuns,
    pub(crate) results: Results,
    pub(crate) jobs: Jobs,
    pub(crate) code: CodeAtWork,
    pub(crate) warming: Prefills,
    pub(crate) passwords: Arc<Passwords>,
}

impl App {
    /// Opens the workspace, and ends the runs that an earlier program left open.
    ///
    /// # Errors
    /// When the workspace cannot be opened.
    pub async fn open(options: AppOptions) -> Result<Self, AppError> {
        let workspace = options.folders.workspace();
        let store = blocking(move || Ok(Store::open(&workspace)?)).await?;
        let (events, _) = broadcast::channel(EVENT_BACKLOG);
        let shelf = Shelf::new(&options);
        Ok(Self {
            inner: Arc::new(Inner {
                store: Arc::new(store),
                events,
                ending: CancellationToken::new(),
                warehouses: OpenWarehouses::default(),
                shelf,
                runs: ActiveRuns::default(),
                results: Results::default(),
                jobs: Jobs::default(),
                code: CodeAtWork::default(),
                warming: Prefills::default(),
                passwords: Arc::new(Passwords::new(Arc::clone(&options.secrets))),
                options,
            }),
        })
    }

    /// The program itself.
    pub async fn info(&self) -> Result<AppInfo, AppError> {
        Ok(AppInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sample_uri: self.sample_uri(),
            data_dir: self.inner.options.folders.data.display().to_string(),
            default_model: self.settings().await?.default_model,
            display_name: "Vitrine".to_owned(),
        })
    }

    /// Everything that happens from now on. A listener that falls behind catches up through the run log.
    pub fn subscribe(&self) -> broadcast::Receiver<AppEvent> {
        self.inner.events.subscribe()
    }

    /// Stops what is running, waits a moment for the runs to write their last event, and lets go of everything. Takes ten
    /// seconds at most: a database that does not let go is left to the system.
    pub async fn shutdown(&self) {
        self.inner.ending.cancel();
        self.inner.runs.wait(Duration::from_secs(5)).await;
        let rest = async {
            self.inner.shelf.shutdown().await;
            self.inner.warehouses.close().await;
        };
        let _ = tokio::time::timeout(Duration::from_secs(5), rest).await;
    }

    pub(crate) fn tell(&self, event: AppEvent) {
        // Nobody listening is fine: the run log has it.
        let _ = self.inner.events.send(event);
    }

    /// Asks the store, on a thread that may block.
    pub(crate) async fn store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, AppError> {
        let store = Arc::clone(&self.inner.store);
        blocking(move || Ok(work(&store)?)).await
    }
}

/// Runs something that blocks; a panic in it becomes an error.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, AppError> + Send + 'static,
) -> Result<T, AppError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(broke(&error)))
}

/// Drives a future on a thread of its own: for work that also blocks now and then, as a run does when it commits its
/// events, and so must not hold up the threads that everything else shares.
pub(crate) fn on_own_thread<F, T>(work: impl FnOnce() -> F + Send + 'static) -> tokio::task::JoinHandle<T>
where
    F: Future<Output = T>,
    T: Send + 'static,
{
    let runtime = tokio::runtime::Handle::current();
    tokio::task::spawn_blocking(move || runtime.block_on(work()))
}

/// What a person reads when a part of the program panicked.
pub(crate) fn broke(cause: &dyn std::fmt::Display) -> AppError {
    AppError::new(ErrorCode::Internal, "Something broke inside Vitrine")
        .hint("Try again; if it happens again, report it with the run's log")
        .detail(cause)
}

/// The time now, as it is written everywhere.
pub(crate) fn now() -> String {
    chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}

/// A new name for a run, a job, a result or a saved question; later ones sort after earlier ones.
pub(crate) fn new_id() -> String {
    uuid::Uuid::now_v7().to_string()
}
