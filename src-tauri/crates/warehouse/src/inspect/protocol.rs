//! What tells the servers of one protocol from those of another, before anybody signs in.

use crate::server::Wire;
use futures::future::BoxFuture;
use std::io;
use std::path::{Path, PathBuf};

/// A protocol, and the words of those who run its servers.
pub(crate) struct Protocol {
    /// Whose it is.
    pub(crate) product: &'static str,
    /// The server's setting of where it listens.
    pub(crate) listens: &'static str,
    /// What in an address asks for a certificate that is trusted.
    pub(crate) verified: &'static str,
    /// What in an address wants no encryption.
    pub(crate) unencrypted: &'static str,
    /// The option that names a file of authorities.
    pub(crate) roots: &'static str,
    /// How a server is made to encrypt.
    pub(crate) switch_on: &'static str,
    /// What has a server answer, where it does not speak first.
    pub(crate) opening: &'static [u8],
    /// The socket that an address means by a path and a port.
    pub(crate) socket: fn(&Path, u16) -> PathBuf,
    /// Asks a server to encrypt; whether it will.
    pub(crate) ask: fn(&mut dyn Wire) -> BoxFuture<'_, io::Result<bool>>,
}
