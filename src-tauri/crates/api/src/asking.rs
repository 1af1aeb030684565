//! Stopping SQL requests before their answer arrives.

use crate::app::App;
use crate::types::AskedFor;
use std::pin::pin;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::AppError;
use vitrine_warehouse::WarehouseError;

/// Time that a stopped request has to end, during which it tells the server to stop. After that it is dropped.
const GRACE: Duration = Duration::from_secs(2);

impl App {
    /// Stops a request to a warehouse with this SQL text that has no answer yet, for all its callers; their commands fail with `cancelled`.
    /// Results that are already open are not affected: they are stopped by their id.
    pub async fn stop_asking(&self, what: AskedFor, warehouse: String, sql: String) -> Result<(), AppError> {
        self.inner.warehouses.query_waits().stop_waiting(&wait_key(what, &warehouse, &sql));
        Ok(())
    }

    /// Runs the work of a request until the user stops it. `work` gets a token that is cancelled then and when the program ends.
    pub(crate) async fn until_stopped<T, F: Future<Output = Result<T, AppError>>>(
        &self,
        (what, warehouse, sql): (AskedFor, &str, &str),
        work: impl FnOnce(CancellationToken) -> F,
    ) -> Result<T, AppError> {
        let waiting = self.inner.warehouses.query_waits().begin_wait(&wait_key(what, warehouse, sql));
        let cancel = self.inner.ending.child_token();
        // If the caller drops the future, the work stops as well.
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
        // An open result continues to read.
        stops.disarm();
        done
    }
}

fn wait_key(what: AskedFor, warehouse: &str, sql: &str) -> String {
    format!("{what:?} {warehouse}\n{sql}")
}
