//! What a password may pass through. The driver answers whatever way of signing in a server asks for, a password in clear
//! text, too. So the connection is made here, and the server's request is read before the driver sees it.

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

/// Asks a server whether it encrypts.
pub(super) const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];
/// Bytes of the longest message that is taken, which a row is.
pub(super) const LONGEST: usize = 256 << 20;
/// What a server's requests to sign in begin with, and their numbers.
const AUTHENTICATION: u8 = b'R';
const DONE: u32 = 0;
const CLEARTEXT: u32 = 3;
const MD5: u32 = 5;
const SASL: u32 = 10;

/// Why a server gets no password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
    /// It asks for the password itself, and need not be the server that it pretends to be.
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
    /// Encryption begins without asking.
    pub(super) direct: bool,
    /// Whether a password may also pass where nothing is encrypted.
    pub(super) plain: bool,
    /// Whether the connection that was made by it ended over a message that was too long.
    pub(super) cut: Arc<AtomicBool>,
    /// Whether the connection is closed only after the server has closed it.
    pub(super) waits: bool,
}

impl Gate {
    /// For an order to stop. A pooler takes one whose sender is gone for lost, and PgBouncer 1.18 ends over it.
    pub(super) fn for_cancel_request(&self) -> Self {
        Self { waits: true, ..self.for_new_connection() }
    }

    /// For another connection to the same host.
    pub(super) fn for_new_connection(&self) -> Self {
        Self { cut: Arc::default(), ..self.clone() }
    }
}

/// What the driver takes for encryption: a connection that is encrypted as far as was agreed.
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
    /// One connection to a host of this name, whichever way it goes.
    pub(super) fn host_connector(&self, host: &str) -> Opening {
        Opening { gate: self.clone(), host: host.to_owned() }
    }
}

/// One connection that is to be made.
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
    // Not a byte more: what follows is encrypted, or was put there by somebody else.
    socket.read_exact(&mut answer).await?;
    Ok(answer == [b'S'])
}

enum Stream<W: Wire> {
    Plain(W),
    Encrypted(Box<Encrypted<W>>),
}

/// A connection on which no server gets a password that is not to have it.
pub(super) struct Guarded<W: Wire> {
    stream: Stream<W>,
    /// Gone once the server has let the person in.
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
                    // The driver never sees the request, and so does not answer it.
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

/// Reads the lengths of a server's messages: the driver would hold the longest one whole.
#[derive(Default)]
struct Lengths {
    /// The beginning of a message: its kind and its length.
    head: [u8; 5],
    known: usize,
    /// Bytes of the message that do not matter.
    skip: usize,
}

impl Lengths {
    /// Whether no message is too long.
    fn fits_limit(&mut self, mut bytes: &[u8]) -> bool {
        loop {
            let skipped = self.skip.min(bytes.len());
            self.skip -= skipped;
            bytes = &bytes[skipped..];
            let Some((byte, rest)) = bytes.split_first() else { return true };
            self.head[self.known] = *byte;
            (self.known, bytes) = (self.known + 1, rest);
            if self.known == self.head.len() {
                // It counts itself and not the kind.
                let length = u32::from_be_bytes([1, 2, 3, 4].map(|at| self.head[at])) as usize;
                if length > LONGEST {
                    return false;
                }
                (self.known, self.skip) = (0, length.saturating_sub(4));
            }
        }
    }
}

/// Reads a server's messages up to the one that says who was let in.
struct Watch {
    /// Whether the password itself may be sent.
    cleartext: bool,
    /// Whether what is made of it may be sent.
    derived: bool,
    /// The beginning of a message: its kind, its length, and of a request its number.
    head: Vec<u8>,
    /// Bytes of the message that do not matter.
    skip: usize,
}

impl Watch {
    fn new(cleartext: bool, derived: bool) -> Self {
        Self { cleartext, derived, head: Vec::new(), skip: 0 }
    }

    /// Whether there is nothing left to watch. A request is refused before its last byte is passed on.
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
            // The length counts itself and not the kind.
            self.skip = (number(1) as usize + 1).saturating_sub(self.head.len());
            self.head.clear();
        }
        Ok(false)
    }
}

#[cfg(test)]
#[path = "gate_tests.rs"]
mod tests;
