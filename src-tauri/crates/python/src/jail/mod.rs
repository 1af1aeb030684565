//! The sandbox's own processes. The application starts its binary again as the *warden* of one run; the warden starts
//! the *prisoner* inside the walls, which turns into the interpreter. The warden keeps outside, passes on what the
//! prisoner prints, and ends it when a limit is passed or when the application goes.

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

/// Call this first in `main`, before any thread is started: when this process was started as the warden of a run, it
/// serves its parent and never returns.
pub fn run_jail_if_asked() {
    if std::env::args_os().nth(1).is_some_and(|argument| argument == JAIL_ARGUMENT) {
        run_jail();
    }
}

/// Takes one order from standard input, carries it out, reports on standard output, and ends.
pub fn run_jail() -> ! {
    #[cfg(target_os = "linux")]
    warden::serve();
    #[cfg(not(target_os = "linux"))]
    std::process::exit(2)
}
