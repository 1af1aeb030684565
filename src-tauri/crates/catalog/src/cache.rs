//! Profiles kept between runs: one JSON file per fingerprint.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use vitrine_domain::Profile;

/// Grows when a profile means something else than before; older files are then read as absent.
const FORMAT: u32 = 2;

/// A folder of profiles.
#[derive(Debug, Clone)]
pub struct ProfileCache {
    dir: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct File<P> {
    format: u32,
    profile: P,
}

impl ProfileCache {
    /// A cache in `dir`, which need not exist yet.
    pub fn new(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// The profile stored for a fingerprint. A missing, damaged or outdated file is no profile: it is made again.
    pub fn load(&self, fingerprint: &str) -> Option<Profile> {
        let path = self.path(fingerprint);
        let bytes = std::fs::read(&path).ok()?;
        let file: File<Profile> = serde_json::from_slice(&bytes)
            .inspect_err(
                |error| tracing::warn!(path = %path.display(), %error, "stored profile is damaged, making it anew"),
            )
            .ok()?;
        (file.format == FORMAT && file.profile.fingerprint == fingerprint).then_some(file.profile)
    }

    /// Stores a profile, complete or not, in place of an older one. A reader sees the old or the new one, never a part.
    pub fn store(&self, profile: &Profile) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.dir)?;
        let path = self.path(&profile.fingerprint);
        let partial = path.with_extension(format!("json.{}.part", std::process::id()));
        let write = || -> std::io::Result<()> {
            let bytes = serde_json::to_vec(&File { format: FORMAT, profile })?;
            write_synced(&partial, &bytes)?;
            std::fs::rename(&partial, &path)
        };
        write().inspect_err(|_| {
            // The half-written file is of no use to anyone.
            let _ = std::fs::remove_file(&partial);
        })
    }

    fn path(&self, fingerprint: &str) -> PathBuf {
        // A fingerprint is 32 hex digits; anything else is hashed, so that no name can leave the folder.
        let plain = !fingerprint.is_empty()
            && fingerprint.len() <= 64
            && fingerprint.bytes().all(|b| b.is_ascii_alphanumeric());
        let name =
            if plain { fingerprint.to_owned() } else { blake3::hash(fingerprint.as_bytes()).to_hex().to_string() };
        self.dir.join(format!("{name}.json"))
    }
}

fn write_synced(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    let mut file = std::fs::File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(fingerprint: &str) -> Profile {
        Profile { fingerprint: fingerprint.into(), tables: Vec::new(), complete: true }
    }

    #[test]
    fn a_stored_profile_is_found_by_its_fingerprint_only() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProfileCache::new(dir.path().join("profiles"));
        assert_eq!(cache.load("aa"), None);
        cache.store(&profile("aa")).unwrap();
        assert_eq!(cache.load("aa"), Some(profile("aa")));
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
        cache.store(&profile("aa")).unwrap();
        assert_eq!(cache.load("aa"), Some(profile("aa")));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no partial file stays behind");
    }

    #[test]
    fn a_fingerprint_cannot_name_a_file_elsewhere() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProfileCache::new(dir.path().join("profiles"));
        cache.store(&profile("../outside")).unwrap();
        assert!(!dir.path().join("outside.json").exists());
        assert_eq!(cache.load("../outside"), Some(profile("../outside")));
    }
}
