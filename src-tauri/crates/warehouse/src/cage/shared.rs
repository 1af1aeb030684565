//! The engine process that all requests to a database share, and its replacement.

use super::process::Process;
use crate::WarehouseError;
use std::sync::Arc;
use tokio::sync::Mutex;
use tokio_util::sync::{CancellationToken, DropGuard};

/// Holds at most one process that has the database open. The start of a replacement continues if its caller stops
/// waiting, so that the next caller can use it.
pub(super) struct Shared {
    process: Arc<Mutex<Option<Arc<Process>>>>,
    /// Cancelled once the database is closed.
    pub closed: CancellationToken,
    /// Cancelled together with `closed` and when `Shared` is dropped; stops a start without a waiting caller.
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
    /// Starts the first process. Dropping the future stops the start.
    pub async fn start_first(
        &self,
        start: impl Future<Output = Result<Arc<Process>, WarehouseError>>,
    ) -> Result<(), WarehouseError> {
        *self.process.lock().await = Some(start.await?);
        Ok(())
    }

    /// Returns the process; starts a new one if there is none.
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

    /// Returns the current process, if any.
    pub async fn current_process(&self) -> Option<Arc<Process>> {
        self.process.lock().await.clone()
    }

    /// Releases the process if `outdated` returns true.
    pub async fn forget_if(&self, outdated: impl FnOnce(&Arc<Process>) -> bool) {
        self.process.lock().await.take_if(|process| outdated(process));
    }

    /// Ends the process; no replacement is started.
    pub async fn close(&self) {
        self.closed.cancel();
        if let Some(process) = self.process.lock().await.take() {
            process.kill();
        }
    }
}
