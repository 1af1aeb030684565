//! Ctrl-C: the first one stops the work cleanly, a second one ends the program.

use crate::end::End;
use std::future::Future;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

/// One press of Ctrl-C may arrive twice: from the terminal, and passed on by a program in between.
const SAME_PRESS: Duration = Duration::from_secs(1);

/// Listens for the wish to stop.
pub(crate) struct Stop(CancellationToken);

impl Stop {
    /// Begins to listen.
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

    /// Lets go of the work when the person wants to stop.
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
