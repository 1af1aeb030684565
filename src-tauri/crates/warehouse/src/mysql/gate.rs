//! What a password may pass through. The driver answers whatever way of signing in a server asks for, and proves no
//! certificate as the operating system does. So connections are made here: the driver speaks to a socket of this process,
//! behind which the server's requests are read, and everything is encrypted, before either goes on.

use super::auth::{ERROR, Terms};
use super::failure::Failure;
use super::packets::{Packet, read_packet, write_packet};
use crate::WarehouseError;
use crate::server::{Encryption, Protection, ServerEndpoint, TlsFiles, Wire};
use crate::ssh::Tunnel;
use rustls::pki_types::ServerName;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::copy_bidirectional_with_sizes;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_postgres::config::Host;
use tokio_rustls::TlsConnector;

/// Of the flags in a greeting: the server can encrypt.
const CAN_ENCRYPT: u16 = 0x0800;
/// What a request to encrypt has in common with an answer to a greeting.
const REQUEST: usize = 32;
const BUFFER: usize = 64 << 10;
/// What a request to encrypt says when nobody signs in after it: the protocol's version, encryption, ways of signing in by name.
const ASKS: u32 = 0x0000_0200 | CAN_ENCRYPT as u32 | 0x0000_8000 | 0x0008_0000;
/// The longest packet that would be taken, and the character set.
const MOST: u32 = 1 << 24;
const UTF8: u8 = 45;

/// Makes the connections to one server.
#[derive(Debug, Clone)]
pub(super) struct Gate {
    place: ServerEndpoint,
    protection: Protection,
    files: TlsFiles,
    /// Whether a password may also pass where nothing is encrypted.
    plain: bool,
    password: Option<String>,
}

/// A connection that waits for the driver.
pub(super) struct Door {
    /// Where the driver finds it, on this computer.
    pub(super) port: u16,
    failure: oneshot::Receiver<Failure>,
}

impl Door {
    /// Why it stayed closed, where that is not the driver's own error.
    pub(super) async fn wait_for_failure(self) -> Option<Failure> {
        self.failure.await.ok()
    }
}

impl Gate {
    pub(super) fn new(
        place: ServerEndpoint,
        (protection, files): (Protection, TlsFiles),
        plain: bool,
        password: Option<String>,
    ) -> Self {
        Self { place, protection, files, plain, password }
    }

    /// Reaches the server, directly or through a tunnel, and opens a door for the driver.
    pub(super) async fn open_door(&self, patience: Duration, through: Option<&Tunnel>) -> Result<Door, Failure> {
        let name = match &self.place.host {
            Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            Host::Unix(_) => return Err(io::Error::other("a socket needs no door").into()),
        };
        let server = match through {
            Some(tunnel) => Box::new(tunnel.connect(0).await?) as Box<dyn Wire>,
            None => {
                let late = |_| io::Error::new(io::ErrorKind::TimedOut, "no answer");
                let reached = TcpStream::connect((name.as_str(), self.place.port));
                let server = tokio::time::timeout(patience, reached).await.map_err(late)??;
                server.set_nodelay(true)?;
                Box::new(server)
            }
        };
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        let (tell, failure) = oneshot::channel();
        let gate = self.clone();
        tokio::spawn(async move {
            if let Err(error) = gate.serve_connection(listener, server, &name, patience).await {
                tracing::debug!(%error, "a connection was not made");
                let _ = tell.send(error);
            }
        });
        Ok(Door { port, failure })
    }

    /// Passes on what both sides say, from the greeting to the end. An error is one of making the connection.
    async fn serve_connection(
        self,
        listener: TcpListener,
        server: Box<dyn Wire>,
        name: &str,
        patience: Duration,
    ) -> Result<(), Failure> {
        let late = |_| io::Error::new(io::ErrorKind::TimedOut, "no answer");
        let (mut driver, _) = tokio::time::timeout(patience, listener.accept()).await.map_err(late)??;
        drop(listener);
        driver.set_nodelay(true)?;
        let mut server =
            tokio::time::timeout(patience, self.relay_handshake(server, &mut driver, name)).await.map_err(late)??;
        // Whichever side ends, the other hears of it.
        if let Err(error) = copy_bidirectional_with_sizes(&mut driver, &mut server, BUFFER, BUFFER).await {
            tracing::debug!(%error, "a connection ended");
        }
        Ok(())
    }

    /// From the greeting to where somebody is let in, or turned away; gives the connection as far as it is encrypted.
    async fn relay_handshake(
        &self,
        mut server: Box<dyn Wire>,
        driver: &mut TcpStream,
        name: &str,
    ) -> Result<Box<dyn Wire>, Failure> {
        let greeting = read_packet(&mut server).await?;
        if greeting.content.first() == Some(&ERROR) {
            write_packet(driver, &greeting).await?;
            return Ok(server);
        }
        let encrypts = self.protection != Protection::Disable && can_encrypt(&greeting.content)?;
        if !encrypts && matches!(self.protection, Protection::Require | Protection::Verify) {
            return Err(io::Error::other("server does not support TLS").into());
        }
        if !encrypts && !self.plain {
            return Err(Failure::Unencrypted);
        }
        write_packet(driver, &greeting).await?;
        let answer = read_packet(driver).await?;
        if !encrypts {
            write_packet(&mut server, &answer).await?;
            let terms = Terms { encrypted: false, cleartext: self.place.is_local(), password: None };
            terms.sign_in(&mut server, driver).await?;
            return Ok(server);
        }
        let mut answer = answer.content;
        if answer.len() < REQUEST {
            return Err(io::Error::other("the driver's answer is too short").into());
        }
        answer[1] |= CAN_ENCRYPT.to_le_bytes()[1];
        write_packet(&mut server, &Packet::new(1, &answer[..REQUEST])).await?;
        let encryption =
            Encryption::new(self.protection, &self.files).map_err(|fault| io::Error::other(fault.to_string()))?;
        let connector = TlsConnector::from(Arc::new(encryption.config.clone()));
        let host = ServerName::try_from(name.to_owned()).map_err(io::Error::other)?;
        let mut server = connector.connect(host, server).await?;
        write_packet(&mut server, &Packet::new(2, answer)).await?;
        let cleartext = encryption.is_trusted() || self.place.is_local();
        let terms = Terms { encrypted: true, cleartext, password: self.password.clone() };
        terms.sign_in(&mut server, driver).await?;
        Ok(Box::new(server))
    }
}

/// Asks a server to encrypt, as the driver's answer to its greeting would; whether it will.
pub(super) async fn request_encryption(mut wire: &mut dyn Wire) -> io::Result<bool> {
    let greeting = read_packet(&mut wire).await?.content;
    if greeting.first() == Some(&ERROR) {
        // Behind the error's number stands what it means.
        let told = String::from_utf8_lossy(greeting.get(3..).unwrap_or_default()).into_owned();
        return Err(io::Error::other(told));
    }
    if !can_encrypt(&greeting)? {
        return Ok(false);
    }
    let mut request = [0; REQUEST];
    request[..4].copy_from_slice(&ASKS.to_le_bytes());
    request[4..8].copy_from_slice(&MOST.to_le_bytes());
    request[8] = UTF8;
    write_packet(&mut wire, &Packet::new(1, request)).await?;
    Ok(true)
}

/// Whether a greeting offers encryption. The greeting begins with the protocol's number and the server's version.
fn can_encrypt(greeting: &[u8]) -> io::Result<bool> {
    let strange = || io::Error::other("what answers there is no MySQL server");
    let version = greeting.iter().position(|byte| *byte == 0).filter(|_| greeting.first() == Some(&10));
    // The connection's number, eight bytes of a riddle and one of nothing stand between.
    let at = version.ok_or_else(strange)? + 1 + 4 + 8 + 1;
    let flags = greeting.get(at..at + 2).and_then(|flags| flags.try_into().ok()).ok_or_else(strange)?;
    Ok(u16::from_le_bytes(flags) & CAN_ENCRYPT != 0)
}

/// An error of the gate, told as one of the warehouse.
pub(super) fn to_warehouse_error(server: &str, failure: &Failure) -> WarehouseError {
    let server = server.to_owned();
    match failure {
        Failure::Cleartext => WarehouseError::Unprotected { server, cleartext: true },
        Failure::Unencrypted => WarehouseError::Unprotected { server, cleartext: false },
        Failure::Io(error) => WarehouseError::Unreachable { server, detail: error.to_string() },
    }
}

#[cfg(test)]
#[path = "gate_tests.rs"]
mod tests;
