//! What is waited for and can be stopped by its name: warehouses that open, queries.

use parking_lot::Mutex;
use std::collections::HashMap;
use tokio_util::sync::CancellationToken;

/// By name, such as an address: the token of those who wait, and how many they are.
#[derive(Default)]
pub(crate) struct Waits(Mutex<HashMap<String, (CancellationToken, usize)>>);

/// Somebody who waits.
pub(crate) struct Wait<'a> {
    waits: &'a Waits,
    name: String,
    /// Cancelled when the user stops it.
    pub(crate) stop: CancellationToken,
}

impl Waits {
    /// Notes that somebody waits, until what it gives is dropped.
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

    /// Stops everybody who waits for it. Who comes after that waits anew.
    pub(crate) fn stop_waiting(&self, name: &str) {
        if let Some((stop, _)) = self.0.lock().remove(name.trim()) {
            stop.cancel();
        }
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        let mut waiting = self.waits.0.lock();
        // Of one that was stopped the entry is gone, or belongs to others already.
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
