//! Stopping the opening of a warehouse, such as an unresponsive host, a sign-in or a slow catalog.

use crate::app::App;
use std::future::Future;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

impl App {
    /// Stops the opening of an address for all its callers: connections are closed, and queries that were started for it are stopped on the
    /// server or in the engine. An open warehouse is not affected.
    pub async fn stop_opening(&self, uri: String) -> Result<(), AppError> {
        self.inner.warehouses.opening_waits().stop_waiting(&uri);
        Ok(())
    }

    /// Runs work that may wait for a warehouse to open, until the user stops it. Stopped work is dropped, which closes its connections and
    /// stops its running query.
    pub(crate) async fn run_stoppable<T>(
        &self,
        uri: &str,
        work: impl Future<Output = Result<T, AppError>>,
    ) -> Result<T, AppError> {
        let opening = self.inner.warehouses.opening_waits().begin_wait(uri);
        tokio::select! {
            biased;
            () = opening.stop.cancelled() => Err(AppError::new(ErrorCode::Cancelled, tr!("Opening was stopped"))),
            // Boxed, because callers already have a deep stack.
            done = Box::pin(work) => done,
        }
    }
}
