//! Blocking work of async functions.

use vitrine_warehouse::WarehouseError;

/// Runs blocking work outside the async threads.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, WarehouseError> + Send + 'static,
) -> Result<T, WarehouseError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|failed| Err(WarehouseError::query(format!("writing rows stopped unexpectedly: {failed}"))))
}
