//! Prefill: lets the model read the schema while the user still types. Reading it is the slowest part of a first
//! question.

use crate::app::App;
use crate::state::work::on_own_thread;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

impl App {
    /// A question is being written: reads a warehouse's profile and has the default model read its schema, in the
    /// background. A server is not read before the question is asked, since that costs others time or money. This only
    /// saves time: failures are not reported.
    pub async fn warm(&self, uri: String) -> Result<(), AppError> {
        let Ok(open) = self.ensure_open(&uri).await else { return Ok(()) };
        if open.read_ahead && open.path.is_some() {
            self.begin_preparation(&open);
        }
        // Without the profile the schema would be read in other words than the question's.
        if open.background.is_begun() || open.readiness.borrow().profiled {
            drop(self.start_prefill(&uri).await);
        }
        Ok(())
    }

    /// Profiles a warehouse, indexes its values and has the default model read its schema; waits until all is done.
    ///
    /// # Errors
    /// When the warehouse cannot be opened or read. A schema that was not read costs time later, and is no error.
    pub async fn make_ready(&self, uri: &str) -> Result<(), AppError> {
        self.wait_until_prepared(uri).await?;
        if let Some(reading) = self.start_prefill(uri).await? {
            reading
                .await
                .map_err(|error| AppError::new(ErrorCode::Internal, tr!("The preparation broke")).with_detail(error))?;
        }
        Ok(())
    }

    /// The reading of the schema that was begun; `None` where there is nothing to read or it is being read.
    async fn start_prefill(&self, uri: &str) -> Result<Option<tokio::task::JoinHandle<()>>, AppError> {
        let settings = self.settings().await?;
        let open = self.ensure_open(uri).await?;
        let Ok(model) = self.chat_model(&settings.default_model).await else { return Ok(None) };
        let cancel = self.inner.ending.child_token();
        if !self.inner.prefills.begin_prefill((open.uri.clone(), settings.default_model), cancel.clone()) {
            return Ok(None);
        }
        let patience = self.inner.options.patience;
        let reading = on_own_thread(move || async move {
            open.wait_until_ready(patience, &cancel).await;
            let (catalog, profile) = (open.catalog(), open.profile());
            let read = vitrine_agents::prefill_schema(&catalog, &profile, model.as_ref(), None, cancel).await;
            if let Err(error) = read {
                tracing::debug!(%error, "the schema was not read ahead");
            }
        });
        Ok(Some(reading))
    }
}
