//! A session whose work on the server is stopped if the session is dropped before the end.

use crate::WarehouseError;
use std::future::Future;
use std::sync::Arc;
use tokio::runtime::Handle;

/// A pool of connections that can stop the work of a session on the server.
pub(crate) trait Stops: Send + Sync + 'static {
    /// A session of the pool.
    type Session: Send + 'static;

    /// Stops the work of a session on the server. The session is not used again.
    fn stop_session(&self, session: Self::Session) -> impl Future<Output = ()> + Send;
}

/// A session in use. If it is dropped before the work is done, the work is stopped in the background, so that the
/// caller does not wait.
pub(crate) struct AtWork<P: Stops> {
    pool: Arc<P>,
    session: Option<P::Session>,
}

impl<P: Stops> AtWork<P> {
    pub(crate) fn new(pool: &Arc<P>, session: P::Session) -> Self {
        Self { pool: pool.clone(), session: Some(session) }
    }

    /// Returns the session for its work.
    pub(crate) fn session(&mut self) -> Result<&mut P::Session, WarehouseError> {
        self.session.as_mut().ok_or(WarehouseError::Cancelled)
    }

    /// Returns the session after the server has finished its work.
    pub(crate) fn into_session(mut self) -> Result<P::Session, WarehouseError> {
        self.session.take().ok_or(WarehouseError::Cancelled)
    }
}

impl<P: Stops> Drop for AtWork<P> {
    fn drop(&mut self) {
        if let (Some(session), Ok(runtime)) = (self.session.take(), Handle::try_current()) {
            let pool = self.pool.clone();
            runtime.spawn(async move { pool.stop_session(session).await });
        }
    }
}
