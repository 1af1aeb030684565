//! A part of some questions, as a figure.

use serde::Serialize;

/// A part of some questions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Share {
    /// How many.
    pub count: usize,
    /// Of how many.
    pub of: usize,
    /// The quotient, 0 to 1.
    pub share: f64,
}

impl Share {
    pub(super) fn new(count: usize, of: usize) -> Self {
        Self { count, of, share: count as f64 / of.max(1) as f64 }
    }

    /// In points of 100.
    pub fn percent(self) -> f64 {
        100.0 * self.share
    }
}
