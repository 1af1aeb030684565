//! File stamps, which show if a database file has changed.

use std::path::Path;
use std::time::SystemTime;

/// Modification times and sizes of a database's files, including SQLite's write-ahead log. A server has no such stamp; its catalog is read
/// when it is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stamp(Vec<Option<(SystemTime, u64)>>);

impl Stamp {
    pub(crate) async fn from_path(path: Option<&Path>) -> Self {
        let Some(path) = path.map(Path::to_owned) else { return Self(Vec::new()) };
        let stamp = move || {
            let look = |path: &Path| std::fs::metadata(path).ok().and_then(|m| Some((m.modified().ok()?, m.len())));
            if path.is_dir() {
                let mut files: Vec<_> =
                    std::fs::read_dir(&path).into_iter().flatten().flatten().map(|e| e.path()).collect();
                files.sort();
                return Self(files.iter().map(|file| look(file)).collect());
            }
            let mut log = path.as_os_str().to_owned();
            log.push("-wal");
            Self(vec![look(&path), look(Path::new(&log))])
        };
        tokio::task::spawn_blocking(stamp).await.unwrap_or_else(|_| Self(Vec::new()))
    }
}
