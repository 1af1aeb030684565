//! Processes of servers, and commands that prepare them.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Returns a port that is unused.
pub(crate) fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Waits until a program accepts connections.
///
/// # Panics
/// If it ends before, or takes longer than `seconds`.
pub(crate) fn await_port(process: &mut Child, port: u16, seconds: u64) {
    let began = Instant::now();
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        let ended = process.try_wait().unwrap();
        assert!(ended.is_none() && began.elapsed() < Duration::from_secs(seconds), "it does not start: {ended:?}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Returns true if the tests run as root, which several servers refuse.
pub(crate) fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Runs a command to its end.
///
/// # Panics
/// If it fails.
pub(crate) fn run_command(command: &mut Command) {
    let output = command.stderr(Stdio::piped()).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let printed = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&printed));
}
