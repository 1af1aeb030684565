//! Folders on disk. The only module that reads them from the environment.

use std::io;
use std::path::{Path, PathBuf};
use vitrine_domain::{AppError, ErrorCode, child_of, is_run_id};
use vitrine_words::tr;

/// The name of a folder in the usual folders.
const NAME: &str = "vitrine";
const USUAL_CACHE: &str = ".cache";
const USUAL_DATA: &str = ".local/share";

/// The two folders that Vitrine writes to: one for reproducible data, one for the user's data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// Folder of reproducible data, such as models and the sample warehouse; safe to delete.
    pub cache: PathBuf,
    /// Folder of runs, saved questions, settings, profiles and value indexes.
    pub data: PathBuf,
}

impl Folders {
    /// Returns the folders from `VITRINE_CACHE` and `VITRINE_HOME`, or the usual ones in the user's home folder.
    ///
    /// # Errors
    /// When neither a home folder nor both variables exist.
    pub fn from_environment() -> Result<Self, AppError> {
        Ok(Self {
            cache: resolve_folder("VITRINE_CACHE", "XDG_CACHE_HOME", USUAL_CACHE)?,
            data: resolve_folder("VITRINE_HOME", "XDG_DATA_HOME", USUAL_DATA)?,
        })
    }

    /// Returns the usual folders in a home folder.
    pub(crate) fn in_home(home: &Path) -> Self {
        Self { cache: home.join(USUAL_CACHE).join(NAME), data: home.join(USUAL_DATA).join(NAME) }
    }

    /// Returns both folders below one root; for tests.
    pub fn with_root(root: &Path) -> Self {
        Self { cache: root.join("cache"), data: root.join("data") }
    }

    /// Returns the path of the workspace file.
    pub fn workspace_file(&self) -> PathBuf {
        self.data.join("vitrine.db")
    }

    /// Returns the folder of stored profiles, one file per fingerprint.
    pub fn profiles(&self) -> PathBuf {
        self.data.join("profiles")
    }

    /// Returns the path of a warehouse's value index. It is named after the address instead of the fingerprint, so that a changed database
    /// updates its index instead of starting a new one.
    pub fn value_index(&self, uri: &str) -> PathBuf {
        let name = blake3::hash(uri.as_bytes()).to_hex();
        self.data.join("values").join(format!("{}.db", &name[..32]))
    }

    /// Returns the path of a connection's metrics. Its name begins with the end of the address, so that people recognize
    /// it, and a hash keeps similar addresses apart.
    pub fn metrics_file(&self, uri: &str) -> PathBuf {
        let hash = blake3::hash(uri.as_bytes()).to_hex();
        let end = uri.split(['?', '#']).next().unwrap_or_default().rsplit(['/', ':', '@']).next().unwrap_or_default();
        let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') { c } else { '-' };
        let name: String = end.chars().take(40).map(safe).collect();
        self.data.join("metrics").join(format!("{name}-{}.yaml", &hash[..12]))
    }

    /// Returns the folder of model files.
    pub fn models(&self) -> PathBuf {
        self.cache.join("models")
    }

    /// Returns the folder of database drivers.
    pub fn drivers(&self) -> PathBuf {
        self.cache.join("drivers")
    }

    /// Returns the path of this version's sample warehouse.
    pub fn sample_file(&self) -> PathBuf {
        self.cache.join("sample").join(format!("retail-v{}.duckdb", vitrine_warehouse::sample::VERSION))
    }

    /// Returns the path of a model's calibration that was made on this computer. The file name contains the usable characters of the
    /// model's name and a hash of the whole name, which keeps similar names apart.
    pub fn calibration_file(&self, model: &str) -> PathBuf {
        let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') { c } else { '-' };
        let hash = blake3::hash(model.as_bytes()).to_hex();
        let name: String = model.chars().take(60).map(safe).collect();
        self.data.join("calibrations").join(format!("{name}-{}.json", &hash[..8]))
    }

    /// Returns the folder of evaluations.
    pub fn evaluations(&self) -> PathBuf {
        self.data.join("evaluations")
    }

    /// Returns the folder of prompt prefixes that the embedded model has processed; they are kept between starts.
    pub fn prompt_prefixes(&self) -> PathBuf {
        self.cache.join("prefixes")
    }

    /// Returns the folder of the Python interpreter and its packages for analysis; safe to delete.
    pub fn python_environment(&self) -> PathBuf {
        self.cache.join("python")
    }

    /// Returns the folder of the views that a run or a saved question has fetched; it is removed with its owner.
    ///
    /// # Errors
    /// When this program did not create the id; ids come from outside and are used as folder names.
    pub fn owner_views(&self, owner: &str) -> Result<PathBuf, AppError> {
        let folder = is_run_id(owner).then(|| child_of(&self.all_views(), owner)).flatten();
        folder.filter(|folder| !folder.is_symlink()).ok_or_else(|| unknown_owner_error(owner))
    }

    /// Returns the parent folder of all fetched views.
    pub(crate) fn all_views(&self) -> PathBuf {
        self.data.join("views")
    }

    /// Returns the folder of open results.
    pub fn results(&self) -> PathBuf {
        self.cache.join("results")
    }
}

/// Creates the error for an invalid id.
pub(crate) fn unknown_owner_error(owner: &str) -> AppError {
    AppError::new(ErrorCode::NotFound, tr!("'{owner}' is not the id of a run or of a saved question", owner))
        .with_hint(tr!("An id is a UUID, as the lists of runs and of saved questions give it"))
}

/// Removes the folder `name` directly below `parent` with its content, if it exists. A path or a link is not accepted as a name.
pub(crate) fn remove_below(parent: &Path, name: &str) -> io::Result<()> {
    let leads_out =
        || io::Error::new(io::ErrorKind::InvalidInput, format!("{name} does not lie in {}", parent.display()));
    let folder = child_of(parent, name).ok_or_else(leads_out)?;
    match folder.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        Ok(about) if !about.is_dir() => return Err(leads_out()),
        Ok(_) => {}
    }
    if folder.canonicalize()?.parent() != Some(parent.canonicalize()?.as_path()) {
        return Err(leads_out());
    }
    std::fs::remove_dir_all(folder)
}

fn resolve_folder(own: &str, base: &str, usual: &str) -> Result<PathBuf, AppError> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if let Some(path) = absolute(own) {
        return Ok(path);
    }
    absolute(base).or_else(|| dirs::home_dir().map(|home| home.join(usual))).map(|path| path.join(NAME)).ok_or_else(
        || {
            AppError::new(ErrorCode::Internal, tr!("There is no home folder for storing data"))
                .with_hint(tr!("Set {variable} to a writable folder", variable = own))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0190a5f2-7c1e-7f00-8a3b-1234567890ab";

    #[test]
    fn an_id_that_is_a_path_names_no_folder() {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders::with_root(root.path());
        assert_eq!(folders.owner_views(ID).unwrap(), root.path().join("data/views").join(ID));
        for other in ["", "..", "../../home", "/etc", "a", &format!("../{ID}")] {
            assert_eq!(folders.owner_views(other).unwrap_err().code, ErrorCode::NotFound, "{other}");
        }
    }

    #[test]
    fn only_a_folder_right_below_its_parent_is_removed() {
        let root = tempfile::tempdir().unwrap();
        let (parent, outside) = (root.path().join("views"), root.path().join("outside"));
        for folder in [parent.join("mine"), outside.clone()] {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("file"), "x").unwrap();
        }
        for path in ["../outside", "..", ".", "", "mine/../../outside", outside.to_str().unwrap()] {
            assert!(remove_below(&parent, path).is_err(), "{path}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&outside, parent.join("link")).unwrap();
            assert!(remove_below(&parent, "link").is_err());
        }
        assert!(outside.join("file").exists() && parent.join("mine/file").exists());
        remove_below(&parent, "mine").unwrap();
        remove_below(&parent, "mine").unwrap();
        assert!(!parent.join("mine").exists());
    }
}
