//! Prefills: schemas that a model processes before a question.

use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

/// The running or most recent prefill.
#[derive(Default)]
pub(crate) struct Prefills(Mutex<Option<Prefill>>);

struct Prefill {
    /// Address of the warehouse and id of the model.
    of: (String, String),
    cancel: CancellationToken,
}

impl Prefills {
    /// Registers a prefill and cancels the previous one; returns false if the previous one was for the same warehouse and model.
    pub(crate) fn begin_prefill(&self, of: (String, String), cancel: CancellationToken) -> bool {
        let mut last = self.0.lock();
        if last.as_ref().is_some_and(|prefill| prefill.of == of) {
            return false;
        }
        if let Some(other) = last.replace(Prefill { of, cancel }) {
            other.cancel.cancel();
        }
        true
    }

    /// Cancels a prefill that is not for this warehouse and model, and forgets the last one, so that any prefill can start again.
    pub(crate) fn make_way(&self, uri: &str, model: &str) {
        let mut last = self.0.lock();
        if let Some(prefill) = last.take()
            && (prefill.of.0 != uri || prefill.of.1 != model)
        {
            prefill.cancel.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_schema_is_read_once_and_makes_way_for_another() {
        let prefills = Prefills::default();
        let of = |uri: &str| (uri.to_owned(), "m".to_owned());
        let (first, second) = (CancellationToken::new(), CancellationToken::new());
        assert!(prefills.begin_prefill(of("a"), first.clone()));
        assert!(!prefills.begin_prefill(of("a"), CancellationToken::new()), "it is read already");
        assert!(prefills.begin_prefill(of("b"), second.clone()));
        assert!(first.is_cancelled());
        prefills.make_way("b", "m");
        assert!(!second.is_cancelled(), "a question to the same data waits for it: it saves the time twice");
        assert!(prefills.begin_prefill(of("b"), second.clone()));
        prefills.make_way("c", "m");
        assert!(second.is_cancelled());
    }
}
