//! What goes wrong with databases, told so that a person knows what to do next.

use crate::SshFault;
use std::path::{Path, PathBuf};
use vitrine_domain::{AppError, ErrorCode, capitalize_first};
use vitrine_words::{in_english, tr};

/// Everything that can go wrong between an address and its rows.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum WarehouseError {
    /// The address names no kind of warehouse that is known.
    Address {
        /// What was given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No such file or folder.
    NotFound {
        /// Where it should be.
        path: PathBuf,
    },
    /// A folder was given where a file is needed.
    IsFolder {
        /// The folder.
        path: PathBuf,
        /// What was expected, with its article.
        wanted: String,
    },
    /// No format for results has this ending.
    NoExport {
        /// The ending, in lower case.
        extension: String,
    },
    /// The file is of another kind, or of no kind that is known.
    NotADatabase {
        /// The file.
        path: PathBuf,
        /// What was expected, with its article.
        wanted: String,
        /// What it is instead, or the reader's own message.
        detail: String,
    },
    /// The file is of the right kind by its name, and its content cannot be read as that.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What it should be, with its article.
        format: String,
        /// The reader's own message.
        detail: String,
    },
    /// Another program holds the file.
    Locked {
        /// The file.
        path: PathBuf,
        /// The engine's own message.
        detail: String,
    },
    /// The file is damaged or cut short.
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The engine's own message.
        detail: String,
    },
    /// The engine says no plan of a query, or would run a part of the query for it.
    NoPlan {
        /// What it is called.
        engine: String,
    },
    /// The operating system refused to let the file be read.
    Permission {
        /// The file.
        path: PathBuf,
    },
    /// No server answers there, or it went away.
    Unreachable {
        /// The database's address, without a password.
        server: String,
        /// What went wrong.
        detail: String,
    },
    /// There is no way to the server by SSH.
    Ssh {
        /// What stands in the way.
        fault: SshFault,
        /// That in words.
        message: String,
        /// What to do next.
        hint: String,
        /// What the program wrote.
        detail: String,
    },
    /// The server wants a password and has got none, or another one.
    Password {
        /// The database's address, without a password.
        server: String,
        /// Whether it has got one.
        refused: bool,
        /// The server's own message, where there is one.
        detail: String,
    },
    /// The key that an address signs in with is behind a passphrase.
    Passphrase {
        /// The file of the key.
        key: PathBuf,
        /// Whether there was one.
        wrong: bool,
    },
    /// A password could have been read on its way, or by whoever answers, and was not sent.
    Unprotected {
        /// The address without its password.
        server: String,
        /// Whether it asks for the password itself.
        cleartext: bool,
    },
    /// The server answers and does not let this person into this database.
    NotAdmitted {
        /// The database's address, without a password.
        server: String,
        /// The server's own message.
        detail: String,
    },
    /// The login worked when the database was opened and works no longer: a password was changed, or has expired.
    SignInAgain {
        /// The database's address, without a password.
        server: String,
        /// The server's own message.
        detail: String,
    },
    /// This login may not read something that the query reads.
    NoPermission {
        /// The engine's own message, which names it.
        message: String,
    },
    /// No rows of a table can be had without a query.
    NoPreview {
        /// The table.
        table: String,
        /// Why, as the end of a sentence.
        reason: String,
    },
    /// The driver that an address needs is not there.
    NoDriver {
        /// Its name.
        name: String,
    },
    /// A folder holds no file that could be a table.
    Empty {
        /// The folder or file.
        path: PathBuf,
        /// What was looked for.
        looked_for: String,
    },
    /// The engine would not let the statement run because it is more than a read.
    Refused {
        /// The engine's own message.
        message: String,
    },
    /// The engine could not run the query.
    Query {
        /// The engine's own message.
        message: String,
    },
    /// The query took longer than its limit and was interrupted.
    Timeout {
        /// The limit.
        seconds: u64,
    },
    /// The person stopped it.
    Cancelled,
    /// The query needed more memory than its limit.
    Memory {
        /// The limit.
        megabytes: u64,
    },
    /// The query would be billed for more than it may be, and was not run.
    OverBudget {
        /// Bytes that it may be billed for.
        limit: u64,
        /// Bytes that it would be billed for, as far as that is known.
        bytes: Option<u64>,
    },
    /// The query read more than it may, and was ended.
    OverRead {
        /// Bytes that it may read.
        limit: u64,
    },
    /// A limit of a question, a connection or a month would be passed, and the query was not run.
    OverCap {
        /// Whose limit.
        whose: Limited,
        /// The limit, in bytes that are billed or read.
        most: u64,
        /// Bytes of it that are spent or set aside.
        spent: u64,
        /// Bytes that the query would be billed for or read; 0 where nothing estimates it.
        ahead: u64,
        /// What a tebibyte costs, in millionths of a US dollar, where that is known.
        price: Option<u64>,
    },
    /// The process that the engine works in ended.
    Interrupted {
        /// How, as far as it is known.
        detail: String,
    },
    /// The query reads what the connection's scope leaves out.
    OutOfScope {
        /// The table as the query names it; `the query` where it cannot be read that far.
        table: String,
        /// The schemas of the scope.
        schemas: Vec<String>,
    },
    /// The connection runs only SQL that was approved, and this text was not.
    NotApproved {
        /// The text, byte for byte as it would run.
        sql: String,
        /// Its SHA-256, 64 hex digits.
        sql_sha256: String,
    },
    /// A `ddl:` warehouse was asked for rows.
    SchemaOnly,
    /// Reading or writing a file failed.
    Io {
        /// What was being done, e.g. `writing`.
        action: String,
        /// The file.
        path: PathBuf,
        /// The operating system's message.
        message: String,
        /// Whether there was no space left.
        disk_full: bool,
    },
}

/// Whose limit of bytes that are billed or read.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Limited {
    /// One question's.
    Question,
    /// A month's, of this connection; without a name that of a database which has none.
    Month(Option<String>),
    /// A month's, of all connections.
    AllMonth,
}

/// In English, in every language: models and logs read it.
impl std::fmt::Display for WarehouseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&in_english(|| self.in_words()))
    }
}

impl std::error::Error for WarehouseError {}

impl WarehouseError {
    /// A query error.
    pub fn query(message: impl Into<String>) -> Self {
        Self::Query { message: message.into() }
    }

    /// A file error, sorted into its kind.
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

    /// Whether a question ends with it: the user stopped the query, or did not approve it, or nothing can be asked of this
    /// warehouse any more. Another query is no answer to that, and each further login with a password that holds no longer
    /// brings an account nearer to being locked.
    pub fn ends_run(&self) -> bool {
        matches!(self, Self::Cancelled | Self::NotApproved { .. } | Self::NoDriver { .. }) || self.is_of_access()
    }

    /// Whether the way to the warehouse is closed, whatever the query says. A server that admits nobody may only be full of
    /// connections, which passes: while candidates are tried side by side, others of them may have an answer.
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
            // There is no password that could be typed.
            E::SignInAgain { server, .. } if server.starts_with("bigquery:") => ErrorCode::Connection,
            E::Password { .. } | E::SignInAgain { .. } => ErrorCode::Password,
            E::Passphrase { .. } => ErrorCode::Passphrase,
            E::Refused { .. } => ErrorCode::NotReadOnly,
            // As with the limits of what models cost.
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

/// A capital at the front, unless a path or a quoted text stands there.
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
