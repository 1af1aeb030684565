//! Temporary folders with the lifetime of a process.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The prefix of their names.
const PREFIX: &str = "vitrine-";
/// The file inside that is locked while its process lives. Copies of data may be stored beside it.
const LOCK: &str = "in-use";
/// A folder younger than this may not be locked yet by its process.
const FRESH: Duration = Duration::from_secs(60);

/// A temporary folder that other users cannot access. It is removed on drop; the folder of a crashed process is removed
/// when another process creates its first one.
pub(crate) struct Scratch {
    path: PathBuf,
    lock: Option<File>,
}

impl Scratch {
    /// Creates a folder in the system's temporary folder; its name contains the purpose.
    pub(crate) fn new(purpose: &str) -> io::Result<Self> {
        static SWEPT: Once = Once::new();
        SWEPT.call_once(|| drop(std::thread::spawn(|| remove_stale_folders(&std::env::temp_dir()))));
        Self::create_in(&std::env::temp_dir(), purpose)
    }

    /// Creates a temporary folder inside this folder.
    pub(crate) fn create_in(folder: &Path, purpose: &str) -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("{PREFIX}{purpose}-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = folder.join(name);
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(&path) {
            // The name belongs to an earlier process with this ID or to another user, so another name is tried.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                std::fs::remove_dir_all(&path)?;
                builder.create(&path)?;
            }
            created => created?,
        }
        let lock = File::create(path.join(LOCK))?;
        // Without file locks, nothing is swept.
        let lock = lock.try_lock().is_ok().then_some(lock);
        Ok(Self { path, lock })
    }

    /// Returns the path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Some systems cannot remove open files.
        self.lock = None;
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Removes the folders of processes that have ended.
fn remove_stale_folders(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        let rests = || {
            let touched = entry.metadata().ok()?.modified().ok()?;
            Some(touched.elapsed().ok()? > FRESH)
        };
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) || rests() != Some(true) {
            continue;
        }
        let left = File::open(entry.path().join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok());
        if left {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn what_a_crash_left_is_removed_and_what_is_in_use_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let left = |name: &str, lock: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir(&path).expect("a folder");
            std::fs::write(path.join("copy.db"), "rows").expect("a file");
            std::fs::write(path.join(lock), "").expect("a file");
            path
        };
        let old = [left("vitrine-engine-1-0", LOCK), left("vitrine-notes", "other"), left("notes", LOCK)];
        let fresh = left("vitrine-engine-2-0", LOCK);
        let used = Scratch::create_in(folder.path(), "engine").expect("a folder");
        let long_ago = SystemTime::now() - Duration::from_secs(3600);
        for path in old.iter().map(PathBuf::as_path).chain([used.path()]) {
            File::open(path).expect("a folder").set_modified(long_ago).expect("a time");
        }
        remove_stale_folders(folder.path());
        assert!(!old[0].exists(), "its maker is no more");
        assert!(old[1].exists() && old[2].exists(), "not ours");
        assert!(fresh.exists() && used.path().exists());
        let path = used.path().to_path_buf();
        drop(used);
        assert!(!path.exists());
    }
}
