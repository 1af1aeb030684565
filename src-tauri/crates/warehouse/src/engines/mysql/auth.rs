//! The authentication exchange between server and driver. A request of the server is inspected before the driver
//! answers it.

use super::failure::Failure;
use super::packets::{Packet, read_packet, write_packet};
use std::io;
use tokio::io::{AsyncRead, AsyncWrite};

/// The first bytes of the server's packets during authentication.
const DONE: u8 = 0x00;
const MORE: u8 = 0x01;
const SWITCH: u8 = 0xfe;
pub(super) const ERROR: u8 = 0xff;
/// After `MORE`: the server accepted the cached hash, or requests the password itself.
const KNOWN: u8 = 0x03;
const ASKS: u8 = 0x04;
/// The authentication plugin that sends the password in clear text.
const CLEAR: &[u8] = b"mysql_clear_password\0";

/// The properties of the connection that decide what may be sent.
pub(super) struct Terms {
    /// True if the connection is encrypted. The server's packet numbers are then ahead of the driver's by one.
    pub(super) encrypted: bool,
    /// True if the password may be sent in clear text.
    pub(super) cleartext: bool,
    pub(super) password: Option<String>,
}

impl Terms {
    /// Forwards packets until the server accepts or rejects the login.
    pub(super) async fn sign_in(
        &self,
        server: &mut (impl AsyncRead + AsyncWrite + Unpin),
        driver: &mut (impl AsyncRead + AsyncWrite + Unpin),
    ) -> Result<(), Failure> {
        let ahead = u8::from(self.encrypted);
        loop {
            let packet = read_packet(server).await?;
            let (theirs, ours) = (packet.number, packet.number.wrapping_sub(ahead));
            match packet.content.as_slice() {
                [SWITCH, plugin @ ..] if plugin.starts_with(CLEAR) && !self.cleartext => {
                    return Err(Failure::Cleartext);
                }
                [MORE, ASKS, ..] if self.encrypted => {
                    if !self.cleartext {
                        return Err(Failure::Cleartext);
                    }
                    // The driver does not know that the connection is encrypted and would encrypt the password with the
                    // server's RSA key.
                    let mut word = self.password.clone().unwrap_or_default().into_bytes();
                    word.push(0);
                    write_packet(server, &Packet::new(theirs.wrapping_add(1), word)).await?;
                    let answer = read_packet(server).await?;
                    if answer.content.first() != Some(&ERROR) {
                        write_packet(driver, &Packet::new(ours, [MORE, KNOWN])).await?;
                        write_packet(driver, &answer.with_number(ours.wrapping_add(1))).await?;
                    } else {
                        write_packet(driver, &answer.with_number(ours)).await?;
                    }
                    return Ok(());
                }
                [DONE | ERROR, ..] => return Ok(write_packet(driver, &packet.with_number(ours)).await?),
                [MORE, KNOWN, ..] => write_packet(driver, &packet.with_number(ours)).await?,
                [MORE | SWITCH, ..] => {
                    write_packet(driver, &packet.with_number(ours)).await?;
                    let reply = read_packet(driver).await?;
                    let number = reply.number.wrapping_add(ahead);
                    write_packet(server, &reply.with_number(number)).await?;
                }
                _ => return Err(io::Error::other("what answers there is no MySQL server").into()),
            }
        }
    }
}
