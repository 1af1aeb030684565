//! The user who looks on while a question is worked on.

use async_trait::async_trait;
use tokio::sync::oneshot;
use vitrine_domain::Reading;
use vitrine_sql::ReadOnlySql;

/// A user who can say which interpretation of a question is meant.
#[async_trait]
pub trait UserClarifier: Send + Sync {
    /// The candidate of the chosen interpretation; `None` leaves the choice to the method. May take any time.
    async fn choose_reading(&self, readings: &[Reading]) -> Option<u32>;
}

/// A user who can say whether to keep looking once there is something to show.
#[async_trait]
pub trait Onlooker: Send + Sync {
    /// Whether to keep looking, without a limit of time; else the best so far is the answer. Returns when the user says so,
    /// before or after the best so far was shown.
    async fn keep_looking(&self) -> bool;
}

/// A user who approves SQL for a connection that runs no other.
pub trait QueryApprover: Send + Sync {
    /// Whether exactly this text may run. The question stands when this returns, so that an answer may follow at once; the answer is
    /// kept where the connection looks it up before it is received. May take any time.
    fn request_approval(&self, sql: &ReadOnlySql, sql_sha256: &str) -> oneshot::Receiver<bool>;
}
