//! Errors of the value index.

use std::path::PathBuf;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_warehouse::WarehouseError;
use vitrine_words::{in_english, later, tr, translate_constant};

/// An error of the value index, with advice if available.
#[derive(Debug)]
#[non_exhaustive]
pub enum ValuesError {
    /// The index folder could not be created or written to.
    Folder {
        /// Path of the index folder.
        path: PathBuf,
        /// The I/O error that caused it.
        source: std::io::Error,
    },
    /// The index file could not be read or written.
    Storage(rusqlite::Error),
    /// Another process is building the same index.
    Busy {
        /// Path of the index file.
        path: PathBuf,
    },
    /// The warehouse failed as a whole. A failure of a single column is part of the report instead.
    Warehouse(WarehouseError),
    /// The user cancelled the build. Finished columns remain, and the next build continues after them.
    Cancelled,
    /// A file of the embedding model does not exist.
    ModelMissing {
        /// Path of the missing file.
        path: PathBuf,
    },
    /// The embedding model could not be loaded or run.
    Model {
        /// Path of the model's folder.
        path: PathBuf,
        /// Message of the underlying error.
        message: String,
    },
    /// A background task ended without a result, by panic or cancellation.
    Task(tokio::task::JoinError),
}

impl ValuesError {
    /// Returns the error message in the language of the program.
    pub(crate) fn in_words(&self) -> String {
        match self {
            Self::Folder { path, source } => {
                tr!("the value index cannot be stored at {path}: {error}", path = path.display(), error = source)
            }
            Self::Storage(error) => tr!("the value index cannot be read or written: {error}", error),
            Self::Busy { path } => tr!("another program is building the value index {path}", path = path.display()),
            Self::Warehouse(error) => tr!("the database could not be read for the value index: {error}", error),
            Self::Cancelled => tr!("building the value index was cancelled"),
            Self::ModelMissing { path } => tr!("the embedding model's file {path} is missing", path = path.display()),
            Self::Model { path, message } => {
                tr!("the embedding model in {path} failed: {message}", path = path.display(), message)
            }
            Self::Task(error) => tr!("a task of the value index ended early: {error}", error),
        }
    }
}

/// Always in English, because models and logs read it.
impl std::fmt::Display for ValuesError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&in_english(|| self.in_words()))
    }
}

impl std::error::Error for ValuesError {}

impl From<rusqlite::Error> for ValuesError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Storage(error)
    }
}

impl From<WarehouseError> for ValuesError {
    fn from(error: WarehouseError) -> Self {
        Self::Warehouse(error)
    }
}

impl From<tokio::task::JoinError> for ValuesError {
    fn from(error: tokio::task::JoinError) -> Self {
        Self::Task(error)
    }
}

impl From<ValuesError> for AppError {
    fn from(error: ValuesError) -> Self {
        let code = match &error {
            ValuesError::Cancelled => ErrorCode::Cancelled,
            ValuesError::ModelMissing { .. } => ErrorCode::ModelMissing,
            ValuesError::Model { .. } => ErrorCode::Model,
            ValuesError::Warehouse(_) => ErrorCode::Connection,
            _ => ErrorCode::Internal,
        };
        let hint = match &error {
            ValuesError::Folder { .. } => Some(later!("check that the folder above it exists and can be written")),
            ValuesError::Storage(_) => {
                Some(later!("check the free disk space; the index file may be deleted, it is built again"))
            }
            ValuesError::Busy { .. } => {
                Some(later!("wait until it has finished; the finished part can already be searched"))
            }
            ValuesError::ModelMissing { .. } | ValuesError::Model { .. } => {
                Some(later!("pull it again: vitrine models pull minilm-l6-v2"))
            }
            ValuesError::Cancelled => Some(later!("build again to continue where it stopped")),
            ValuesError::Warehouse(_) | ValuesError::Task(_) => None,
        };
        match error {
            ValuesError::Warehouse(inner) => AppError::from(inner),
            other => {
                let mut app = AppError::new(code, other.in_words());
                app.hint = hint.map(|hint| translate_constant(hint).to_owned());
                app
            }
        }
    }
}
