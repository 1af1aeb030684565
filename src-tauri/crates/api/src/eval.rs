//! Evaluation: implements the preparation of databases for the `eval` crate.

use crate::app::App;
use crate::state::work::run_blocking;
use futures::FutureExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Agent, AppError, AskSettings, ErrorCode};
use vitrine_eval::{EvalEnvironment, PreparedDatabase};
use vitrine_llm::cassette::Cassette;
use vitrine_warehouse::{OpenOptions, WarehouseUri};
use vitrine_words::tr;

pub use vitrine_eval::{
    AmbiguityMode, Calibrated, CertaintySummary, EvalOptions, EvalScope, GivenSchema, KnownFailures, Outcome, Pack,
    Progress, Report, Run, Sample, SelectionQuality, Share,
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
        let (app, here) = (self.clone(), self.clone());
        let models = self.models_for(settings).await?;
        let calibration = self.load_calibration(models.for_agent(Agent::Generator).id()).await?;
        Ok(EvalEnvironment {
            prepare: Box::new(move |address: String| {
                let app = app.clone();
                async move { app.prepared_for_eval(address).await }.boxed()
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
            catalog: open.catalog(),
            standing: self.standing_definitions(&open).await?,
            allowed: self.allowed_in(&open).await?,
            profile: open.profile(),
            values: open.value_index(),
            embedder: self.load_embedder().await,
        })
    }
}
