//! Why a model or a driver could not be pulled, added or removed, in words for people.

use std::io;
use std::path::{Path, PathBuf};

use vitrine_domain::{AppError, ErrorCode, capital, is_disk_full};

/// Why a model or a driver could not be pulled, added or removed.
#[derive(Debug, thiserror::Error)]
pub enum PullError {
    /// No such model.
    #[error("there is no model '{id}'; known are {known}")]
    Unknown {
        /// As asked.
        id: String,
        /// All names.
        known: String,
    },
    /// The model cannot be pulled from anywhere.
    #[error("'{id}' was added from a file and cannot be pulled")]
    NoSource {
        /// The model.
        id: String,
    },
    /// Another process is at it.
    #[error("'{id}' is being pulled by another process")]
    Busy {
        /// The model.
        id: String,
    },
    /// Too little space.
    #[error("the disk of {folder} has {free} free, and {needed} are needed", free = megabytes(*.free), needed = megabytes(*.needed), folder = .folder.display())]
    DiskFull {
        /// Where.
        folder: PathBuf,
        /// Bytes needed.
        needed: u64,
        /// Bytes there are.
        free: u64,
    },
    /// The folder cannot be written.
    #[error("{path} cannot be written: {error}", path = .path.display())]
    Folder {
        /// Where.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Every source failed.
    #[error("no source of '{id}' could be used: {}", .tried.iter().map(|(n, why)| format!("{n}: {why}")).collect::<Vec<_>>().join("; "))]
    AllFailed {
        /// The model.
        id: String,
        /// Each source and why it failed.
        tried: Vec<(String, String)>,
    },
    /// A file that a person named cannot be used.
    #[error("{path} cannot be used as a model: {message}", path = .path.display())]
    NotAModel {
        /// The file.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// No such driver.
    #[error("there is no driver '{name}'")]
    UnknownDriver {
        /// As asked.
        name: String,
    },
    /// There is no library for this system.
    #[error("there is no driver of Snowflake for {system}")]
    NoDriverHere {
        /// Operating system and processor.
        system: String,
    },
    /// A library that the user named cannot be used.
    #[error("{path} cannot be used as a driver: {message}", path = .path.display())]
    NotADriver {
        /// The file.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// The caller cancelled.
    #[error("pulling was stopped")]
    Cancelled,
}

impl PullError {
    /// Names the disk when it is full.
    pub(super) fn io(path: &Path, error: io::Error) -> Self {
        if is_disk_full(&error) {
            let folder = path.parent().unwrap_or(path).to_owned();
            return PullError::DiskFull { free: super::disk::free_bytes(&folder).unwrap_or(0), needed: 0, folder };
        }
        PullError::Folder { path: path.to_owned(), error }
    }
}

fn megabytes(bytes: u64) -> String {
    match bytes {
        0 => "more".to_owned(),
        bytes if bytes < 1_000_000 => format!("{} kB", bytes / 1000),
        bytes => format!("{} MB", bytes / 1_000_000),
    }
}

impl From<PullError> for AppError {
    fn from(error: PullError) -> Self {
        let (code, hint) = match &error {
            PullError::Unknown { .. } => (ErrorCode::NotFound, Some("List them with: vitrine models list")),
            PullError::NoSource { .. } => (ErrorCode::Usage, Some("Copy the file again from where you had it.")),
            PullError::Busy { .. } => (ErrorCode::Model, Some("Wait for it, or end that process.")),
            PullError::DiskFull { .. } => (
                ErrorCode::Model,
                Some(
                    "Free some space, or choose another cache folder with VITRINE_CACHE, and pull again: what is there is kept.",
                ),
            ),
            PullError::Folder { .. } => {
                (ErrorCode::Model, Some("Check the folder's permissions, or choose another one with VITRINE_CACHE."))
            }
            PullError::AllFailed { .. } => (
                ErrorCode::Model,
                Some(
                    "Check the connection and the proxy settings and pull again: what is there is kept. A file from elsewhere can be added: vitrine models add FILE (GGUF), vitrine drivers add PATH --name NAME (a driver)",
                ),
            ),
            PullError::UnknownDriver { .. } => (
                ErrorCode::NotFound,
                Some(
                    "List them with: vitrine drivers list. Any other than snowflake is added by its path: vitrine drivers add PATH --name NAME",
                ),
            ),
            PullError::NoDriverHere { .. } => {
                (ErrorCode::Usage, Some("Use Linux, macOS or Windows on a usual processor."))
            }
            PullError::NotADriver { .. } => (
                ErrorCode::Usage,
                Some("Give the path of the driver's shared library (.so, .dylib or .dll) and a name."),
            ),
            PullError::NotAModel { .. } => (ErrorCode::Usage, Some("Give the path of a whole GGUF file.")),
            PullError::Cancelled => (ErrorCode::Cancelled, Some("Pull again to go on: what is there is kept.")),
        };
        let mut app = AppError::new(code, capital(&error.to_string()));
        app.hint = hint.map(str::to_owned);
        app
    }
}
