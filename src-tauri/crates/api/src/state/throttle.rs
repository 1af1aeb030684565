//! Limits how often progress is reported.

use parking_lot::Mutex;
use std::time::{Duration, Instant};

/// Minimum interval between two reports.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// Limits reports to one per interval.
#[derive(Default)]
pub(crate) struct Throttle(Mutex<Option<Instant>>);

impl Throttle {
    pub(crate) fn is_due(&self) -> bool {
        let mut last = self.0.lock();
        let due = last.is_none_or(|at| at.elapsed() >= TELL_EVERY);
        if due {
            *last = Some(Instant::now());
        }
        due
    }
}
