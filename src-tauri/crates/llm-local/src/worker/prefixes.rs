//! Stores prompt state on disk: the state after a stable prefix (the schema of a database), so that the next start of
//! the program need not read it again. Bounded; the least recently used go first.

use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::worker::slots::Token;

/// Shorter beginnings are read faster than they are worth a file.
pub(crate) const WORTH_KEEPING: usize = 256;
/// Bytes of all files together.
const LIMIT: u64 = 1 << 30;
/// What was used within this time is not pushed out.
const RECENT: Duration = Duration::from_secs(600);
/// Bytes at the model file's beginning that tell it from others.
const HEAD: u64 = 1 << 20;
/// Changes whenever states of an earlier program must not be used: with llama.cpp, and with how contexts are made.
const FORM: &str = concat!("vitrine-", env!("CARGO_PKG_VERSION"), "-llama-cpp-2-0.1.160");
const EXTENSION: &str = "kv";

/// The folder of kept states of one model.
pub(crate) struct Prefixes {
    folder: PathBuf,
    model: [u8; 32],
    limit: u64,
}

impl Prefixes {
    /// `None` when the model file cannot be read; then nothing is kept.
    pub fn new(folder: PathBuf, gguf: &Path) -> Option<Self> {
        let mut file = File::open(gguf).ok()?;
        let mut hash = Sha256::new();
        hash.update(FORM);
        hash.update(file.metadata().ok()?.len().to_le_bytes());
        let mut head = Vec::new();
        file.by_ref().take(HEAD).read_to_end(&mut head).ok()?;
        hash.update(&head);
        Some(Self { folder, model: hash.finalize().into(), limit: LIMIT })
    }

    /// The kept state of a beginning.
    pub fn find(&self, tokens: &[Token]) -> Option<PathBuf> {
        let path = self.path(tokens);
        let file = File::options().write(true).open(&path).ok()?;
        // The time of last use decides what goes first; where it cannot be set, the time of making does.
        let _ = file.set_modified(SystemTime::now());
        Some(path)
    }

    /// Keeps a state that `write` writes to a path; says whether it is kept. A half-written file is never found.
    pub fn keep(&self, tokens: &[Token], write: impl FnOnce(&Path) -> bool) -> bool {
        if std::fs::create_dir_all(&self.folder).is_err() || !self.has_room() {
            return false;
        }
        let path = self.path(tokens);
        let partial = path.with_extension(format!("{}.part", std::process::id()));
        let kept = write(&partial) && std::fs::rename(&partial, &path).is_ok();
        if !kept {
            let _ = std::fs::remove_file(&partial);
        }
        self.trim();
        kept
    }

    /// Removes a state that could not be used.
    pub fn forget(&self, tokens: &[Token]) {
        let _ = std::fs::remove_file(self.path(tokens));
    }

    fn path(&self, tokens: &[Token]) -> PathBuf {
        let mut hash = Sha256::new();
        hash.update(self.model);
        for token in tokens {
            hash.update(token.to_le_bytes());
        }
        let name: String = hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(name).with_extension(EXTENSION)
    }

    /// Removes the files not used for longest until the rest is within the limit.
    fn trim(&self) {
        let files = self.files();
        let mut total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, bytes, path) in files {
            if total <= self.limit {
                break;
            }
            if std::fs::remove_file(path).is_ok() {
                total -= bytes;
            }
        }
    }

    /// Whether a file more fits, or would only push out what has not been used lately. A schema in more parts than fit
    /// would otherwise push out at each question what the next one begins with.
    fn has_room(&self) -> bool {
        let files = self.files();
        let total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        let rested = |used: &SystemTime| used.elapsed().is_ok_and(|age| age > RECENT);
        total < self.limit || files.first().is_some_and(|(used, ..)| rested(used))
    }

    /// Time of last use, bytes and path of each kept state, the one not used for longest first.
    fn files(&self) -> Vec<(SystemTime, u64, PathBuf)> {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return Vec::new() };
        let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
            .flatten()
            .filter(|entry| entry.path().extension().is_some_and(|e| e == EXTENSION))
            .filter_map(|entry| {
                let metadata = entry.metadata().ok()?;
                Some((metadata.modified().ok()?, metadata.len(), entry.path()))
            })
            .collect();
        files.sort();
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_not_used_for_longest_makes_room() {
        let folder = tempfile::tempdir().unwrap();
        let gguf = folder.path().join("m.gguf");
        std::fs::write(&gguf, b"a model").unwrap();
        let mut prefixes = Prefixes::new(folder.path().join("kept"), &gguf).unwrap();
        prefixes.limit = 250;
        let write = |path: &Path| std::fs::write(path, [0; 100]).is_ok();
        assert!(prefixes.keep(&[1, 2], write));
        assert!(prefixes.keep(&[3], write));
        let earlier = SystemTime::now() - 2 * RECENT;
        for tokens in [&[1, 2][..], &[3]] {
            File::options().write(true).open(prefixes.path(tokens)).unwrap().set_modified(earlier).unwrap();
        }
        assert!(prefixes.find(&[1, 2]).is_some(), "now it is used");
        assert!(prefixes.keep(&[4], write));
        assert!(prefixes.find(&[3]).is_none());
        assert!(prefixes.find(&[1, 2]).is_some() && prefixes.find(&[4]).is_some());
        prefixes.limit = 200;
        assert!(!prefixes.keep(&[5], write), "all that is kept was used just now");
        prefixes.limit = 1000;
        assert!(!prefixes.keep(&[5], |_| false) && prefixes.find(&[5]).is_none(), "what was not written is not found");

        std::fs::write(&gguf, b"another").unwrap();
        let other = Prefixes::new(folder.path().join("kept"), &gguf).unwrap();
        assert!(other.find(&[4]).is_none(), "the states of another model are not used");
    }
}
