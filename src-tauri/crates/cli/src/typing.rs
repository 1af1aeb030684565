//! Waits for a line typed at the terminal.

use std::io::Write;
use tokio::sync::oneshot;

/// Reads on a separate thread because reading cannot be interrupted: the program must be able to end meanwhile.
pub(crate) fn read_on_thread<T: Send + 'static>(read: impl FnOnce() -> T + Send + 'static) -> oneshot::Receiver<T> {
    let (sender, receiver) = oneshot::channel();
    std::thread::spawn(move || drop(sender.send(read())));
    receiver
}

/// Prints a prompt on the line of the answer.
pub(crate) fn print_prompt(text: &str) {
    eprint!("{text}");
    let _ = std::io::stderr().flush();
}
