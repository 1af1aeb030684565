//! The user who looks on while a question is worked on.

use async_trait::async_trait;
use vitrine_domain::Reading;

/// A user who can say which interpretation of a question is meant.
#[async_trait]
pub trait UserClarifier: Send + Sync {
    /// The candidate of the chosen interpretation; `None` leaves the choice to the method. May take any time.
    async fn choose(&self, readings: &[Reading]) -> Option<u32>;
}

/// A user who can say whether to keep looking once there is something to show.
#[async_trait]
pub trait Onlooker: Send + Sync {
    /// Whether to keep looking, without a limit of time; else the best so far is the answer. Returns when the user says so,
    /// before or after the best so far was shown.
    async fn keep_looking(&self) -> bool;
}
