//! Errors that prevent a connection.

use std::io;

/// The reason why a connection failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The server requests the password in clear text, and its identity is not verified.
    #[error("the server asks for the password in clear text")]
    Cleartext,
    /// The connection is not encrypted.
    #[error("the connection is not encrypted")]
    Unencrypted,
    /// An error of the connection.
    #[error(transparent)]
    Io(#[from] io::Error),
}
