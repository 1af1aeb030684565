//! Where things lie on disk. The only place that reads the environment for it.

use std::path::{Path, PathBuf};
use vitrine_domain::{AppError, ErrorCode};

/// The two folders that Vitrine writes to: what can be made again, and what cannot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// Models, the sample warehouse; safe to delete.
    pub cache: PathBuf,
    /// Runs, saved questions, settings, profiles, value indexes.
    pub data: PathBuf,
}

impl Folders {
    /// `VITRINE_CACHE` and `VITRINE_HOME`, or the usual places below the person's home.
    ///
    /// # Errors
    /// When there is neither a home folder nor the two variables.
    pub fn from_environment() -> Result<Self, AppError> {
        Ok(Self {
            cache: folder("VITRINE_CACHE", "XDG_CACHE_HOME", ".cache")?,
            data: folder("VITRINE_HOME", "XDG_DATA_HOME", ".local/share")?,
        })
    }

    /// Both folders below one; for tests.
    pub fn below(root: &Path) -> Self {
        Self { cache: root.join("cache"), data: root.join("data") }
    }

    /// The workspace file.
    pub fn workspace(&self) -> PathBuf {
        self.data.join("vitrine.db")
    }

    /// Stored profiles, one file per fingerprint.
    pub fn profiles(&self) -> PathBuf {
        self.data.join("profiles")
    }

    /// The value index of a warehouse. Named after the address and not the fingerprint, so that a changed database
    /// updates its index instead of starting a new one.
    pub fn value_index(&self, uri: &str) -> PathBuf {
        let name = blake3::hash(uri.as_bytes()).to_hex();
        self.data.join("values").join(format!("{}.db", &name[..32]))
    }

    /// Model files.
    pub fn models(&self) -> PathBuf {
        self.cache.join("models")
    }

    /// The sample warehouse of this version.
    pub fn sample(&self) -> PathBuf {
        self.cache.join("sample").join(format!("retail-v{}.duckdb", vitrine_warehouse::sample::VERSION))
    }

    /// Runs over packs of questions.
    pub fn evaluations(&self) -> PathBuf {
        self.data.join("evaluations")
    }

    /// What the embedded model has read, kept between starts.
    pub fn prefixes(&self) -> PathBuf {
        self.cache.join("prefixes")
    }

    /// The interpreter and its packages for analysis; safe to delete.
    pub fn python(&self) -> PathBuf {
        self.cache.join("python")
    }

    /// The views that a run has fetched; removed with the run.
    pub fn views(&self, run_id: &str) -> PathBuf {
        self.data.join("views").join(run_id)
    }

    /// Results that are being paged through.
    pub fn results(&self) -> PathBuf {
        self.cache.join("results")
    }
}

fn folder(own: &str, base: &str, usual: &str) -> Result<PathBuf, AppError> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if let Some(path) = absolute(own) {
        return Ok(path);
    }
    absolute(base)
        .or_else(|| dirs::home_dir().map(|home| home.join(usual)))
        .map(|path| path.join("vitrine"))
        .ok_or_else(|| {
            AppError::new(ErrorCode::Internal, "There is no home folder to keep things in")
                .hint(format!("Set {own} to a folder that can be written"))
        })
}
