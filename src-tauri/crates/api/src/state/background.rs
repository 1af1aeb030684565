//! The reading of a warehouse in the background: begun once, held and let go on.

use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::watch;

/// Whether the reading was begun, and whether it is held.
pub(crate) struct Background {
    begun: AtomicBool,
    held: watch::Sender<bool>,
}

impl Default for Background {
    fn default() -> Self {
        Self { begun: AtomicBool::new(false), held: watch::channel(false).0 }
    }
}

impl Background {
    /// Whether the caller is the one who begins it.
    pub(crate) fn try_begin(&self) -> bool {
        !self.begun.swap(true, Ordering::AcqRel)
    }

    pub(crate) fn is_begun(&self) -> bool {
        self.begun.load(Ordering::Acquire)
    }

    pub(crate) fn set_held(&self, held: bool) {
        self.held.send_replace(held);
    }

    pub(crate) fn is_held(&self) -> bool {
        *self.held.borrow()
    }

    pub(crate) fn watch_held(&self) -> watch::Receiver<bool> {
        self.held.subscribe()
    }
}
