//! Packets of the MySQL protocol during the handshake: three bytes of length, a sequence number, the content.

use std::io;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Maximum bytes of a packet, and so of a row, because the driver holds a packet in memory.
pub(super) const LONGEST_PACKET: usize = 256 << 20;
/// Maximum bytes of a packet before the login is complete.
const LONGEST: usize = 1 << 20;

/// One packet of the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Packet {
    /// The sequence number of the packet.
    pub(super) number: u8,
    pub(super) content: Vec<u8>,
}

impl Packet {
    pub(super) fn new(number: u8, content: impl Into<Vec<u8>>) -> Self {
        Self { number, content: content.into() }
    }

    /// Returns the packet with another sequence number.
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
