//! What goes to a server and comes from it.

use tokio::io::{AsyncRead, AsyncWrite};

/// A socket, a way through another machine, or either of them encrypted.
pub(crate) trait Wire: AsyncRead + AsyncWrite + Unpin + Send + 'static {}

impl<W: AsyncRead + AsyncWrite + Unpin + Send + 'static> Wire for W {}
