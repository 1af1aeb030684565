//! Packets of the MySQL protocol, as far as a connection is being made: three bytes of length, a number, the content.

use std::io;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Bytes of the longest packet that is taken, which a row is: the driver holds it whole.
pub(super) const LONGEST_PACKET: usize = 256 << 20;
/// No packet before somebody is let in is longer.
const LONGEST: usize = 1 << 20;

/// One packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Packet {
    /// Its number in the conversation.
    pub(super) number: u8,
    pub(super) content: Vec<u8>,
}

impl Packet {
    pub(super) fn new(number: u8, content: impl Into<Vec<u8>>) -> Self {
        Self { number, content: content.into() }
    }

    /// The same as that of another number.
    pub(super) fn with_number(self, number: u8) -> Self {
        Self { number, ..self }
    }
}

pub(super) async fn read_packet(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Packet> {
    let mut head = [0; 4];
    from.read_exact(&mut head).await?;
    let length = usize::from(head[0]) | usize::from(head[1]) << 8 | usize::from(head[2]) << 16;
    if length > LONGEST {
        return Err(io::Error::other("what answers there is no MySQL server"));
    }
    let mut content = vec![0; length];
    from.read_exact(&mut content).await?;
    Ok(Packet { number: head[3], content })
}

pub(super) async fn write_packet(to: &mut (impl AsyncWrite + Unpin), packet: &Packet) -> io::Result<()> {
    let length = (packet.content.len() as u32).to_le_bytes();
    let mut bytes = vec![length[0], length[1], length[2], packet.number];
    bytes.extend(&packet.content);
    to.write_all(&bytes).await?;
    to.flush().await
}
