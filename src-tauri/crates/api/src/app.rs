//! The application: all state that outlives one command.

use crate::google::GoogleLogins;
use crate::passwords::Passwords;
use crate::state::chosen_files::ChosenFiles;
use crate::state::code::CodeAtWork;
use crate::state::imports::Imports;
use crate::state::jobs::Jobs;
use crate::state::model_registry::ModelRegistry;
use crate::state::prefills::Prefills;
use crate::state::results::Results;
use crate::state::rewritings::Rewritings;
use crate::state::runs::ActiveRuns;
use crate::state::setup::AppOptions;
use crate::state::warehouses::OpenWarehouses;
use crate::state::work::run_blocking;
use crate::types::{AppEvent, AppInfo};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_models::DriverStore;
use vitrine_store::{Store, StoreError};
use vitrine_words::tr;

/// Maximum number of events that a slow listener may lag behind; after that it has to read the run log.
const EVENT_BACKLOG: usize = 16_384;

/// The application behind every front end. Clones are cheap and share one state.
#[derive(Clone)]
pub struct App {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) options: AppOptions,
    pub(crate) store: Arc<Store>,
    pub(crate) events: broadcast::Sender<AppEvent>,
    /// Cancels all work when the program ends.
    pub(crate) ending: CancellationToken,
    pub(crate) warehouses: OpenWarehouses,
    pub(crate) models: ModelRegistry,
    pub(crate) drivers: DriverStore,
    pub(crate) runs: ActiveRuns,
    pub(crate) rewritings: Rewritings,
    pub(crate) results: Results,
    pub(crate) jobs: Jobs,
    pub(crate) imports: Imports,
    pub(crate) code: CodeAtWork,
    pub(crate) chosen: ChosenFiles,
    pub(crate) prefills: Prefills,
    pub(crate) passwords: Arc<Passwords>,
    pub(crate) google: GoogleLogins,
    /// True if a front end shows queries that need an approval.
    pub(crate) shows_approvals: AtomicBool,
}

impl App {
    /// Opens the workspace, and ends the runs that an earlier process left unfinished.
    ///
    /// # Errors
    /// When the workspace cannot be opened.
    pub async fn open(options: AppOptions) -> Result<Self, AppError> {
        let folders = options.folders.clone();
        let store = run_blocking(move || {
            folders.make_private().map_err(|error| {
                AppError::new(
                    ErrorCode::Internal,
                    tr!("The folder {path} cannot be created", path = folders.data.display()),
                )
                .with_hint(tr!("Set VITRINE_HOME and VITRINE_CACHE to writable folders"))
                .with_detail(error)
            })?;
            Ok(Store::open(&folders.workspace_file())?)
        })
        .await?;
        let (events, _) = broadcast::channel(EVENT_BACKLOG);
        let models = ModelRegistry::new(&options);
        Ok(Self {
            inner: Arc::new(Inner {
                store: Arc::new(store),
                events,
                ending: CancellationToken::new(),
                warehouses: OpenWarehouses::default(),
                models,
                drivers: DriverStore::new(options.folders.drivers()),
                runs: ActiveRuns::default(),
                rewritings: Rewritings::default(),
                results: Results::default(),
                jobs: Jobs::default(),
                imports: Imports::default(),
                code: CodeAtWork::default(),
                chosen: ChosenFiles::default(),
                prefills: Prefills::default(),
                passwords: Arc::new(Passwords::new(Arc::clone(&options.secrets))),
                google: GoogleLogins::new(Arc::clone(&options.secrets)),
                options,
                shows_approvals: AtomicBool::new(false),
            }),
        })
    }

    /// Returns the program's version, folders and default model.
    pub async fn info(&self) -> Result<AppInfo, AppError> {
        Ok(AppInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sample_uri: self.sample_uri(),
            data_dir: self.inner.options.folders.data.display().to_string(),
            default_model: self.settings().await?.default_model,
            display_name: "Vitrine".to_owned(),
        })
    }

    /// Subscribes to all events from now on. A listener that falls behind reads the missed events from the run log.
    pub fn subscribe_to_events(&self) -> broadcast::Receiver<AppEvent> {
        self.inner.events.subscribe()
    }

    /// Stops all work, waits briefly for the runs to write their last event, and closes everything. Takes at most ten seconds: a database
    /// that does not close by then is left to the operating system.
    pub async fn shutdown(&self) {
        self.inner.ending.cancel();
        self.inner.runs.wait_until_idle(Duration::from_secs(5)).await;
        let rest = async {
            self.inner.models.shutdown().await;
            self.inner.warehouses.close_all().await;
        };
        let _ = tokio::time::timeout(Duration::from_secs(5), rest).await;
    }

    pub(crate) fn send_event(&self, event: AppEvent) {
        // A missing listener is not an error, because the run log contains the event.
        let _ = self.inner.events.send(event);
    }

    /// Runs a store operation on a thread that may block.
    pub(crate) async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, AppError> {
        let store = Arc::clone(&self.inner.store);
        run_blocking(move || Ok(work(&store)?)).await
    }
}
