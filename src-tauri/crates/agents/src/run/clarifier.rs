//! The user who watches a run.

use async_trait::async_trait;
use tokio::sync::oneshot;
use vitrine_domain::Reading;
use vitrine_sql::ReadOnlySql;

/// A user who can choose the interpretation of a question.
#[async_trait]
pub trait UserClarifier: Send + Sync {
    /// Returns the candidate of the chosen interpretation; `None` leaves the choice to the method. Has no time limit.
    async fn choose_reading(&self, readings: &[Reading]) -> Option<u32>;
}

/// A user who can continue the search after a first result.
#[async_trait]
pub trait Onlooker: Send + Sync {
    /// Returns true if the search should continue without a time limit, and false if the best answer so far is final. Returns when the user
    /// decides, before or after the best answer so far was shown.
    async fn keep_looking(&self) -> bool;
}

/// A user who approves SQL for a connection that requires approval.
pub trait QueryApprover: Send + Sync {
    /// Asks if exactly this text may run. The question is registered when this returns, so that an answer may follow immediately; the
    /// approval is stored where the connection looks it up before the answer is received. The answer has no time limit.
    fn request_approval(&self, sql: &ReadOnlySql, sql_sha256: &str) -> oneshot::Receiver<bool>;
}
