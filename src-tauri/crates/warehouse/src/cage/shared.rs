//! The engine process that all requests to a database share, and its successor.

use super::process::Process;
use crate::WarehouseError;
use std::sync::Arc;
use tokio::sync::Mutex;
use tokio_util::sync::{CancellationToken, DropGuard};

/// At most one process that has the database open. A successor's start goes on where whoever needed it stopped waiting: whoever
/// asks next finds it open, or on its way.
pub(super) struct Shared {
    process: Arc<Mutex<Option<Arc<Process>>>>,
    /// Cancelled once, when the database is closed.
    pub closed: CancellationToken,
    /// Cancelled with it, and when nobody has the database any more: a start that goes on by itself ends then.
    starting: CancellationToken,
    _gone: DropGuard,
}

impl Default for Shared {
    fn default() -> Self {
        let closed = CancellationToken::new();
        let starting = closed.child_token();
        Self { process: Arc::default(), closed, _gone: starting.clone().drop_guard(), starting }
    }
}

impl Shared {
    /// Has the first process. Dropping the future ends its start.
    pub async fn start_first(
        &self,
        start: impl Future<Output = Result<Arc<Process>, WarehouseError>>,
    ) -> Result<(), WarehouseError> {
        *self.process.lock().await = Some(start.await?);
        Ok(())
    }

    /// The process, started anew where there is none.
    pub async fn get_or_start(
        &self,
        start: impl Future<Output = Result<Arc<Process>, WarehouseError>> + Send + 'static,
    ) -> Result<Arc<Process>, WarehouseError> {
        let closed = || WarehouseError::query("the connection to this database was closed");
        let mut held = tokio::select! {
            held = self.process.clone().lock_owned() => held,
            () = self.closed.cancelled() => return Err(closed()),
        };
        if self.closed.is_cancelled() {
            return Err(closed());
        }
        if let Some(process) = held.as_ref().filter(|process| process.accepts_requests()) {
            return Ok(process.clone());
        }
        let ending = self.starting.clone();
        let started = tokio::spawn(async move {
            tokio::select! {
                started = start => Ok(held.insert(started?).clone()),
                () = ending.cancelled() => Err(WarehouseError::Cancelled),
            }
        });
        match started.await {
            Err(_) | Ok(Err(WarehouseError::Cancelled)) => Err(closed()),
            Ok(started) => started,
        }
    }

    /// The process as it is now, if there is one.
    pub async fn current_process(&self) -> Option<Arc<Process>> {
        self.process.lock().await.clone()
    }

    /// Lets go of the process where `outdated` says so.
    pub async fn forget_if(&self, outdated: impl FnOnce(&Arc<Process>) -> bool) {
        self.process.lock().await.take_if(|process| outdated(process));
    }

    /// Ends the process, for good.
    pub async fn close(&self) {
        self.closed.cancel();
        if let Some(process) = self.process.lock().await.take() {
            process.kill();
        }
    }
}
