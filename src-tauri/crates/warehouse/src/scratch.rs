//! Folders that last as long as a process that works in them.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder that nobody else on this machine may look into. It goes when this is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// Makes one in the system's folder for such files; its name begins with the purpose.
    pub(crate) fn new(purpose: &str) -> io::Result<Self> {
        Self::within(&std::env::temp_dir(), purpose)
    }

    /// Makes one in this folder.
    pub(crate) fn within(folder: &Path, purpose: &str) -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("vitrine-{purpose}-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = folder.join(name);
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(&path) {
            // Of a process that had this number before, or of somebody else, who gets nothing of ours.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                std::fs::remove_dir_all(&path)?;
                builder.create(&path)?;
            }
            created => created?,
        }
        Ok(Self(path))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
