//! Protection of the password. The driver answers any authentication request of a server, including one for the
//! password in clear text. So the connection is made here, and the server's request is inspected before the driver
//! receives it.

use crate::server::{Protection, Wire};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_postgres_rustls::MakeRustlsConnect;

/// The request to encrypt the connection.
pub(super) const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];
/// Maximum bytes of a message, and so of a row.
pub(super) const LONGEST: usize = 256 << 20;
/// The type byte of the server's authentication requests, and their codes.
const AUTHENTICATION: u8 = b'R';
const DONE: u32 = 0;
const CLEARTEXT: u32 = 3;
const MD5: u32 = 5;
const SASL: u32 = 10;

/// The reason why a server receives no password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
    /// The server requests the password in clear text, and its identity is not verified.
    #[error("the server asks for the password in clear text")]
    Cleartext,
    /// The connection is not encrypted.
    #[error("the connection is not encrypted")]
    Unencrypted,
}

/// Makes the connections to one host.
#[derive(Clone)]
pub(super) struct Gate {
    pub(super) tls: MakeRustlsConnect,
    pub(super) protection: Protection,
    /// True if encryption begins without a request.
    pub(super) direct: bool,
    /// True if a password may be sent over an unencrypted connection.
    pub(super) plain: bool,
    /// True if the connection was ended because a message was too long.
    pub(super) cut: Arc<AtomicBool>,
    /// True if the connection is closed only after the server has closed it.
    pub(super) waits: bool,
}

impl Gate {
    /// Returns a copy for a cancel request. A pooler drops the request if its sender has closed the connection, and
    /// PgBouncer 1.18 crashes.
    pub(super) fn for_cancel_request(&self) -> Self {
        Self { waits: true, ..self.for_new_connection() }
    }

    /// Returns a copy for another connection to the same host.
    pub(super) fn for_new_connection(&self) -> Self {
        Self { cut: Arc::default(), ..self.clone() }
    }
}

/// The stream type of the driver's encryption; the connection is encrypted only if that was agreed.
type Encrypted<W> = <MakeRustlsConnect as MakeTlsConnect<W>>::Stream;

impl MakeTlsConnect<Socket> for Gate {
    type Stream = Guarded<Socket>;
    type TlsConnect = Opening;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> io::Result<Opening> {
        Ok(self.host_connector(host))
    }
}

impl Gate {
    /// Returns the connector for a host of this name, reached directly or through a tunnel.
    pub(super) fn host_connector(&self, host: &str) -> Opening {
        Opening { gate: self.clone(), host: host.to_owned() }
    }
}

/// A connection that has not been opened yet.
pub(super) struct Opening {
    gate: Gate,
    host: String,
}

impl<W: Wire> TlsConnect<W> for Opening {
    type Stream = Guarded<W>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Guarded<W>>> + Send>>;

    fn connect(self, socket: W) -> Self::Future {
        Box::pin(self.open_stream(socket))
    }
}

impl Opening {
    async fn open_stream<W: Wire>(mut self, mut socket: W) -> io::Result<Guarded<W>> {
        let Gate { protection, direct, plain, waits, .. } = self.gate;
        let encrypts = protection != Protection::Disable && (direct || request_encryption(&mut socket).await?);
        if !encrypts {
            if matches!(protection, Protection::Require | Protection::Verify) {
                return Err(io::Error::other("server does not support TLS"));
            }
            let (stream, watch) = (Stream::Plain(socket), Some(Watch::new(false, plain)));
            return Ok(Guarded { stream, watch, lengths: Lengths::default(), cut: self.gate.cut, waits });
        }
        let Ok(tls) = MakeTlsConnect::<W>::make_tls_connect(&mut self.gate.tls, &self.host);
        let stream = Stream::Encrypted(Box::new(tls.connect(socket).await?));
        let watch = Some(Watch::new(protection == Protection::Verify, true));
        Ok(Guarded { stream, watch, lengths: Lengths::default(), cut: self.gate.cut, waits })
    }
}

async fn request_encryption(socket: &mut impl Wire) -> io::Result<bool> {
    socket.write_all(&SSL_REQUEST).await?;
    let mut answer = [0];
    // Exactly one byte: any further unencrypted data could come from an attacker.
    socket.read_exact(&mut answer).await?;
    Ok(answer == [b'S'])
}

enum Stream<W: Wire> {
    Plain(W),
    Encrypted(Box<Encrypted<W>>),
}

/// A connection that passes authentication requests to the driver only if the server may receive the password.
pub(super) struct Guarded<W: Wire> {
    stream: Stream<W>,
    /// `None` once the server has accepted the login.
    watch: Option<Watch>,
    lengths: Lengths,
    cut: Arc<AtomicBool>,
    waits: bool,
}

impl<W: Wire> TlsStream for Guarded<W> {
    fn channel_binding(&self) -> ChannelBinding {
        match &self.stream {
            Stream::Plain(_) => ChannelBinding::none(),
            Stream::Encrypted(stream) => stream.channel_binding(),
        }
    }
}

impl<W: Wire> AsyncRead for Guarded<W> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        ready!(match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(cx, buf),
            Stream::Encrypted(stream) => Pin::new(stream).poll_read(cx, buf),
        })?;
        if !self.lengths.fits_limit(&buf.filled()[before..]) {
            self.cut.store(true, Ordering::Release);
            buf.set_filled(before);
            return Poll::Ready(Err(io::Error::other("a message is too long")));
        }
        if let Some(watch) = &mut self.watch {
            match watch.inspect_bytes(&buf.filled()[before..]) {
                Ok(false) => {}
                Ok(true) => self.watch = None,
                Err(refusal) => {
                    // The driver never receives the request, so it cannot answer it.
                    buf.set_filled(before);
                    return Poll::Ready(Err(io::Error::other(refusal)));
                }
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<W: Wire> AsyncWrite for Guarded<W> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(cx, buf),
            Stream::Encrypted(stream) => Pin::new(stream).poll_write(cx, buf),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Stream::Encrypted(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.waits {
            let mut bytes = [0; 64];
            let mut rest = ReadBuf::new(&mut bytes);
            let read = match &mut self.stream {
                Stream::Plain(stream) => Pin::new(stream).poll_read(cx, &mut rest),
                Stream::Encrypted(stream) => Pin::new(stream).poll_read(cx, &mut rest),
            };
            let over = ready!(read).is_err() || rest.filled().is_empty();
            self.waits = !over;
        }
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Stream::Encrypted(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}

/// Checks the lengths of a server's messages, because the driver holds each message in memory.
#[derive(Default)]
struct Lengths {
    /// The type and the length of a message.
    head: [u8; 5],
    known: usize,
    /// Remaining bytes of the message.
    skip: usize,
}

impl Lengths {
    /// Returns true if no message is too long.
    fn fits_limit(&mut self, mut bytes: &[u8]) -> bool {
        loop {
            let skipped = self.skip.min(bytes.len());
            self.skip -= skipped;
            bytes = &bytes[skipped..];
            let Some((byte, rest)) = bytes.split_first() else { return true };
            self.head[self.known] = *byte;
            (self.known, bytes) = (self.known + 1, rest);
            if self.known == self.head.len() {
                // The length includes itself but not the type byte.
                let length = u32::from_be_bytes([1, 2, 3, 4].map(|at| self.head[at])) as usize;
                if length > LONGEST {
                    return false;
                }
                (self.known, self.skip) = (0, length.saturating_sub(4));
            }
        }
    }
}

/// Inspects a server's messages until the login is accepted.
struct Watch {
    /// True if the password may be sent in clear text.
    cleartext: bool,
    /// True if a hash of the password may be sent.
    derived: bool,
    /// The type and the length of a message, and the code of an authentication request.
    head: Vec<u8>,
    /// Remaining bytes of the message.
    skip: usize,
}

impl Watch {
    fn new(cleartext: bool, derived: bool) -> Self {
        Self { cleartext, derived, head: Vec::new(), skip: 0 }
    }

    /// Returns true once the login was accepted. A request is refused before its last byte is forwarded.
    fn inspect_bytes(&mut self, bytes: &[u8]) -> Result<bool, Refusal> {
        for byte in bytes {
            if self.skip > 0 {
                self.skip -= 1;
                continue;
            }
            self.head.push(*byte);
            let is_request = self.head[0] == AUTHENTICATION;
            if self.head.len() < if is_request { 9 } else { 5 } {
                continue;
            }
            let number = |at: usize| u32::from_be_bytes([0, 1, 2, 3].map(|byte| self.head[at + byte]));
            match is_request.then(|| number(5)) {
                Some(DONE) => return Ok(true),
                Some(CLEARTEXT) if !self.derived => return Err(Refusal::Unencrypted),
                Some(CLEARTEXT) if !self.cleartext => return Err(Refusal::Cleartext),
                Some(MD5 | SASL) if !self.derived => return Err(Refusal::Unencrypted),
                _ => {}
            }
            // The length includes itself but not the type byte.
            self.skip = (number(1) as usize + 1).saturating_sub(self.head.len());
            self.head.clear();
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests;
