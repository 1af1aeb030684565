//! The byte stream between this computer and a server.

use tokio::io::{AsyncRead, AsyncWrite};

/// A socket or an SSH tunnel, either of them optionally encrypted.
pub(crate) trait Wire: AsyncRead + AsyncWrite + Unpin + Send + 'static {}

impl<W: AsyncRead + AsyncWrite + Unpin + Send + 'static> Wire for W {}
