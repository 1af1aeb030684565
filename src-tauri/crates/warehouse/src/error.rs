//! Errors of databases, written so that users know what to do next.

use crate::SshFault;
use std::path::{Path, PathBuf};
use vitrine_domain::{AppError, ErrorCode, capitalize_first};
use vitrine_words::{in_english, tr};

/// An error that can occur between an address and its rows.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum WarehouseError {
    /// The address has no known kind of warehouse.
    Address {
        /// The text that was given.
        text: String,
        /// The problem with the address.
        reason: String,
    },
    /// The file or folder does not exist.
    NotFound {
        /// The expected path of the file.
        path: PathBuf,
    },
    /// The path is a folder, but a file is required.
    IsFolder {
        /// The path of the folder.
        path: PathBuf,
        /// The expected kind of file, with its article.
        wanted: String,
    },
    /// No export format has this file extension.
    NoExport {
        /// The extension in lower case.
        extension: String,
    },
    /// The file is of another kind or of an unknown kind.
    NotADatabase {
        /// The path of the file.
        path: PathBuf,
        /// The expected kind of file, with its article.
        wanted: String,
        /// The actual kind, or the reader's own message.
        detail: String,
    },
    /// The file has the right kind by its name, but its content cannot be read as that kind.
    Unreadable {
        /// The path of the file.
        path: PathBuf,
        /// The expected format, with its article.
        format: String,
        /// The message of the reader.
        detail: String,
    },
    /// Another program has locked the file.
    Locked {
        /// The path of the file.
        path: PathBuf,
        /// The message of the engine.
        detail: String,
    },
    /// The file is damaged or truncated.
    Corrupt {
        /// The path of the file.
        path: PathBuf,
        /// The message of the engine.
        detail: String,
    },
    /// The engine cannot explain the query, or would run a part of it to do so.
    NoPlan {
        /// The name of the engine.
        engine: String,
    },
    /// The operating system denied read access to the file.
    Permission {
        /// The path of the file.
        path: PathBuf,
    },
    /// No server answers at the address, or the connection was lost.
    Unreachable {
        /// The database's address, without a password.
        server: String,
        /// The description of the failure.
        detail: String,
    },
    /// The SSH connection to the server's machine failed.
    Ssh {
        /// The kind of the failure.
        fault: SshFault,
        /// The failure, described in words.
        message: String,
        /// The advice on what to do next.
        hint: String,
        /// The output of the `ssh` program.
        detail: String,
    },
    /// The server requires a password and got none, or rejected it.
    Password {
        /// The database's address, without a password.
        server: String,
        /// True if a password was sent.
        refused: bool,
        /// The server's own message, if any.
        detail: String,
    },
    /// The key that an address uses for login is protected by a passphrase.
    Passphrase {
        /// The path of the key file.
        key: PathBuf,
        /// True if a passphrase was given.
        wrong: bool,
    },
    /// The password was not sent, because it could have been read on the way or by an unverified server.
    Unprotected {
        /// The address without its password.
        server: String,
        /// True if the server asks for the password in clear text.
        cleartext: bool,
    },
    /// The server answers, but does not admit this login to the database.
    NotAdmitted {
        /// The database's address, without a password.
        server: String,
        /// The message of the server.
        detail: String,
    },
    /// The login worked when the database was opened and no longer does: the password was changed or has expired.
    SignInAgain {
        /// The database's address, without a password.
        server: String,
        /// The message of the server.
        detail: String,
    },
    /// The login has no permission to read something in the query.
    NoPermission {
        /// The engine's own message, which names the object.
        message: String,
    },
    /// Rows of the table are available only through a query.
    NoPreview {
        /// The name of the table.
        table: String,
        /// The reason, as the end of a sentence.
        reason: String,
    },
    /// The driver that the address requires is not installed.
    NoDriver {
        /// The name of the driver.
        name: String,
    },
    /// The folder contains no file that could be a table.
    Empty {
        /// The path of the folder or file.
        path: PathBuf,
        /// The description of the expected files.
        looked_for: String,
    },
    /// The engine refused the statement because it does more than read.
    Refused {
        /// The message of the engine.
        message: String,
    },
    /// The engine failed to run the query.
    Query {
        /// The message of the engine.
        message: String,
    },
    /// The query exceeded its time limit and was interrupted.
    Timeout {
        /// The time limit in seconds.
        seconds: u64,
    },
    /// The user stopped the query.
    Cancelled,
    /// The query exceeded its memory limit.
    Memory {
        /// The memory limit in megabytes.
        megabytes: u64,
    },
    /// The query was not run, because it would be billed for more than its limit.
    OverBudget {
        /// The limit on billed bytes.
        limit: u64,
        /// The bytes that the query would be billed for, if known.
        bytes: Option<u64>,
    },
    /// The query was ended, because it read more than its limit.
    OverRead {
        /// The limit on read bytes.
        limit: u64,
    },
    /// The query was not run, because it would exceed a limit of a question, a connection or a month.
    OverCap {
        /// The owner of the limit.
        whose: Limited,
        /// The limit in billed or read bytes.
        most: u64,
        /// The bytes of the limit that are spent or reserved.
        spent: u64,
        /// The bytes that the query would be billed for or read; 0 if unknown.
        ahead: u64,
        /// The price of a tebibyte in millionths of a US dollar, if known.
        price: Option<u64>,
    },
    /// The process of the engine ended unexpectedly.
    Interrupted {
        /// The cause, as far as known.
        detail: String,
    },
    /// The query reads a table outside the connection's scope.
    OutOfScope {
        /// The table as the query names it; `the query` if it cannot be determined.
        table: String,
        /// The schemas of the scope.
        schemas: Vec<String>,
    },
    /// The connection runs only approved SQL, and this text is not approved.
    NotApproved {
        /// The exact text that would run.
        sql: String,
        /// The SHA-256 of the text, 64 hex digits.
        sql_sha256: String,
    },
    /// Rows were requested from a `ddl:` warehouse.
    SchemaOnly,
    /// The query cannot be split into queries of its sources, or their rows cannot be joined here.
    Join {
        /// The problem, as a sentence without its final period.
        message: String,
        /// The advice on what to do next.
        hint: String,
    },
    /// The part of a query that one source runs failed.
    OfSource {
        /// The name of the source.
        source: String,
        /// The error of the source.
        error: Box<WarehouseError>,
    },
    /// Reading or writing a file failed.
    Io {
        /// The failed operation, e.g. `writing`.
        action: String,
        /// The path of the file.
        path: PathBuf,
        /// The message of the operating system.
        message: String,
        /// True if the disk is full.
        disk_full: bool,
    },
}

/// The owner of a limit on billed or read bytes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Limited {
    /// The limit of a single question.
    Question,
    /// The monthly limit of a connection; `None` for a database without a name.
    Month(Option<String>),
    /// The monthly limit of all connections.
    AllMonth,
}

/// Always in English, because models and logs read it.
impl std::fmt::Display for WarehouseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&in_english(|| self.in_words()))
    }
}

impl std::error::Error for WarehouseError {}

impl WarehouseError {
    /// Creates an error of a query.
    pub fn query(message: impl Into<String>) -> Self {
        Self::Query { message: message.into() }
    }

    /// Creates the variant that fits an error of the file system.
    pub(crate) fn from_io_error(action: &str, path: &Path, error: &std::io::Error) -> Self {
        use std::io::ErrorKind as Kind;
        let path = path.to_path_buf();
        match error.kind() {
            Kind::NotFound => Self::NotFound { path },
            Kind::PermissionDenied => Self::Permission { path },
            _ => Self::Io {
                action: action.to_owned(),
                path,
                message: error.to_string(),
                disk_full: vitrine_domain::is_disk_full(error),
            },
        }
    }

    /// Returns true if the error ends the run: the user stopped the query or did not approve it, or the warehouse is
    /// inaccessible. Another query cannot help, and repeated logins with an invalid password may lock the account.
    pub fn ends_run(&self) -> bool {
        match self {
            Self::OfSource { error, .. } => error.ends_run(),
            Self::Cancelled | Self::NotApproved { .. } | Self::NoDriver { .. } => true,
            other => other.is_of_access(),
        }
    }

    /// Returns true if the warehouse is inaccessible, independent of the query. `NotAdmitted` is excluded, because the
    /// server may only have too many connections at the moment, so that concurrent candidates may still succeed.
    fn is_of_access(&self) -> bool {
        matches!(
            self,
            Self::Unreachable { .. }
                | Self::Ssh { .. }
                | Self::Password { .. }
                | Self::Passphrase { .. }
                | Self::Unprotected { .. }
                | Self::SignInAgain { .. }
        )
    }
}

impl From<WarehouseError> for AppError {
    fn from(error: WarehouseError) -> Self {
        use WarehouseError as E;
        let error = match error {
            E::OfSource { source, error } => {
                let own = Self::from(*error);
                let message = tr!("{source}: {message}", source, message = own.message);
                return Self { message, ..own };
            }
            error => error,
        };
        let code = match &error {
            E::Address { .. } | E::NoExport { .. } => ErrorCode::Usage,
            E::NotFound { .. }
            | E::IsFolder { .. }
            | E::NotADatabase { .. }
            | E::Unreadable { .. }
            | E::Locked { .. }
            | E::Corrupt { .. }
            | E::Permission { .. }
            | E::Unreachable { .. }
            | E::Ssh { .. }
            | E::NotAdmitted { .. }
            | E::NoDriver { .. }
            | E::Unprotected { .. }
            | E::Empty { .. } => ErrorCode::Connection,
            // BigQuery takes no password that a user could enter.
            E::SignInAgain { server, .. } if server.starts_with("bigquery:") => ErrorCode::Connection,
            E::Password { .. } | E::SignInAgain { .. } => ErrorCode::Password,
            E::Passphrase { .. } => ErrorCode::Passphrase,
            E::Refused { .. } => ErrorCode::NotReadOnly,
            // The same code as for the cost limits of models.
            E::OverCap { .. } => ErrorCode::Usage,
            E::NotApproved { .. } => ErrorCode::NotApproved,
            E::Query { .. }
            | E::NoPreview { .. }
            | E::NoPlan { .. }
            | E::NoPermission { .. }
            | E::OutOfScope { .. }
            | E::Timeout { .. }
            | E::Memory { .. }
            | E::OverBudget { .. }
            | E::OverRead { .. }
            | E::Interrupted { .. }
            | E::Join { .. }
            | E::OfSource { .. }
            | E::SchemaOnly => ErrorCode::Query,
            E::Cancelled => ErrorCode::Cancelled,
            E::Io { .. } => ErrorCode::Internal,
        };
        let mut app = AppError::new(
            code,
            match &error {
                E::Query { .. } => tr!("The database could not run the query"),
                E::NoPermission { .. } => tr!("This login may not read what the query reads"),
                E::Io { disk_full: true, path, .. } => {
                    tr!("The disk is full: {path} could not be written", path = path.display())
                }
                E::OverCap { .. } => capitalize_first(&error.in_words()),
                other => capitalize_prose(&other.in_words()),
            },
        );
        app.hint = error.hint();
        app.detail = match error {
            E::NotADatabase { detail, .. }
            | E::Unreadable { detail, .. }
            | E::Locked { detail, .. }
            | E::Corrupt { detail, .. }
            | E::Unreachable { detail, .. }
            | E::Ssh { detail, .. }
            | E::Password { detail, .. }
            | E::NotAdmitted { detail, .. }
            | E::SignInAgain { detail, .. }
            | E::Interrupted { detail }
                if !detail.is_empty() =>
            {
                Some(detail)
            }
            E::Query { message } | E::NoPermission { message } => Some(message),
            E::Io { message, disk_full: true, .. } => Some(message),
            E::NotApproved { sql, sql_sha256 } => Some(format!("{sql}\nSHA-256 {sql_sha256}")),
            _ => None,
        };
        app
    }
}

/// Capitalizes the first letter of a sentence, but not of a path or a quoted text.
fn capitalize_prose(text: &str) -> String {
    let prose = ["the ", "this ", "permission ", "nothing "].iter().any(|start| text.starts_with(start));
    if prose { capitalize_first(text) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_read_names_the_file_and_says_what_to_do() {
        let os = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
        let app = AppError::from(WarehouseError::from_io_error("reading", Path::new("/data/shop.db"), &os));
        assert_eq!(app.code, ErrorCode::Connection);
        assert!(app.message.contains("/data/shop.db") && app.message.contains("Permission denied"));
        assert!(app.hint.unwrap().contains("permission"));
    }

    #[test]
    fn what_would_cost_too_much_says_how_much_and_what_to_do() {
        let app = AppError::from(WarehouseError::OverBudget { limit: 10_000_000_000, bytes: Some(1_540_000_000_000) });
        assert_eq!(
            app.message,
            "The query was not run: it would be billed for 1.5 TB, more than the 10 GB that one query may"
        );
        assert!(app.code == ErrorCode::Query && app.hint.unwrap().contains("maximum_bytes_billed"));
        let unknown = WarehouseError::OverBudget { limit: 900, bytes: None };
        assert!(unknown.to_string().ends_with("more than the 900 bytes that one query may"));
    }

    #[test]
    fn names_of_files_keep_their_letters() {
        let app = AppError::from(WarehouseError::NotFound { path: "shop.db".into() });
        assert_eq!(app.message, "shop.db does not exist");
        assert_eq!(AppError::from(WarehouseError::Cancelled).message, "The query was cancelled");
    }

    #[test]
    fn a_full_disk_is_called_a_full_disk() {
        let os = std::io::Error::from(std::io::ErrorKind::StorageFull);
        let app = AppError::from(WarehouseError::from_io_error("writing", Path::new("out.csv"), &os));
        assert!(app.message.starts_with("The disk is full"), "{app}");
        assert!(app.hint.unwrap().contains("Free some space"));
    }
}
