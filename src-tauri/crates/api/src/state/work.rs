//! Execution of blocking work, and generation of ids and times.

use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

/// Runs a blocking function; a panic in it becomes an error.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, AppError> + Send + 'static,
) -> Result<T, AppError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(panic_error(&error)))
}

/// Drives a future on a separate thread, for work that sometimes blocks, such as a run that stores its events, so that it does not block
/// the shared threads.
pub(crate) fn on_own_thread<F, T>(work: impl FnOnce() -> F + Send + 'static) -> tokio::task::JoinHandle<T>
where
    F: Future<Output = T>,
    T: Send + 'static,
{
    let runtime = tokio::runtime::Handle::current();
    tokio::task::spawn_blocking(move || runtime.block_on(work()))
}

/// Creates the error for a part of the program that panicked.
pub(crate) fn panic_error(cause: &dyn std::fmt::Display) -> AppError {
    AppError::new(ErrorCode::Internal, tr!("An internal error occurred in Vitrine"))
        .with_hint(tr!("Try again; if it happens again, report it with the run's log"))
        .with_detail(cause)
}

/// Returns the current time in the format of all stored times.
pub(crate) fn current_timestamp() -> String {
    chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}

/// Creates an id for a run, a job, a result or a saved question; later ids sort after earlier ones.
pub(crate) fn new_id() -> String {
    uuid::Uuid::now_v7().to_string()
}
