//! Prefill: lets the model read the schema while the user still types. Reading it is the slowest part of a first
//! question.

use crate::app::App;
use crate::state::work::on_own_thread;
use vitrine_domain::AppError;

impl App {
    /// Has the default model read a warehouse's schema in the background. It only saves time: failures are not
    /// reported.
    pub async fn warm(&self, uri: String) -> Result<(), AppError> {
        let settings = self.settings().await?;
        let (Ok(model), Ok(open)) = (self.chat_model(&settings.default_model).await, self.opened(&uri).await) else {
            return Ok(());
        };
        let cancel = self.inner.ending.child_token();
        if !self.inner.prefills.begin((open.uri.clone(), settings.default_model), cancel.clone()) {
            return Ok(());
        }
        let patience = self.inner.options.patience;
        on_own_thread(move || async move {
            open.wait(patience, &cancel).await;
            let (catalog, profile) = (open.catalog(), open.profile());
            let read = vitrine_agents::prefill(&catalog, &profile, model.as_ref(), None, cancel).await;
            if let Err(error) = read {
                tracing::debug!(%error, "the schema was not read ahead");
            }
        });
        Ok(())
    }
}
