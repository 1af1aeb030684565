//! The processes of the sandbox. The application starts its binary again as the *warden* of one run; the warden starts
//! the isolated *prisoner*, which becomes the interpreter. The warden stays outside the isolation, forwards the
//! prisoner's output, and kills it when it exceeds a limit or when the application ends.

#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod landlock;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg(target_os = "linux")]
mod prisoner;
#[cfg(target_os = "linux")]
mod rights;
#[cfg(target_os = "linux")]
mod system;
#[cfg(target_os = "linux")]
mod warden;
#[cfg(target_os = "linux")]
mod watch;

use crate::protocol::JAIL_ARGUMENT;

/// Serves the parent and never returns if this process was started as a warden. Must be called first in `main`, before
/// any thread starts.
pub fn run_jail_if_asked() {
    if std::env::args_os().nth(1).is_some_and(|argument| argument == JAIL_ARGUMENT) {
        run_jail();
    }
}

/// Reads one order from standard input, executes it, reports on standard output, and exits.
pub fn run_jail() -> ! {
    #[cfg(target_os = "linux")]
    warden::execute_order();
    #[cfg(not(target_os = "linux"))]
    std::process::exit(2)
}
