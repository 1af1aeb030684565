//! State of a warehouse's preparation in the background: started once, can be paused and resumed.

use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::watch;

/// Flags that show if the preparation is started and if it is paused.
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
    /// Marks the preparation as started; returns true for the first caller only.
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
