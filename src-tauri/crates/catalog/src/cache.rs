//! Cache of profiles and inferred keys: one JSON file each per fingerprint.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use vitrine_domain::{InferredKeys, Profile};

/// Version of the profile format. Files of an older version are ignored.
const FORMAT: u32 = 4;

/// Version of the key format. Increased when the meaning of inferred keys or the inference changes.
const KEY_FORMAT: u32 = 2;

/// A directory of cached profiles.
#[derive(Debug, Clone)]
pub struct ProfileCache(Cache);

impl ProfileCache {
    /// Creates a cache in `dir`, which need not exist yet.
    pub fn new(dir: PathBuf) -> Self {
        Self(Cache { dir, format: FORMAT, ending: "json" })
    }

    /// Returns the profile stored for a fingerprint, or `None` if the file is missing, damaged or outdated.
    pub fn load(&self, fingerprint: &str) -> Option<Profile> {
        self.0.load(fingerprint).filter(|profile: &Profile| profile.fingerprint == fingerprint)
    }

    /// Stores a profile, complete or not, in place of an older one. The write is atomic: readers see the old or the new
    /// file.
    pub fn store(&self, profile: &Profile) -> std::io::Result<()> {
        self.0.store(&profile.fingerprint, profile)
    }
}

/// A directory of cached inferred keys. It can be the directory of the profiles.
#[derive(Debug, Clone)]
pub struct KeyCache(Cache);

impl KeyCache {
    /// Creates a cache in `dir`, which may also hold the profiles.
    pub fn new(dir: PathBuf) -> Self {
        Self(Cache { dir, format: KEY_FORMAT, ending: "keys.json" })
    }

    /// Returns the keys stored for a fingerprint; like [`ProfileCache::load`].
    pub fn load(&self, fingerprint: &str) -> Option<InferredKeys> {
        self.0.load(fingerprint).filter(|keys: &InferredKeys| keys.fingerprint == fingerprint)
    }

    /// Stores keys in place of older ones; like [`ProfileCache::store`].
    pub fn store(&self, keys: &InferredKeys) -> std::io::Result<()> {
        self.0.store(&keys.fingerprint, keys)
    }
}

#[derive(Debug, Clone)]
struct Cache {
    dir: PathBuf,
    format: u32,
    ending: &'static str,
}

#[derive(Serialize, Deserialize)]
struct File<P> {
    format: u32,
    #[serde(alias = "profile")]
    content: P,
}

impl Cache {
    fn load<P: DeserializeOwned>(&self, fingerprint: &str) -> Option<P> {
        let path = self.file_path(fingerprint);
        let bytes = std::fs::read(&path).ok()?;
        let file: File<P> = serde_json::from_slice(&bytes)
            .inspect_err(
                |error| tracing::warn!(path = %path.display(), %error, "stored file is damaged, making it anew"),
            )
            .ok()?;
        (file.format == self.format).then_some(file.content)
    }

    fn store<P: Serialize>(&self, fingerprint: &str, content: &P) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.dir)?;
        let path = self.file_path(fingerprint);
        let partial = path.with_extension(format!("json.{}.part", std::process::id()));
        let write = || -> std::io::Result<()> {
            let bytes = serde_json::to_vec(&File { format: self.format, content })?;
            write_synced(&partial, &bytes)?;
            std::fs::rename(&partial, &path)
        };
        write().inspect_err(|_| {
            // Remove the partially written file.
            let _ = std::fs::remove_file(&partial);
        })
    }

    fn file_path(&self, fingerprint: &str) -> PathBuf {
        // A fingerprint is 32 hex digits; anything else is hashed so that no file name can leave the directory.
        let plain = !fingerprint.is_empty()
            && fingerprint.len() <= 64
            && fingerprint.bytes().all(|b| b.is_ascii_alphanumeric());
        let name =
            if plain { fingerprint.to_owned() } else { blake3::hash(fingerprint.as_bytes()).to_hex().to_string() };
        self.dir.join(format!("{name}.{}", self.ending))
    }
}

fn write_synced(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    let mut file = vitrine_domain::create_private(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make_profile(fingerprint: &str) -> Profile {
        Profile { fingerprint: fingerprint.into(), tables: Vec::new(), complete: true }
    }

    #[test]
    fn a_stored_profile_is_found_by_its_fingerprint_only() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProfileCache::new(dir.path().join("profiles"));
        assert_eq!(cache.load("aa"), None);
        cache.store(&make_profile("aa")).unwrap();
        assert_eq!(cache.load("aa"), Some(make_profile("aa")));
        assert_eq!(cache.load("bb"), None);
    }

    #[test]
    fn a_damaged_file_is_no_profile_and_can_be_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProfileCache::new(dir.path().into());
        for damage in [&b""[..], b"{\"format\":1,\"prof", b"\xff\xfe", b"{\"format\":99,\"profile\":{}}"] {
            std::fs::write(dir.path().join("aa.json"), damage).unwrap();
            assert_eq!(cache.load("aa"), None);
        }
        cache.store(&make_profile("aa")).unwrap();
        assert_eq!(cache.load("aa"), Some(make_profile("aa")));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no partial file stays behind");
    }

    #[test]
    fn a_fingerprint_cannot_name_a_file_elsewhere() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProfileCache::new(dir.path().join("profiles"));
        cache.store(&make_profile("../outside")).unwrap();
        assert!(!dir.path().join("outside.json").exists());
        assert_eq!(cache.load("../outside"), Some(make_profile("../outside")));
    }
}
