//! Differences between the server protocols before login.

use crate::ServerAddress;
use crate::server::Wire;
use futures::future::BoxFuture;
use std::io;
use std::path::{Path, PathBuf};

/// A protocol, with its product names and settings for messages.
pub(crate) struct Protocol {
    /// The name of the product.
    pub(crate) product: &'static str,
    /// The server's setting for the addresses on which it listens.
    pub(crate) listens: &'static str,
    /// The address option that requires a trusted certificate.
    pub(crate) verified: &'static str,
    /// The address option that disables encryption.
    pub(crate) unencrypted: &'static str,
    /// The option for a file with certificate authorities.
    pub(crate) roots: &'static str,
    /// The server's setting that enables encryption.
    pub(crate) switch_on: &'static str,
    /// The bytes that make a server answer, if it does not send first.
    pub(crate) opening: &'static [u8],
    /// Returns the socket that an address denotes by a folder and a port.
    pub(crate) socket: fn(&Path, u16) -> PathBuf,
    /// Returns true if the address has the connection encrypted from the first byte, without a request.
    pub(crate) is_direct: fn(&ServerAddress) -> bool,
    /// Requests encryption from a server. Returns true if the server accepts.
    pub(crate) ask: fn(&mut dyn Wire) -> BoxFuture<'_, io::Result<bool>>,
}
