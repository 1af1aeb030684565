//! The files of a database server, created once per computer and copied for each test, because creating them takes
//! longer than most tests.

use crate::installed;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns a new folder with a copy of the files that `make` writes into the given folder.
///
/// `program` is the server's program; each of its versions has its own files.
///
/// # Panics
/// If the files cannot be created or copied.
pub(crate) fn copy_files(name: &str, program: &Path, make: impl FnOnce(&Path)) -> tempfile::TempDir {
    let kept = kept_files(name, program, make);
    let folder = tempfile::tempdir().unwrap();
    copy(&kept, folder.path());
    folder
}

/// Returns the folder with the original files; creates it if missing, one process at a time.
fn kept_files(name: &str, program: &Path, make: impl FnOnce(&Path)) -> PathBuf {
    let root = installed::cache().expect("HOME is set").join("test-servers");
    std::fs::create_dir_all(&root).unwrap();
    let version = Command::new(program).arg("--version").output().unwrap();
    let version = String::from_utf8_lossy(&version.stdout);
    let words: Vec<&str> = version.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').collect();
    let kept = root.join(format!("{name}{}", words.join("-")));
    let lock = std::fs::File::create(root.join(format!("{name}.lock"))).unwrap();
    lock.lock().unwrap();
    if !kept.exists() {
        // The server's user may not have access to the cache of another user.
        let made = tempfile::tempdir().unwrap();
        make(made.path());
        let partial = tempfile::tempdir_in(&root).unwrap();
        copy(made.path(), partial.path());
        std::fs::rename(partial.keep(), &kept).unwrap();
    }
    kept
}

/// Copies a folder with owners and permissions.
fn copy(from: &Path, to: &Path) {
    let status = Command::new("cp").arg("-a").arg(from.join(".")).arg(to).status().unwrap();
    assert!(status.success(), "{} cannot be copied to {}", from.display(), to.display());
}
