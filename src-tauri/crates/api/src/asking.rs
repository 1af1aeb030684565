//! Stopping what was asked by SQL before its answer came.

use crate::app::App;
use crate::types::AskedFor;
use std::pin::pin;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::AppError;
use vitrine_warehouse::WarehouseError;

/// How long what was stopped may take to end by itself, as it tells the server. After that it is dropped.
const GRACE: Duration = Duration::from_secs(2);

impl App {
    /// Stops what was asked of a warehouse by this text and has no answer yet, for everybody who waits for it; its command fails with
    /// `cancelled`. What has come stays: the rows of an open result are stopped by its id.
    pub async fn stop_asking(&self, what: AskedFor, warehouse: String, sql: String) -> Result<(), AppError> {
        self.inner.warehouses.query_waits().stop_waiting(&wait_key(what, &warehouse, &sql));
        Ok(())
    }

    /// Does what was asked by a text, until the user stops that. `work` gets a token that is cancelled then, and when the program
    /// ends.
    pub(crate) async fn until_stopped<T, F: Future<Output = Result<T, AppError>>>(
        &self,
        (what, warehouse, sql): (AskedFor, &str, &str),
        work: impl FnOnce(CancellationToken) -> F,
    ) -> Result<T, AppError> {
        let waiting = self.inner.warehouses.query_waits().begin_wait(&wait_key(what, warehouse, sql));
        let cancel = self.inner.ending.child_token();
        // Whoever stops waiting for it stops the work, too.
        let stops = cancel.clone().drop_guard();
        let mut work = pin!(work(cancel));
        let done = tokio::select! {
            done = &mut work => done,
            () = waiting.stop.cancelled() => {
                drop(stops);
                let _ = tokio::time::timeout(GRACE, work).await;
                return Err(WarehouseError::Cancelled.into());
            }
        };
        // A result that is open reads on.
        stops.disarm();
        done
    }
}

fn wait_key(what: AskedFor, warehouse: &str, sql: &str) -> String {
    format!("{what:?} {warehouse}\n{sql}")
}
