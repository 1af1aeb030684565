//! Reading the schema while the person still types: reading it takes longer than anything else of a first question.

use crate::app::App;
use crate::state::work::on_own_thread;
use vitrine_domain::AppError;

impl App {
    /// Has the default model read a warehouse's schema in the background. Of no consequence but for time: nothing is told
    /// when it cannot be done.
    pub async fn warm(&self, uri: String) -> Result<(), AppError> {
        let settings = self.settings().await?;
        let (Ok(model), Ok(open)) = (self.chat_model(&settings.default_model).await, self.opened(&uri).await) else {
            return Ok(());
        };
        let cancel = self.inner.ending.child_token();
        if !self.inner.warming.begin((open.uri.clone(), settings.default_model), cancel.clone()) {
            return Ok(());
        }
        let patience = self.inner.options.patience;
        on_own_thread(move || async move {
            open.wait(patience, &cancel).await;
            let (catalog, profile) = (open.catalog(), open.profile());
            let read = vitrine_agents::warm(&catalog, &profile, model.as_ref(), None, cancel).await;
            if let Err(error) = read {
                tracing::debug!(%error, "the schema was not read ahead");
            }
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_schema_is_read_once_and_makes_way_for_another() {
        let warming = Warming::default();
        let of = |uri: &str| (uri.to_owned(), "m".to_owned());
        let (first, second) = (CancellationToken::new(), CancellationToken::new());
        assert!(warming.begin(of("a"), first.clone()));
        assert!(!warming.begin(of("a"), CancellationToken::new()), "it is read already");
        assert!(warming.begin(of("b"), second.clone()));
        assert!(first.is_cancelled());
        warming.make_way("b", "m");
        assert!(!second.is_cancelled(), "a question to the same data waits for it: it saves the time twice");
        assert!(warming.begin(of("b"), second.clone()));
        warming.make_way("c", "m");
        assert!(second.is_cancelled());
    }
}
