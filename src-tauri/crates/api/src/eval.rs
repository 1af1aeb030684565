//! Evaluation: implements the preparation of databases for the `eval` crate.

use crate::app::App;
use crate::state::warehouses::OpenWarehouse;
use crate::state::work::run_blocking;
use futures::FutureExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Agent, AppError, AskSettings, ErrorCode};
use vitrine_eval::{BudgetedAccess, EvalEnvironment, PackConnection, PreparedDatabase};
use vitrine_llm::cassette::Cassette;
use vitrine_warehouse::{OpenOptions, WarehouseUri};
use vitrine_words::tr;

pub use vitrine_eval::{
    AmbiguityMode, Calibrated, CertaintySummary, DatabasePattern, EvalOptions, EvalScope, GivenSchema, KnownFailures,
    Outcome, Pack, Progress, Report, Run, Sample, SelectionQuality, Share,
};

impl App {
    /// Evaluates a pack of questions; `on_progress` is called after each question.
    pub async fn evaluate_pack(
        &self,
        pack: &Pack,
        mut options: EvalOptions,
        cancel: CancellationToken,
        on_progress: impl FnMut(Progress<'_>),
    ) -> Result<Run, AppError> {
        options.settings = self.complete_settings(options.settings).await?;
        let mut environment = self.create_environment(&options.settings).await?;
        if let Some(path) = options.replies.clone() {
            let model = Arc::clone(&environment.models.default);
            // Recorded replies are free, and here they cannot be distinguished from calls, so that nothing is metered.
            environment.meter = None;
            environment.models.default =
                run_blocking(move || Ok(Arc::new(Cassette::extend(model, &path)?) as _)).await?;
        }
        let environment = Arc::new(environment);
        vitrine_eval::run_pack(pack, environment, options, cancel, on_progress).await
    }

    /// Reads a pack, some of whose databases are reached by connections: patterns of databases with the name or the address of a
    /// connection. The login and the limits of the connection apply to every database that it serves.
    pub async fn load_connected_pack(
        &self,
        folder: &Path,
        scope: EvalScope,
        given: &[(DatabasePattern, String)],
    ) -> Result<Pack, AppError> {
        let mut connections = Vec::new();
        for (pattern, connection) in given {
            let address = self.address_of(connection).await?;
            if let Some(uri) = WarehouseUri::parse_remote(&address).filter(|uri| uri.password().is_some()) {
                // The address of a database contains no password; it is known from here on.
                self.inner.passwords.record_password(&uri);
            }
            let address = self.full_address(&address).await?;
            connections.push(PackConnection { pattern: pattern.clone(), address });
        }
        let pack = Pack::load_connected(folder, scope, &connections)?;
        for question in &pack.questions {
            if let Some(lender) = &question.lender {
                self.inner.warehouses.lend_connection(&question.warehouse, lender);
            }
        }
        Ok(pack)
    }

    /// Loads the dumps that a sample of a pack needs into a PostgreSQL server, except dumps that are already loaded; `on_load` is called
    /// for each dump that is loaded.
    pub async fn load_dumps(
        &self,
        pack: &mut Pack,
        sample: &Sample,
        server: &str,
        on_load: impl FnMut(&str),
    ) -> Result<(), AppError> {
        let uri = WarehouseUri::parse(server)?;
        if uri.server_address().is_none_or(|server| !server.kind().info().loads_dumps) {
            return Err(AppError::new(ErrorCode::Usage, tr!("{uri} is no server", uri))
                .with_hint(tr!("Write {example}", example = "postgresql://USER@HOST:PORT/DATABASE")));
        }
        self.confirm_warehouse(&uri.to_string()).await;
        // psql uses any authentication method that the server requests; this connection refuses a server that may not receive the password.
        self.connect_warehouse(&uri, &OpenOptions::default()).await?.close().await;
        let passwords = Arc::clone(&self.inner.passwords);
        let complete = run_blocking(move || Ok(passwords.complete_address(uri, true))).await?;
        let server = complete.server_address().expect("it was one before it had a password");
        vitrine_eval::load_dumps(pack, sample, server, on_load).await
    }

    /// Returns the default folder of an evaluation; it is the same for the same questions, method and model.
    pub async fn evaluation_folder(
        &self,
        pack: &Pack,
        sample: &Sample,
        schema: GivenSchema,
        settings: &AskSettings,
    ) -> Result<PathBuf, AppError> {
        let settings = self.complete_settings(settings.clone()).await?;
        let mut name = format!("{}-{}-{}", pack.name, settings.strategy.as_str(), settings.model.unwrap_or_default());
        if pack.scope == EvalScope::Linking {
            name += "-linking";
        }
        if !schema.is_whole() {
            name += &format!("-{}", schema.as_str());
        }
        for (word, number) in [("every", sample.every), ("from", sample.offset), ("most", sample.limit.unwrap_or(0))] {
            if number > usize::from(word == "every") {
                name += &format!("-{word}-{number}");
            }
        }
        let safe = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '_') { c } else { '-' };
        Ok(self.inner.options.folders.evaluations().join(name.chars().map(safe).collect::<String>()))
    }

    async fn create_environment(&self, settings: &AskSettings) -> Result<EvalEnvironment, AppError> {
        let began = Instant::now();
        let (app, here, closing) = (self.clone(), self.clone(), self.clone());
        let models = self.models_for(settings).await?;
        let calibration = self.load_calibration(models.for_agent(Agent::Generator).id()).await?;
        Ok(EvalEnvironment {
            prepare: Box::new(move |address: String| {
                let app = app.clone();
                async move { app.prepared_for_eval(address).await }.boxed()
            }),
            release: Box::new(move |address| {
                // The user may use the others, too.
                if closing.inner.warehouses.lender_of(address) != address {
                    closing.close_warehouse(address);
                }
            }),
            clock: Arc::new(move || began.elapsed().as_millis() as u64),
            models,
            calibration,
            meter: Some(self.monthly_meter().await?),
            sandbox: Box::new(move || here.passing_sandbox()),
        })
    }

    async fn prepared_for_eval(&self, uri: String) -> Result<PreparedDatabase, AppError> {
        // Databases of a pack are files in the pack, or on the server that the user named.
        self.confirm_warehouse(&uri).await;
        self.wait_until_prepared(&uri).await?;
        let open = self.ensure_open(&uri).await?;
        Ok(PreparedDatabase {
            warehouse: self.for_question(&open),
            budgeted: self.budgeted_access(&open),
            catalog: open.catalog(),
            standing: self.standing_definitions(&open).await?,
            metrics: self.metrics_for_questions(&uri).await?,
            allowed: self.allowed_in(&open).await?,
            profile: open.profile(),
            values: open.value_index(),
            embedder: self.load_embedder().await,
        })
    }

    /// Returns how each question gets a byte limit of its own, if the warehouse can be limited.
    fn budgeted_access(&self, open: &Arc<OpenWarehouse>) -> Option<BudgetedAccess> {
        let (app, open) = (self.clone(), Arc::clone(open));
        let limited = open.warehouse.metering().holds_limits();
        limited.then(|| -> BudgetedAccess { Arc::new(move || app.for_question(&open)) })
    }
}
