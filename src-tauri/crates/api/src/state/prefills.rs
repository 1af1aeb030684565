//! Prefills: schemas that a model reads ahead of a question.

use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

/// What is being read, or was read last.
#[derive(Default)]
pub(crate) struct Prefills(Mutex<Option<Prefill>>);

struct Prefill {
    /// Warehouse and model.
    of: (String, String),
    cancel: CancellationToken,
}

impl Prefills {
    /// Begins, unless the same was read last. What else was being read is given up.
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

    /// Gives up what is of no use for a question to this warehouse and model; from then on anything may be read again.
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
