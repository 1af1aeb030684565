//! Classifies SQLite's errors by the action that a user can take.

use crate::WarehouseError;
use crate::content::describe_content;
use rusqlite::{Error, ErrorCode};
use std::path::Path;
use vitrine_words::{later, tr, translate_constant};

const WANTED: &str = later!("an SQLite database");

fn error_code(error: &Error) -> Option<ErrorCode> {
    error.sqlite_error_code()
}

pub(super) fn cannot_open(error: &Error) -> bool {
    matches!(error_code(error), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// Classifies an error while opening; the file may have any content.
pub(super) fn at_open(path: &Path, error: &Error) -> WarehouseError {
    match error_code(error) {
        Some(ErrorCode::NotADatabase) => WarehouseError::NotADatabase {
            path: path.to_path_buf(),
            wanted: translate_constant(WANTED).to_owned(),
            detail: describe_content(path),
        },
        Some(ErrorCode::CannotOpen) => match std::fs::File::open(path) {
            Err(os) => WarehouseError::from_io_error("opening", path, &os),
            Ok(_) => WarehouseError::Io {
                action: "opening".to_owned(),
                path: path.to_path_buf(),
                message: error_message(error),
                disk_full: false,
            },
        },
        _ => in_query(path, error),
    }
}

/// Classifies an error while a statement was prepared or run.
pub(super) fn in_query(path: &Path, error: &Error) -> WarehouseError {
    let path = path.to_path_buf();
    match error_code(error) {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            WarehouseError::Locked { path, detail: error_message(error) }
        }
        Some(ErrorCode::DatabaseCorrupt) => WarehouseError::Corrupt { path, detail: error_message(error) },
        Some(ErrorCode::NotADatabase) => {
            WarehouseError::Corrupt { path, detail: tr!("its header is not that of an SQLite database any more") }
        }
        Some(ErrorCode::PermissionDenied) => WarehouseError::Permission { path },
        Some(ErrorCode::OutOfMemory) => WarehouseError::Memory { megabytes: 0 },
        Some(ErrorCode::OperationInterrupted) => WarehouseError::Cancelled,
        Some(ErrorCode::ReadOnly | ErrorCode::AuthorizationForStatementDenied) => {
            WarehouseError::Refused { message: error_message(error) }
        }
        Some(ErrorCode::SystemIoFailure) => {
            WarehouseError::Io { action: "reading".to_owned(), path, message: error_message(error), disk_full: false }
        }
        // A sort writes to the spill folder, not to the database's folder.
        Some(ErrorCode::DiskFull) => {
            let path = std::env::temp_dir();
            WarehouseError::Io { action: "writing".to_owned(), path, message: error_message(error), disk_full: true }
        }
        Some(ErrorCode::TooBig) => WarehouseError::query("a value is longer than 256 MB"),
        _ => match error {
            Error::MultipleStatement => WarehouseError::Refused { message: "more than one statement".to_owned() },
            _ => WarehouseError::query(error_message(error)),
        },
    }
}

fn error_message(error: &Error) -> String {
    match error {
        Error::SqliteFailure(_, Some(text)) => text.clone(),
        // The caller knows the statement; only the position is added.
        Error::SqlInputError { msg, offset, .. } if *offset >= 0 => format!("{msg} (at character {})", offset + 1),
        Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    }
}
