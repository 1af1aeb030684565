//! The user's choice between interpretations.

use async_trait::async_trait;
use vitrine_domain::Reading;

/// A user who can say which interpretation of a question is meant.
#[async_trait]
pub trait UserClarifier: Send + Sync {
    /// The candidate of the chosen interpretation; `None` leaves the choice to the method. May take any time.
    async fn choose(&self, readings: &[Reading]) -> Option<u32>;
}
