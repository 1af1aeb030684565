//! Errors of pulling, adding or removing a model or a driver, worded for users.

use std::io;
use std::path::{Path, PathBuf};
use vitrine_words::{in_english, later, tr, translate_constant};

use vitrine_domain::{AppError, ErrorCode, capitalize_first, is_disk_full};

/// The reason why a model or driver could not be pulled, added or removed.
#[derive(Debug)]
pub enum PullError {
    /// The model does not exist.
    Unknown {
        /// The name of the requested model.
        id: String,
        /// The names of all known models.
        known: String,
    },
    /// The model has no download source.
    NoSource {
        /// The name of the model.
        id: String,
    },
    /// Another process is pulling the model.
    Busy {
        /// The name of the model.
        id: String,
    },
    /// The disk has too little free space.
    DiskFull {
        /// The folder on that disk.
        folder: PathBuf,
        /// The number of bytes needed; 0 if unknown.
        needed: u64,
        /// The number of free bytes.
        free: u64,
    },
    /// The folder cannot be written.
    Folder {
        /// The path of the file or folder.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// All sources of the download failed.
    AllFailed {
        /// The name of the model.
        id: String,
        /// Each source and the reason why it failed.
        tried: Vec<(String, String)>,
    },
    /// The user's file cannot be used as a model.
    NotAModel {
        /// The path of the file.
        path: PathBuf,
        /// The reason why it cannot be used.
        message: String,
    },
    /// The driver does not exist.
    UnknownDriver {
        /// The name of the requested driver.
        name: String,
    },
    /// No library exists for this system.
    NoDriverHere {
        /// The operating system and processor.
        system: String,
    },
    /// The user's library cannot be used as a driver.
    NotADriver {
        /// The path of the file.
        path: PathBuf,
        /// The reason why it cannot be used.
        message: String,
    },
    /// The caller cancelled the operation.
    Cancelled,
}

impl PullError {
    /// Returns the error message in the program's language.
    pub(crate) fn in_words(&self) -> String {
        match self {
            Self::Unknown { id, known } => tr!("unknown model '{id}'; known models are {known}", id, known),
            Self::NoSource { id } => tr!("'{id}' was added from a file and cannot be pulled", id),
            Self::Busy { id } => tr!("'{id}' is being pulled by another process", id),
            Self::DiskFull { folder, needed: 0, free } => tr!(
                "the disk of {folder} has {free} free, and more are needed",
                folder = folder.display(),
                free = format_megabytes(*free)
            ),
            Self::DiskFull { folder, needed, free } => tr!(
                "the disk of {folder} has {free} free, and {needed} are needed",
                folder = folder.display(),
                free = format_megabytes(*free),
                needed = format_megabytes(*needed)
            ),
            Self::Folder { path, error } => tr!("{path} cannot be written: {error}", path = path.display(), error),
            Self::AllFailed { id, tried } => {
                let tried: Vec<String> = tried.iter().map(|(name, why)| format!("{name}: {why}")).collect();
                tr!("no source of '{id}' could be used: {tried}", id, tried = tried.join("; "))
            }
            Self::NotAModel { path, message } => {
                tr!("{path} cannot be used as a model: {message}", path = path.display(), message)
            }
            Self::UnknownDriver { name } => tr!("driver '{name}' not found", name),
            Self::NoDriverHere { system } => tr!("there is no Snowflake driver for {system}", system),
            Self::NotADriver { path, message } => {
                tr!("{path} cannot be used as a driver: {message}", path = path.display(), message)
            }
            Self::Cancelled => tr!("pulling was stopped"),
        }
    }
}

/// Always English, because models and logs read it.
impl std::fmt::Display for PullError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&in_english(|| self.in_words()))
    }
}

impl std::error::Error for PullError {}

impl PullError {
    /// Converts an error of the operating system; a full disk gets its own variant.
    pub(super) fn from_io(path: &Path, error: io::Error) -> Self {
        if is_disk_full(&error) {
            let folder = path.parent().unwrap_or(path).to_owned();
            return PullError::DiskFull { free: super::disk::free_bytes(&folder).unwrap_or(0), needed: 0, folder };
        }
        PullError::Folder { path: path.to_owned(), error }
    }
}

fn format_megabytes(bytes: u64) -> String {
    match bytes {
        bytes if bytes < 1_000_000 => format!("{} kB", bytes / 1000),
        bytes => format!("{} MB", bytes / 1_000_000),
    }
}

impl From<PullError> for AppError {
    fn from(error: PullError) -> Self {
        let (code, hint) = match &error {
            PullError::Unknown { .. } => (ErrorCode::NotFound, Some(later!("List them with: vitrine models list"))),
            PullError::NoSource { .. } => (ErrorCode::Usage, Some(later!("Copy the file again from its source."))),
            PullError::Busy { .. } => (ErrorCode::Model, Some(later!("Wait for it, or end that process."))),
            PullError::DiskFull { .. } => (
                ErrorCode::Model,
                Some(later!(
                    "Free some space, or choose another cache folder with VITRINE_CACHE, and pull again: downloaded parts are kept."
                )),
            ),
            PullError::Folder { .. } => (
                ErrorCode::Model,
                Some(later!("Check the folder's permissions, or choose another one with VITRINE_CACHE.")),
            ),
            PullError::AllFailed { .. } => (
                ErrorCode::Model,
                Some(later!(
                    "Check the connection and the proxy settings and pull again: downloaded parts are kept. A local file can be added: vitrine models add FILE (GGUF), vitrine drivers add PATH --name NAME (a driver)"
                )),
            ),
            PullError::UnknownDriver { .. } => (
                ErrorCode::NotFound,
                Some(later!(
                    "List them with: vitrine drivers list. Any other than snowflake is added by its path: vitrine drivers add PATH --name NAME"
                )),
            ),
            PullError::NoDriverHere { .. } => {
                (ErrorCode::Usage, Some(later!("Use Linux, macOS or Windows on a usual processor.")))
            }
            PullError::NotADriver { .. } => (
                ErrorCode::Usage,
                Some(later!("Give the path of the driver's shared library (.so, .dylib or .dll) and a name.")),
            ),
            PullError::NotAModel { .. } => (ErrorCode::Usage, Some(later!("Give the path of a whole GGUF file."))),
            PullError::Cancelled => {
                (ErrorCode::Cancelled, Some(later!("Pull again to continue: downloaded parts are kept.")))
            }
        };
        let mut app = AppError::new(code, capitalize_first(&error.in_words()));
        app.hint = hint.map(|hint| translate_constant(hint).to_owned());
        app
    }
}
