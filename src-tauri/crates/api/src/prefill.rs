//! Prefill: the model processes the schema while the user still types, because this is the slowest part of a first question.

use crate::app::App;
use crate::state::work::on_own_thread;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

impl App {
    /// Reads a warehouse's profile in the background and lets the default model process its schema; called while a question is being
    /// written. Servers are not read before the question is asked, because that costs time or money. Failures are not reported, because the
    /// prefill only saves time.
    pub async fn warm(&self, uri: String) -> Result<(), AppError> {
        let Ok(open) = self.ensure_open(&uri).await else { return Ok(()) };
        if open.read_ahead && open.path.is_some() {
            self.begin_preparation(&open);
        }
        // Without the profile, the text of the schema would differ from the question's.
        if open.background.is_begun() || open.readiness.borrow().profiled {
            drop(self.start_prefill(&uri).await);
        }
        Ok(())
    }

    /// Profiles a warehouse, indexes its values and lets the default model process its schema; waits until all is done.
    ///
    /// # Errors
    /// When the warehouse cannot be opened or read. A failed prefill is not an error, because it only costs time later.
    pub async fn make_ready(&self, uri: &str) -> Result<(), AppError> {
        self.wait_until_prepared(uri).await?;
        if let Some(reading) = self.start_prefill(uri).await? {
            reading
                .await
                .map_err(|error| AppError::new(ErrorCode::Internal, tr!("The preparation broke")).with_detail(error))?;
        }
        Ok(())
    }

    /// Starts the prefill; returns `None` if there is nothing to process or a prefill is already running.
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
