//! What keeps a connection from being made.

use std::io;

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The server asks for the password itself, and need not be the server that it pretends to be.
    #[error("the server asks for the password in clear text")]
    Cleartext,
    /// The connection is not encrypted.
    #[error("the connection is not encrypted")]
    Unencrypted,
    /// Whatever happens to connections.
    #[error(transparent)]
    Io(#[from] io::Error),
}
