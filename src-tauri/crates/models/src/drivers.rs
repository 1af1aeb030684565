//! Database drivers: the built-in one, which is pulled with a pinned hash, and others, which the user adds by path. Stored
//! in `<folder>/<name>/<library>`; nothing is loaded here.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use vitrine_words::tr;

use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::catalogue::{ModelFile, Source};
use super::error::PullError;
use super::progress::{Phase, Progress};
use super::pull::{self, Wanted, hash_of};
use super::registry::{Pip, Registry, Requirement};

/// The name reserved for Snowflake's driver.
pub const SNOWFLAKE: &str = "snowflake";
/// The file in an added driver's folder that refers to the library.
const ENTRY_FILE: &str = "driver.json";
/// The library's name in every wheel.
const LIBRARY: &str = "libadbc_driver_snowflake.so";
const PACKAGE: &str = "adbc-driver-snowflake";
const VERSION: &str = "1.11.0";
/// The library for each system: operating system, processor, size and SHA-256.
const LIBRARIES: [(&str, &str, u64, &str); 5] = [
    ("linux", "x86_64", 74_023_384, "b8e73a14204681d32ef68e1df606dcdd43d6819fc04b187427fe7f979c6ca785"),
    ("linux", "aarch64", 66_898_528, "2d7edb5020ada13d7ecfb08428d361d549ba354c8f0eaeb7c009128b2996238c"),
    ("macos", "x86_64", 57_125_872, "057fcf7e076d3372c0dfe50f03e193aff4564a816dcef41b44e6f4d2fdf20594"),
    ("macos", "aarch64", 50_956_338, "ccd3a977c9bac220f79fb9d439e7a0874ad16847a59406544ac7faeac2d4d7bb"),
    ("windows", "x86_64", 101_142_352, "2bb790b0386c6c0cbe2afc7f75e95b3e2408bf3ea953759d3f106d0e4a64f32e"),
];

/// A driver and its state on this computer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Driver {
    /// The driver's name in addresses.
    pub name: String,
    /// The version; empty if unknown.
    pub version: String,
    /// The SPDX name of the licence; empty if unknown.
    pub licence: String,
    /// SHA-256 of the library, 64 hex digits: pinned, or computed when it was added.
    pub sha256: String,
    /// The size of the library in bytes.
    pub bytes: u64,
    /// The origin of the library, even if it has not been pulled.
    pub from: String,
    /// The path of the library.
    pub path: PathBuf,
    /// True if the library exists with its full size.
    pub present: bool,
    /// True if the user added the driver.
    pub added: bool,
}

/// The stored entry of a driver that the user added.
#[derive(Serialize, Deserialize)]
struct Added {
    name: String,
    path: PathBuf,
    bytes: u64,
    sha256: String,
}

/// The drivers on this computer and the one that can be pulled.
#[derive(Clone)]
pub struct DriverStore {
    folder: PathBuf,
    registry: Arc<dyn Registry>,
}

/// Derives a driver's name from its file: `mssql` for `libadbc_driver_mssql.so`.
pub fn name_of_library(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let bare = stem.strip_prefix("lib").unwrap_or(&stem);
    let bare = bare.strip_prefix("adbc_driver_").unwrap_or(bare);
    bare.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect()
}

impl DriverStore {
    /// Creates a store in a folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), registry: Arc::new(Pip::default()) }
    }

    /// Lists the built-in driver if it supports this system, then the drivers that the user added, sorted by name.
    pub fn list_drivers(&self) -> Vec<Driver> {
        let known =
            find_download(std::env::consts::OS, std::env::consts::ARCH).map(|wanted| self.built_in_driver(&wanted));
        known.into_iter().chain(self.added_drivers()).collect()
    }

    /// Returns the driver with this name, if its library exists.
    pub fn find_driver(&self, name: &str) -> Option<Driver> {
        self.list_drivers().into_iter().find(|driver| driver.name == name && driver.present)
    }

    /// Pulls the built-in driver from the package index, unless it is present. Only a library with the pinned hash gets
    /// its final name.
    ///
    /// # Errors
    /// Fails if the name is unknown, the system is not supported, or no source works.
    pub async fn pull_driver(
        &self,
        name: &str,
        progress: impl Fn(Progress) + Send + Sync,
        cancel: CancellationToken,
    ) -> Result<Driver, PullError> {
        if name != SNOWFLAKE {
            return Err(PullError::UnknownDriver { name: name.to_owned() });
        }
        let (os, cpu) = (std::env::consts::OS, std::env::consts::ARCH);
        let wanted =
            find_download(os, cpu).ok_or_else(|| PullError::NoDriverHere { system: format!("{os} on {cpu}") })?;
        if !self.built_in_driver(&wanted).present {
            pull::pull_files(&wanted, &self.folder.join(&wanted.id), &*self.registry, &progress, &cancel).await?;
        }
        progress(Progress { downloaded: wanted.bytes, total: wanted.bytes, phase: Phase::Done });
        Ok(self.built_in_driver(&wanted))
    }

    /// Adds a library on this computer as a driver. The file is neither moved nor loaded.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not a library, or if the name is invalid.
    pub fn add(&self, path: &Path, name: &str) -> Result<Driver, PullError> {
        let broken = |message: String| PullError::NotADriver { path: path.to_owned(), message };
        let name = name.to_ascii_lowercase();
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if name.is_empty() || name == SNOWFLAKE || !name.chars().all(plain) {
            return Err(broken(tr!(
                "a name has letters, digits, - and _, and is not {snowflake}",
                snowflake = SNOWFLAKE
            )));
        }
        let path = fs::canonicalize(path).map_err(|error| broken(error.to_string()))?;
        let mut head = [0; 4];
        fs::File::open(&path)
            .and_then(|mut file| io::Read::read_exact(&mut file, &mut head))
            .map_err(|error| broken(error.to_string()))?;
        if !is_library(head) {
            return Err(broken(tr!("it is not a shared library")));
        }
        let sha256 = hash_of(&path, &CancellationToken::new()).map_err(|error| broken(error.to_string()))?;
        let bytes = fs::metadata(&path).map_err(|error| broken(error.to_string()))?.len();
        let added = Added { name, path, bytes, sha256 };
        let folder = self.folder.join(&added.name);
        let file = folder.join(ENTRY_FILE);
        let text = serde_json::to_vec_pretty(&added).map_err(|error| broken(error.to_string()))?;
        fs::create_dir_all(&folder).and_then(|()| fs::write(&file, text)).map_err(|e| PullError::from_io(&file, e))?;
        Ok(added.into())
    }

    /// Removes a driver. For a driver that the user added, only the entry is deleted, never the user's file.
    ///
    /// # Errors
    /// Fails if the driver does not exist or cannot be removed.
    pub fn remove_driver(&self, name: &str) -> Result<(), PullError> {
        if !self.list_drivers().iter().any(|driver| driver.name == name) {
            return Err(PullError::UnknownDriver { name: name.to_owned() });
        }
        let folder = self.folder.join(name);
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(PullError::Folder { path: folder, error }),
            _ => Ok(()),
        }
    }

    fn built_in_driver(&self, wanted: &Wanted) -> Driver {
        let path = self.folder.join(&wanted.id).join(LIBRARY);
        Driver {
            name: wanted.id.clone(),
            version: VERSION.to_owned(),
            licence: "Apache-2.0".to_owned(),
            sha256: wanted.files[0].sha256.clone(),
            bytes: wanted.bytes,
            from: format!("{PACKAGE} of the Python package index"),
            present: fs::metadata(&path).is_ok_and(|file| file.len() == wanted.bytes),
            path,
            added: false,
        }
    }

    fn added_drivers(&self) -> Vec<Driver> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut added: Vec<Driver> = entries
            .filter_map(|folder| {
                let text = fs::read(folder.path().join(ENTRY_FILE)).ok()?;
                let added: Added = serde_json::from_slice(&text).ok()?;
                // Removal uses the entry's name as folder name, so it must not refer to another folder.
                (folder.file_name() == added.name.as_str() && added.name != SNOWFLAKE).then(|| added.into())
            })
            .collect();
        added.sort_by(|a, b| a.name.cmp(&b.name));
        added
    }
}

impl From<Added> for Driver {
    fn from(added: Added) -> Self {
        Self {
            present: fs::metadata(&added.path).is_ok_and(|file| file.len() == added.bytes),
            name: added.name,
            version: String::new(),
            licence: String::new(),
            sha256: added.sha256,
            bytes: added.bytes,
            from: added.path.display().to_string(),
            path: added.path,
            added: true,
        }
    }
}

/// Returns the download for a system, if the driver supports it.
fn find_download(os: &str, cpu: &str) -> Option<Wanted> {
    let (_, _, bytes, sha256) = LIBRARIES.into_iter().find(|(own, on, ..)| (*own, *on) == (os, cpu))?;
    Some(Wanted {
        id: SNOWFLAKE.to_owned(),
        bytes,
        sources: vec![Source::Package {
            name: "the Python package index".to_owned(),
            package: Requirement { package: PACKAGE.to_owned(), version: VERSION.to_owned() },
            folder: PACKAGE.replace('-', "_"),
        }],
        files: vec![ModelFile { name: LIBRARY.to_owned(), bytes, sha256: sha256.to_owned() }],
    })
}

/// Checks the first bytes: ELF, Mach-O for one or several processors, or a Windows executable.
fn is_library(head: [u8; 4]) -> bool {
    matches!(
        head,
        [0x7f, b'E', b'L', b'F'] | [0xcf | 0xce, 0xfa, 0xed, 0xfe] | [0xca, 0xfe, 0xba, 0xbe] | [b'M', b'Z', ..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_added_by_its_path_listed_and_removed_and_stays_where_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let store = DriverStore::new(folder.path().join("drivers"));
        let library = folder.path().join("libmine.so");
        fs::write(&library, b"\x7fELF and more").unwrap();
        let added = store.add(&library, "Mine").unwrap();
        assert_eq!((added.name.as_str(), added.present, added.bytes), ("mine", true, 13));
        assert_eq!(added.sha256.len(), 64);
        assert!(store.list_drivers().contains(&added));
        assert_eq!(store.find_driver("mine").map(|driver| driver.path), Some(fs::canonicalize(&library).unwrap()));
        // A different file at the same path is not the added driver.
        fs::write(&library, b"\x7fELF").unwrap();
        assert_eq!(store.find_driver("mine"), None);
        store.remove_driver("mine").unwrap();
        assert!(library.exists() && store.find_driver("mine").is_none());
        assert!(matches!(store.remove_driver("mine"), Err(PullError::UnknownDriver { .. })));
    }

    #[test]
    fn a_driver_is_called_as_its_file_says() {
        for (file, name) in [
            ("libadbc_driver_mssql.so", "mssql"),
            ("adbc_driver_trino.dll", "trino"),
            ("libadbc_driver_mssql-1.4.dylib", "mssql-1-4"),
            ("My Driver.so", "my-driver"),
        ] {
            assert_eq!(name_of_library(Path::new("/opt").join(file).as_path()), name);
        }
    }

    #[test]
    fn what_is_no_library_or_no_name_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let store = DriverStore::new(folder.path().join("drivers"));
        let (text, library) = (folder.path().join("a.so"), folder.path().join("b.so"));
        fs::write(&text, "hello").unwrap();
        fs::write(&library, b"\x7fELF").unwrap();
        for (path, name) in [
            (&text, "mine"),
            (&library, ""),
            (&library, "../x"),
            (&library, SNOWFLAKE),
            (&folder.path().join("none"), "x"),
        ] {
            assert!(matches!(store.add(path, name), Err(PullError::NotADriver { .. })), "{name}");
        }
        assert!(!folder.path().join("drivers").exists());
    }

    #[test]
    fn there_is_a_pinned_library_for_each_system() {
        for (os, cpu, ..) in LIBRARIES {
            let wanted = find_download(os, cpu).unwrap();
            assert!(wanted.bytes > 50_000_000 && wanted.files[0].sha256.len() == 64, "{os} {cpu}");
        }
        assert!(find_download("linux", "riscv64").is_none());
    }
}
