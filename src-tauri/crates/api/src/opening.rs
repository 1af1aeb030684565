//! Stopping what opens a warehouse: a host that does not answer, a sign-in, a catalog that takes long.

use crate::app::App;
use std::future::Future;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

impl App {
    /// Stops the opening of an address, for everybody who waits for it: connections are cut off, and what a server or an engine
    /// has begun for it is told to stop. What is open already stays open.
    pub async fn stop_opening(&self, uri: String) -> Result<(), AppError> {
        self.inner.warehouses.opening_waits().stop_waiting(&uri);
        Ok(())
    }

    /// Does something that may wait for a warehouse to open, until the user stops that. What was stopped is dropped: connections
    /// end with it, and a query at work is stopped where it runs.
    pub(crate) async fn run_stoppable<T>(
        &self,
        uri: &str,
        work: impl Future<Output = Result<T, AppError>>,
    ) -> Result<T, AppError> {
        let opening = self.inner.warehouses.opening_waits().begin_wait(uri);
        tokio::select! {
            biased;
            () = opening.stop.cancelled() => Err(AppError::new(ErrorCode::Cancelled, tr!("Opening was stopped"))),
            // Boxed: whoever opens a warehouse has a deep stack already.
            done = Box::pin(work) => done,
        }
    }
}
