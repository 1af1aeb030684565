//! The error type that is shown to users: a message, a hint and details.

use serde::{Deserialize, Serialize};
use specta::Type;
use std::fmt;

/// Error codes. A code exists only if front ends handle the error differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ErrorCode {
    /// The request is invalid (exit status 2).
    Usage,
    /// The database could not be opened or read (exit status 4).
    Connection,
    /// The server needs a password, or rejected the given one (exit status 4).
    Password,
    /// The private key needs a passphrase, or the given one is wrong (exit status 4).
    Passphrase,
    /// The user has not confirmed yet that Vitrine may connect to this database (exit status 4).
    Unconfirmed,
    /// The model could not be loaded, reached or read (exit status 4).
    Model,
    /// A model file has to be downloaded first (exit status 4).
    ModelMissing,
    /// The SQL is not a single read-only query (exit status 2).
    NotReadOnly,
    /// The connection requires an approval, and this SQL was not approved (exit status 3).
    NotApproved,
    /// The database rejected the query or failed to execute it (exit status 3).
    Query,
    /// The database does not contain the requested information (exit status 3).
    NotInData,
    /// The user stopped the run (exit status 3).
    Cancelled,
    /// A named object was not found (exit status 2).
    NotFound,
    /// All other errors (exit status 4).
    Internal,
}

/// An error in the form that is shown to users.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AppError {
    /// The code, for front ends.
    pub code: ErrorCode,
    /// The problem and its place, in one sentence.
    pub message: String,
    /// A suggestion for the user, in one sentence.
    pub hint: Option<String>,
    /// The underlying error message, for bug reports.
    pub detail: Option<String>,
}

impl AppError {
    /// Creates an error without a hint and details.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, detail: None }
    }

    /// Adds a suggestion for the user.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the underlying error message.
    pub fn with_detail(mut self, detail: impl fmt::Display) -> Self {
        self.detail = Some(detail.to_string());
        self
    }
}

/// Returns true if a file could not be written because its disk or the user's quota is full.
pub fn is_disk_full(error: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(detail) = &self.detail {
            write!(f, ": {detail}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for AppError {}
