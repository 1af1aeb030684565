//! Ctrl-C: the first press stops the work cleanly, a second one ends the program.

use crate::end::End;
use std::future::Future;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

/// Interval within which two signals are one press: the terminal and a parent program may both send it.
const SAME_PRESS: Duration = Duration::from_secs(1);

/// Cancels the work on a signal.
pub(crate) struct Stop(CancellationToken);

impl Stop {
    /// Starts to listen for signals.
    pub(crate) fn listen_for_signals() -> Self {
        let token = CancellationToken::new();
        let stop = token.clone();
        tokio::spawn(async move {
            let mut first = None;
            loop {
                wait_for_signal().await;
                match first {
                    None => {
                        first = Some(Instant::now());
                        stop.cancel();
                    }
                    Some(at) if at.elapsed() < SAME_PRESS => {}
                    Some(_) => std::process::exit(130),
                }
            }
        });
        Self(token)
    }

    pub(crate) fn token(&self) -> CancellationToken {
        self.0.clone()
    }

    /// Drops the work when the user stops the program.
    pub(crate) async fn or_cancelled(&self, work: impl Future<Output = Result<(), End>>) -> Result<(), End> {
        tokio::select! {
            done = work => done,
            () = self.0.cancelled() => Err(AppError::new(ErrorCode::Cancelled, tr!("Stopped")).into()),
        }
    }
}

async fn wait_for_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut interrupt), Ok(mut terminate)) =
            (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
        {
            tokio::select! { _ = interrupt.recv() => {}, _ = terminate.recv() => {} }
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
