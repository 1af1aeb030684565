//! Errors of the workspace file, and how the user can fix them.

use rusqlite::ErrorCode as Sqlite;
use std::path::{Path, PathBuf};
use vitrine_domain::{AppError, ErrorCode, capitalize_first};
use vitrine_words::{in_english, later, tr, translate_constant};

/// The reason why an operation on the workspace failed. The workspace is unchanged if one of these is returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreError {
    /// The file is not an SQLite database.
    NotAWorkspace {
        /// The path of the workspace file.
        path: PathBuf,
    },
    /// The file was written by a later version of Vitrine.
    Newer {
        /// The path of the workspace file.
        path: PathBuf,
        /// The format version of the file.
        found: u32,
        /// The newest format version that this program supports.
        known: u32,
    },
    /// An older version of Vitrine has the file open, but it must be migrated for this version.
    InUse {
        /// The path of the workspace file.
        path: PathBuf,
    },
    /// Another program holds a lock on the file.
    Locked {
        /// The path of the workspace file.
        path: PathBuf,
    },
    /// The workspace file is damaged.
    Damaged {
        /// The path of the workspace file.
        path: PathBuf,
        /// The error message of SQLite.
        message: String,
    },
    /// The disk of the workspace file is full.
    DiskFull {
        /// The path of the workspace file.
        path: PathBuf,
    },
    /// A file or folder cannot be read or written.
    File {
        /// The path of the file or folder.
        path: PathBuf,
        /// The message from the operating system.
        message: String,
    },
    /// The file to import is not an exported run.
    NotARun {
        /// The path of the imported file.
        path: PathBuf,
        /// A description of the problem in the file.
        message: String,
    },
    /// No object has this name.
    NotFound {
        /// The kind of object, e.g. `run`.
        what: &'static str,
        /// The requested name or id.
        id: String,
    },
    /// An event would leave a gap in the log or repeat an event.
    OutOfOrder {
        /// The id of the run.
        run_id: String,
        /// The sequence number that was expected.
        expected: u32,
        /// The sequence number of the event.
        got: u32,
    },
    /// An event came after the last event or before the first.
    Misplaced {
        /// The id of the run.
        run_id: String,
        /// The sequence number of the event.
        seq: u32,
        /// The reason for the rejection.
        reason: &'static str,
    },
    /// A run cannot be deleted while it is running.
    StillRunning {
        /// The id of the run.
        run_id: String,
    },
    /// Another connection has this name or address.
    Taken {
        /// The conflicting property: `name` or `address`.
        what: &'static str,
        /// Name of the other connection.
        name: String,
    },
    /// A value that cannot be stored.
    Invalid {
        /// The value and the reason.
        message: String,
    },
    /// Any other error of SQLite or of a stored value.
    Failed {
        /// The path of the workspace file.
        path: PathBuf,
        /// The message of the underlying error.
        message: String,
    },
}

impl StoreError {
    /// Returns the message in the current language.
    pub(crate) fn in_words(&self) -> String {
        match self {
            Self::NotAWorkspace { path } => tr!("{path} is not a workspace file", path = path.display()),
            Self::Newer { path, found, known } => tr!(
                "the workspace {path} was written by a newer version of Vitrine (format {found}; this one knows {known})",
                path = path.display(),
                found,
                known
            ),
            Self::InUse { path } => {
                tr!("the workspace {path} is open in an older version of Vitrine", path = path.display())
            }
            Self::Locked { path } => tr!("the workspace {path} is locked by another program", path = path.display()),
            Self::Damaged { path, message } => {
                tr!("the workspace {path} is damaged: {message}", path = path.display(), message)
            }
            Self::DiskFull { path } => tr!("the disk is full: {path} cannot be written", path = path.display()),
            Self::File { path, message } => tr!("{path} cannot be used: {message}", path = path.display(), message),
            Self::NotARun { path, message } => {
                tr!("{path} is not an exported run: {message}", path = path.display(), message)
            }
            Self::NotFound { what, id } => not_found(what, id),
            Self::OutOfOrder { run_id, expected, got } => {
                tr!("event {got} of run {run_id} cannot be stored: the next one is {expected}", got, run_id, expected)
            }
            Self::Misplaced { run_id, seq, reason } => {
                tr!("event {seq} of run {run_id} cannot be stored: {reason}", seq, run_id, reason)
            }
            Self::StillRunning { run_id } => tr!("run {run_id} has not ended", run_id),
            Self::Taken { what: "name", name } => tr!("the connection '{name}' has this name already", name),
            Self::Taken { name, .. } => tr!("the connection '{name}' has this address already", name),
            Self::Invalid { message } => message.clone(),
            Self::Failed { path, message } => {
                tr!("the workspace {path} failed: {message}", path = path.display(), message)
            }
        }
    }
}

/// Always in English, because models and logs read it.
impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&in_english(|| self.in_words()))
    }
}

impl std::error::Error for StoreError {}

impl StoreError {
    /// Classifies an SQLite error by its remedy for the user.
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

    pub(crate) fn from_io(path: &Path, error: &std::io::Error) -> Self {
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

fn not_found(what: &str, id: &str) -> String {
    match what {
        "connection" => tr!("connection '{id}' not found", id),
        "model" => tr!("there is no model '{id}'", id),
        "reading" => tr!("interpretation '{id}' not found", id),
        "run" => tr!("there is no run '{id}'", id),
        "saved question" => tr!("saved question '{id}' not found", id),
        _ => tr!("warehouse '{id}' not found", id),
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
                (ErrorCode::Internal, later!("Restart the app; if the error persists, report it with the run's log."))
            }
        };
        let message = capitalize_first(&format!("{}.", error.in_words()));
        AppError::new(code, message).with_hint(translate_constant(hint))
    }
}
