//! Errors of the workspace file, and what the user can do about them.

use rusqlite::ErrorCode as Sqlite;
use std::path::{Path, PathBuf};
use vitrine_domain::{AppError, ErrorCode, capital};
use vitrine_words::{later, told, tr};

/// Why the workspace did not do what was asked. Nothing is changed when one of these is returned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The file is something else than an SQLite database.
    #[error("{} is not a workspace file", .path.display())]
    NotAWorkspace {
        /// The file.
        path: PathBuf,
    },
    /// A later version of Vitrine has written the file.
    #[error("the workspace {} was written by a newer version of Vitrine (format {found}; this one knows {known})", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest format known here.
        known: u32,
    },
    /// An older version of Vitrine has the file open, which has to be changed for this one.
    #[error("the workspace {} is open in an older version of Vitrine", .path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// Another program keeps the file locked.
    #[error("the workspace {} is locked by another program", .path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged.
    #[error("the workspace {} is damaged: {message}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        message: String,
    },
    /// No room is left.
    #[error("the disk is full: {} cannot be written", .path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// A file or folder cannot be read or written.
    #[error("{} cannot be used: {message}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        message: String,
    },
    /// A file to import is not an exported run.
    #[error("{} is not an exported run: {message}", .path.display())]
    NotARun {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// Nothing has this name.
    #[error("there is no {what} '{id}'")]
    NotFound {
        /// What was looked for, e.g. `run`.
        what: &'static str,
        /// Its name.
        id: String,
    },
    /// An event would leave a gap in the log, or repeat one.
    #[error("event {got} of run {run_id} cannot be stored: the next one is {expected}")]
    OutOfOrder {
        /// The run.
        run_id: String,
        /// The number that is next.
        expected: u32,
        /// The number that came.
        got: u32,
    },
    /// An event came after the last one, or before the first.
    #[error("event {seq} of run {run_id} cannot be stored: {reason}")]
    Misplaced {
        /// The run.
        run_id: String,
        /// The event's number.
        seq: u32,
        /// Why.
        reason: &'static str,
    },
    /// A run cannot be deleted while events are still to come.
    #[error("run {run_id} has not ended")]
    StillRunning {
        /// The run.
        run_id: String,
    },
    /// Another connection has this name or address.
    #[error("the connection '{name}' has this {what} already")]
    Taken {
        /// `name` or `address`.
        what: &'static str,
        /// The other connection.
        name: String,
    },
    /// Something that cannot be kept.
    #[error("{message}")]
    Invalid {
        /// What and why.
        message: String,
    },
    /// Anything else that SQLite or a stored value says.
    #[error("the workspace {} failed: {message}", .path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// The underlying message.
        message: String,
    },
}

impl StoreError {
    /// Classifies an SQLite error by what the user can do about it.
    pub(crate) fn from_sqlite(error: &rusqlite::Error, path: &Path) -> Self {
        let path = path.to_owned();
        let message = error.to_string();
        match error.sqlite_error_code() {
            Some(Sqlite::NotADatabase) => StoreError::NotAWorkspace { path },
            Some(Sqlite::DatabaseBusy | Sqlite::DatabaseLocked | Sqlite::FileLockingProtocolFailed) => {
                StoreError::Locked { path }
            }
            Some(Sqlite::DatabaseCorrupt) => StoreError::Damaged { path, message },
            Some(Sqlite::DiskFull) => StoreError::DiskFull { path },
            Some(Sqlite::CannotOpen | Sqlite::PermissionDenied | Sqlite::ReadOnly | Sqlite::SystemIoFailure) => {
                StoreError::File { path, message }
            }
            _ => StoreError::Failed { path, message },
        }
    }

    pub(crate) fn file(path: &Path, error: &std::io::Error) -> Self {
        let path = path.to_owned();
        match vitrine_domain::is_disk_full(error) {
            true => StoreError::DiskFull { path },
            false => StoreError::File { path, message: error.to_string() },
        }
    }

    pub(crate) fn not_found(what: &'static str, id: &str) -> Self {
        StoreError::NotFound { what, id: id.to_owned() }
    }
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        let (code, hint) = match &error {
            StoreError::NotAWorkspace { .. } => (
                ErrorCode::Internal,
                later!("Move the file away, or choose another data folder; it has not been changed."),
            ),
            StoreError::Newer { .. } => (
                ErrorCode::Internal,
                later!("Start the newer version, or choose another data folder; the file has not been changed."),
            ),
            StoreError::InUse { .. } => (
                ErrorCode::Internal,
                later!(
                    "Close the older version, then start this one: it copies the workspace and brings it up to date."
                ),
            ),
            StoreError::Locked { .. } => {
                (ErrorCode::Internal, later!("Close the other program that has the file open, then try again."))
            }
            StoreError::Damaged { .. } => (
                ErrorCode::Internal,
                later!(
                    "Move the file away to start with an empty workspace, or put back a copy of it; `sqlite3 FILE .recover` may save its content."
                ),
            ),
            StoreError::DiskFull { .. } => (ErrorCode::Internal, later!("Free some space, then try again.")),
            StoreError::File { .. } => {
                (ErrorCode::Internal, later!("Check that the folder exists and may be written to."))
            }
            StoreError::NotARun { .. } => (ErrorCode::Usage, later!("Choose a file written by `vitrine runs export`.")),
            StoreError::NotFound { .. } => (ErrorCode::NotFound, later!("It may have been deleted meanwhile.")),
            StoreError::StillRunning { .. } => (ErrorCode::Usage, later!("Stop the run first.")),
            StoreError::Taken { what: "name", .. } => (ErrorCode::Usage, later!("Choose another name.")),
            StoreError::Taken { .. } => (ErrorCode::Usage, later!("Use that connection, or remove it first.")),
            StoreError::Invalid { .. } => (ErrorCode::Usage, later!("Change it and try again.")),
            StoreError::OutOfOrder { .. } | StoreError::Misplaced { .. } | StoreError::Failed { .. } => {
                (ErrorCode::Internal, later!("Start the app anew; if it stays, report it with the run's log."))
            }
        };
        let message = match &error {
            StoreError::Taken { what: "name", name } => tr!("The connection '{name}' has this name already.", name),
            StoreError::Taken { name, .. } => tr!("The connection '{name}' has this address already.", name),
            other => capital(&format!("{other}.")),
        };
        AppError::new(code, message).hint(told(hint))
    }
}
