//! Waits that can be stopped by name: opening warehouses and queries.

use parking_lot::Mutex;
use std::collections::HashMap;
use tokio_util::sync::CancellationToken;

/// Cancellation token and number of waiting callers, by name, such as an address.
#[derive(Default)]
pub(crate) struct Waits(Mutex<HashMap<String, (CancellationToken, usize)>>);

/// A registered wait, removed on drop.
pub(crate) struct Wait<'a> {
    waits: &'a Waits,
    name: String,
    /// Cancelled when the user stops the wait.
    pub(crate) stop: CancellationToken,
}

impl Waits {
    /// Registers a waiting caller until the returned value is dropped.
    pub(crate) fn begin_wait(&self, name: &str) -> Wait<'_> {
        let name = name.trim().to_owned();
        let stop = {
            let mut waiting = self.0.lock();
            let (stop, count) = waiting.entry(name.clone()).or_default();
            *count += 1;
            stop.clone()
        };
        Wait { waits: self, name, stop }
    }

    /// Stops all callers that wait for this name. Later callers start a new wait.
    pub(crate) fn stop_waiting(&self, name: &str) {
        if let Some((stop, _)) = self.0.lock().remove(name.trim()) {
            stop.cancel();
        }
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        let mut waiting = self.waits.0.lock();
        // The entry of a stopped wait is already removed, or belongs to later callers.
        if self.stop.is_cancelled() {
            return;
        }
        if let Some((_, count)) = waiting.get_mut(&self.name) {
            *count -= 1;
            if *count == 0 {
                waiting.remove(&self.name);
            }
        }
    }
}
