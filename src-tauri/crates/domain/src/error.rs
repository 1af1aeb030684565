//! The error that a person reads: what happened, where, and what to do next.

use serde::{Deserialize, Serialize};
use specta::Type;
use std::fmt;

/// Codes exist only where a front end behaves differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ErrorCode {
    /// The request itself is wrong (exit status 2).
    Usage,
    /// The database could not be opened or read (exit status 4).
    Connection,
    /// The server wants a password, or another one (exit status 4).
    Password,
    /// The key that the database is signed in to with wants a passphrase, or another one (exit status 4).
    Passphrase,
    /// Nobody has said yet that this database may be connected to (exit status 4).
    Unconfirmed,
    /// The model could not be loaded, reached or read (exit status 4).
    Model,
    /// A model file has to be pulled first (exit status 4).
    ModelMissing,
    /// The SQL is not a single read-only query (exit status 2).
    NotReadOnly,
    /// The connection runs only SQL that was approved, and this was not (exit status 3).
    NotApproved,
    /// The database refused or failed the query (exit status 3).
    Query,
    /// The data does not hold what is asked (exit status 3).
    NotInData,
    /// The person stopped it (exit status 3).
    Cancelled,
    /// Something named was not found (exit status 2).
    NotFound,
    /// Anything else (exit status 4).
    Internal,
}

/// What the person reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AppError {
    /// For front ends.
    pub code: ErrorCode,
    /// What happened and where, one sentence.
    pub message: String,
    /// What to do next, one sentence.
    pub hint: Option<String>,
    /// The underlying message, for reports.
    pub detail: Option<String>,
}

impl AppError {
    /// An error with a message only.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, detail: None }
    }

    /// Adds what to do next.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the underlying message.
    pub fn with_detail(mut self, detail: impl fmt::Display) -> Self {
        self.detail = Some(detail.to_string());
        self
    }
}

/// Whether a file could not be written because its disk is full, or what the user may have of it.
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
