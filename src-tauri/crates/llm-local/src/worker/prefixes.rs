//! Stores prompt state on disk: the state after a stable prefix (the schema of a database), so that the program need
//! not read it again after a restart. The size is bounded; least recently used states are deleted first.

use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::worker::slots::Token;

/// Minimum length in tokens: reading a shorter prefix is cheaper than a file.
pub(crate) const WORTH_KEEPING: usize = 256;
/// Maximum size of all files together, in bytes.
const LIMIT: u64 = 1 << 30;
/// States used within this time are not evicted.
const RECENT: Duration = Duration::from_secs(600);
/// Number of bytes at the start of the model file that identify it.
const HEAD: u64 = 1 << 20;
/// Must change whenever older states become invalid: with the version of llama.cpp, and with the way contexts are
/// created.
const FORM: &str = concat!("vitrine-", env!("CARGO_PKG_VERSION"), "-llama-cpp-2-0.1.160");
const EXTENSION: &str = "kv";

/// The folder with the stored states of one model.
pub(crate) struct Prefixes {
    folder: PathBuf,
    model: [u8; 32],
    limit: u64,
}

impl Prefixes {
    /// Opens a store. Returns `None` if the model file cannot be read; then no states are stored.
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

    /// Returns the path of the stored state of a prefix, and updates its time of use.
    pub fn find_state(&self, tokens: &[Token]) -> Option<PathBuf> {
        let path = self.state_path(tokens);
        let file = File::options().write(true).open(&path).ok()?;
        // The modification time orders eviction; if it cannot be set, the time of creation is used.
        let _ = file.set_modified(SystemTime::now());
        Some(path)
    }

    /// Stores a state that `write` writes to a path, and returns true if it was stored. Incomplete files are never
    /// found.
    pub fn store_state(&self, tokens: &[Token], write: impl FnOnce(&Path) -> bool) -> bool {
        if std::fs::create_dir_all(&self.folder).is_err() || !self.has_room() {
            return false;
        }
        let path = self.state_path(tokens);
        let partial = path.with_extension(format!("{}.part", std::process::id()));
        let kept = write(&partial) && std::fs::rename(&partial, &path).is_ok();
        if !kept {
            let _ = std::fs::remove_file(&partial);
        }
        self.evict_oldest();
        kept
    }

    /// Deletes a state that could not be loaded.
    pub fn delete_state(&self, tokens: &[Token]) {
        let _ = std::fs::remove_file(self.state_path(tokens));
    }

    fn state_path(&self, tokens: &[Token]) -> PathBuf {
        let mut hash = Sha256::new();
        hash.update(self.model);
        for token in tokens {
            hash.update(token.to_le_bytes());
        }
        let name: String = hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(name).with_extension(EXTENSION)
    }

    /// Deletes the least recently used files until the rest is within the limit.
    fn evict_oldest(&self) {
        let files = self.list_states();
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

    /// Checks that another file fits, or would evict only a state that was not used recently. Otherwise a schema with
    /// more parts than fit would evict, with each question, the states that the next question needs.
    fn has_room(&self) -> bool {
        let files = self.list_states();
        let total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        let rested = |used: &SystemTime| used.elapsed().is_ok_and(|age| age > RECENT);
        total < self.limit || files.first().is_some_and(|(used, ..)| rested(used))
    }

    /// Returns time of last use, size in bytes and path of each stored state, least recently used first.
    fn list_states(&self) -> Vec<(SystemTime, u64, PathBuf)> {
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
        assert!(prefixes.store_state(&[1, 2], write));
        assert!(prefixes.store_state(&[3], write));
        let earlier = SystemTime::now() - 2 * RECENT;
        for tokens in [&[1, 2][..], &[3]] {
            File::options().write(true).open(prefixes.state_path(tokens)).unwrap().set_modified(earlier).unwrap();
        }
        assert!(prefixes.find_state(&[1, 2]).is_some(), "now it is used");
        assert!(prefixes.store_state(&[4], write));
        assert!(prefixes.find_state(&[3]).is_none());
        assert!(prefixes.find_state(&[1, 2]).is_some() && prefixes.find_state(&[4]).is_some());
        prefixes.limit = 200;
        assert!(!prefixes.store_state(&[5], write), "all that is kept was used just now");
        prefixes.limit = 1000;
        assert!(
            !prefixes.store_state(&[5], |_| false) && prefixes.find_state(&[5]).is_none(),
            "what was not written is not found"
        );

        std::fs::write(&gguf, b"another").unwrap();
        let other = Prefixes::new(folder.path().join("kept"), &gguf).unwrap();
        assert!(other.find_state(&[4]).is_none(), "the states of another model are not used");
    }
}
