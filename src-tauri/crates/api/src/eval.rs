//! Measuring: the program's own way of making databases ready, lent to the evaluation.

use crate::app::App;
use futures::FutureExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, AskSettings};
use vitrine_eval::{Lab, Prepared};

pub use vitrine_eval::report::{NamedRun, markdown};
pub use vitrine_eval::run::read_results;
pub use vitrine_eval::{EvalOptions, Outcome, Pack};

impl App {
    /// Works through a pack of questions; `on_outcome` hears of each one with (done, total). A run that was stopped goes
    /// on where it ended.
    pub async fn evaluate(
        &self,
        pack: &Pack,
        mut options: EvalOptions,
        cancel: CancellationToken,
        on_outcome: impl FnMut(&Outcome, usize, usize),
    ) -> Result<Vec<Outcome>, AppError> {
        options.settings = self.complete(options.settings).await?;
        let lab = self.lab(&options.settings).await?;
        vitrine_eval::run_pack(pack, &lab, &options, cancel, on_outcome).await
    }

    async fn lab(&self, settings: &AskSettings) -> Result<Lab, AppError> {
        let began = Instant::now();
        let app = self.clone();
        Ok(Lab {
            prepare: Box::new(move |database: PathBuf| {
                let app = app.clone();
                async move { app.prepared_for_eval(format!("sqlite:{}", database.display())).await }.boxed()
            }),
            clock: Arc::new(move || began.elapsed().as_millis() as u64),
            models: self.models_for(settings).await?,
        })
    }

    async fn prepared_for_eval(&self, uri: String) -> Result<Prepared, AppError> {
        self.prepared(&uri).await?;
        let open = self.opened(&uri).await?;
        Ok(Prepared {
            warehouse: Arc::clone(&open.warehouse),
            catalog: Arc::clone(&open.catalog),
            profile: open.profile(),
            values: open.values(),
            embedder: self.embedder().await,
        })
    }
}
