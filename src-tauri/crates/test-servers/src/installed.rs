//! Paths of the programs that the set-up installs for tests.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

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
pub(crate) fn python_server(name: &str, arguments: &[&OsStr]) -> Child {
    let python = installed(name).map(|folder| folder.join("bin/python"));
    let python = python.unwrap_or_else(|| panic!("{name} is installed by: node setup/run.mjs emulator"));
    Command::new(python)
        .arg("-I")
        .arg(source(&format!("{name}_server.py")))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Returns the path of a file of this folder.
pub(crate) fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name)
}
