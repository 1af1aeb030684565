//! Somebody who can say what a question means.

use async_trait::async_trait;
use vitrine_domain::Reading;

/// Somebody who can say which reading of a question is meant.
#[async_trait]
pub trait UserClarifier: Send + Sync {
    /// The candidate of the reading that is meant; `None` hands the choice back. May take as long as it likes.
    async fn choose(&self, readings: &[Reading]) -> Option<u32>;
}
