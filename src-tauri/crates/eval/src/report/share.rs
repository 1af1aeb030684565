//! A share of a number of questions.

use serde::Serialize;

/// A share of a number of questions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Share {
    /// The number of questions that have the property.
    pub count: usize,
    /// The number of all questions.
    pub of: usize,
    /// The quotient, from 0 to 1.
    pub share: f64,
}

impl Share {
    pub(super) fn new(count: usize, of: usize) -> Self {
        Self { count, of, share: count as f64 / of.max(1) as f64 }
    }

    /// Returns the share in percent.
    pub fn percent(self) -> f64 {
        100.0 * self.share
    }
}
