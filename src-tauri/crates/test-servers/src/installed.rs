//! Paths of the programs that the set-up installs for tests.

use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

/// Returns the folder of an emulator, e.g. `bigquery`: named by its environment variable, otherwise in the cache;
/// `None` if it is not installed.
pub(crate) fn installed(name: &str) -> Option<PathBuf> {
    let named = std::env::var_os(format!("VITRINE_{}_EMULATOR", name.to_uppercase())).map(PathBuf::from);
    let in_cache = || Some(cache()?.join(format!("{name}-emulator")));
    named.or_else(in_cache).filter(|path| path.join("installed.txt").exists())
}

/// Returns the folder in which the set-up stores its results; `None` without a home folder.
pub(crate) fn cache() -> Option<PathBuf> {
    let named = std::env::var_os("VITRINE_CACHE").map(PathBuf::from);
    let usual = || {
        let own = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
        Some(own.or_else(home)?.join("vitrine"))
    };
    named.or_else(usual)
}

/// Starts a test server, `NAME_server.py` of this folder, with the Python of its emulator. It ends with its standard input.
///
/// # Panics
/// If the emulator is not installed, because a skipped test must not look like a passed one.
pub(crate) fn python_server(name: &str, arguments: &[&std::ffi::OsStr]) -> Child {
    let python = installed(name).map(|folder| folder.join("bin/python"));
    let python = python.unwrap_or_else(|| panic!("{name} is installed by: node setup/run.mjs emulator"));
    std::process::Command::new(python)
        .arg("-I")
        .arg(source(&format!("{name}_server.py")))
        .args(arguments)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap()
}

/// Returns the path of a file of this folder.
pub(crate) fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name)
}

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
