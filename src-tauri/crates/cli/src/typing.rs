//! Waiting for a line typed at the terminal.

use std::io::Write;
use tokio::sync::oneshot;

/// Reads on a thread of its own, because nothing can stop it while it reads: the program must be able to end without it.
pub(crate) fn read_on_thread<T: Send + 'static>(read: impl FnOnce() -> T + Send + 'static) -> oneshot::Receiver<T> {
    let (sender, receiver) = oneshot::channel();
    std::thread::spawn(move || drop(sender.send(read())));
    receiver
}

/// Asks, on the line where the answer will be.
pub(crate) fn print_prompt(text: &str) {
    eprint!("{text}");
    let _ = std::io::stderr().flush();
}
