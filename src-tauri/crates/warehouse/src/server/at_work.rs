//! A session that a server works for: whoever gives it up has the server told to stop.

use crate::WarehouseError;
use std::future::Future;
use std::sync::Arc;
use tokio::runtime::Handle;

/// Connections whose server can be told to stop.
pub(crate) trait Stops: Send + Sync + 'static {
    /// One of them.
    type Session: Send + 'static;

    /// Has the server stop what it does for a session, which is not used again.
    fn stop_session(&self, session: Self::Session) -> impl Future<Output = ()> + Send;
}

/// A session at work. Dropped before it is done, it is stopped in the background: nobody waits for that.
pub(crate) struct AtWork<P: Stops> {
    pool: Arc<P>,
    session: Option<P::Session>,
}

impl<P: Stops> AtWork<P> {
    pub(crate) fn new(pool: &Arc<P>, session: P::Session) -> Self {
        Self { pool: pool.clone(), session: Some(session) }
    }

    /// The session.
    pub(crate) fn session(&mut self) -> Result<&mut P::Session, WarehouseError> {
        self.session.as_mut().ok_or(WarehouseError::Cancelled)
    }

    /// The session, for which the server has nothing left to do.
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
