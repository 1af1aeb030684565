//! Reading the schema while the person still types: reading it takes longer than anything else of a first question.

use crate::app::{App, on_own_thread};
use std::sync::{Mutex, PoisonError};
use tokio_util::sync::CancellationToken;
use vitrine_domain::AppError;

/// What is being read, or was read last.
#[derive(Default)]
pub(crate) struct Prefills(Mutex<Option<Reading>>);

struct Reading {
    /// Warehouse and model.
    of: (String, String),
    cancel: CancellationToken,
}

impl Prefills {
    /// Begins, unless the same was read last. What else was being read is given up.
    fn begin(&self, of: (String, String), cancel: CancellationToken) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_ref().is_some_and(|reading| reading.of == of) {
            return false;
        }
        if let Some(other) = last.replace(Reading { of, cancel }) {
            other.cancel.cancel();
        }
        true
    }

    /// Gives up what is of no use for a question to this warehouse and model; from then on anything may be read again.
    pub(crate) fn make_way(&self, uri: &str, model: &str) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reading) = last.take()
            && (reading.of.0 != uri || reading.of.1 != model)
        {
            reading.cancel.cancel();
        }
    }
}

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
            let read = vitrine_agents::prefill(&catalog, &profile, model.as_ref(), None, cancel).await;
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
        let warming = Prefills::default();
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
