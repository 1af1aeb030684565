//! Errors of the value index.

use std::path::PathBuf;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_warehouse::WarehouseError;

/// An error of the value index, with what to do next where that is known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ValuesError {
    /// The folder of the index could not be made or written to.
    #[error("the value index cannot be kept at {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The index file could not be read or written.
    #[error("the value index cannot be read or written: {0}")]
    Storage(#[from] rusqlite::Error),
    /// Another process is building the same index.
    #[error("another program is building the value index {}", path.display())]
    Busy {
        /// The index file.
        path: PathBuf,
    },
    /// The warehouse failed as a whole; a failure of one column is noted in the report instead.
    #[error("the database could not be read for the value index: {0}")]
    Warehouse(#[from] WarehouseError),
    /// The person stopped it. Columns that were finished stay, and the next build goes on from there.
    #[error("building the value index was cancelled")]
    Cancelled,
    /// A file of the embedding model is not there.
    #[error("the embedding model's file {} is missing", path.display())]
    ModelMissing {
        /// The file.
        path: PathBuf,
    },
    /// The embedding model could not be loaded or run.
    #[error("the embedding model in {} failed: {message}", path.display())]
    Model {
        /// The model's folder.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// A background task ended without a result.
    #[error("a task of the value index ended early: {0}")]
    Task(#[from] tokio::task::JoinError),
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
            ValuesError::Folder { .. } => Some("check that the folder above it exists and can be written"),
            ValuesError::Storage(_) => {
                Some("check the free disk space; the index file may be deleted, it is built again")
            }
            ValuesError::Busy { .. } => Some("wait until it has finished; what is built already can be searched"),
            ValuesError::ModelMissing { .. } | ValuesError::Model { .. } => {
                Some("pull it again: vitrine models pull minilm-l6-v2")
            }
            ValuesError::Cancelled => Some("build again to go on where it stopped"),
            ValuesError::Warehouse(_) | ValuesError::Task(_) => None,
        };
        match error {
            ValuesError::Warehouse(inner) => AppError::from(inner),
            other => {
                let mut app = AppError::new(code, other.to_string());
                app.hint = hint.map(str::to_owned);
                app
            }
        }
    }
}
