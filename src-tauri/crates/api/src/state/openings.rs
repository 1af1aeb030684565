//! What waits for a warehouse to open, and can be stopped.

use parking_lot::Mutex;
use std::collections::HashMap;
use tokio_util::sync::CancellationToken;

/// By address, as it was given: the token of those who wait, and how many they are.
#[derive(Default)]
pub(crate) struct Openings(Mutex<HashMap<String, (CancellationToken, usize)>>);

/// Somebody who waits for a warehouse to open.
pub(crate) struct Opening<'a> {
    openings: &'a Openings,
    address: String,
    /// Cancelled when the user stops it.
    pub(crate) stop: CancellationToken,
}

impl Openings {
    /// Notes that somebody waits for an address, until what it gives is dropped.
    pub(crate) fn begin(&self, address: &str) -> Opening<'_> {
        let address = address.trim().to_owned();
        let stop = {
            let mut waiting = self.0.lock();
            let (stop, count) = waiting.entry(address.clone()).or_default();
            *count += 1;
            stop.clone()
        };
        Opening { openings: self, address, stop }
    }

    /// Stops everybody who waits for an address. Who comes after that waits anew.
    pub(crate) fn stop(&self, address: &str) {
        if let Some((stop, _)) = self.0.lock().remove(address.trim()) {
            stop.cancel();
        }
    }
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        let mut waiting = self.openings.0.lock();
        // Of one that was stopped the entry is gone, or belongs to others already.
        if self.stop.is_cancelled() {
            return;
        }
        if let Some((_, count)) = waiting.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                waiting.remove(&self.address);
            }
        }
    }
}
