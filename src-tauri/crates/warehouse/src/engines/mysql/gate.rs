//! A local proxy that protects the password. The driver answers any authentication request of a server and does not
//! verify certificates with the operating system's rules. So the connection is made here: the driver connects to a
//! local socket of this process, and the proxy inspects the server's requests and encrypts the traffic before anything
//! is forwarded.

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

/// The capability flag of a server that supports encryption.
const CAN_ENCRYPT: u16 = 0x0800;
/// Length of the part that an encryption request shares with a response to a greeting.
const REQUEST: usize = 32;
const BUFFER: usize = 64 << 10;
/// The capability flags of an encryption request that is not followed by authentication: protocol version 4.1,
/// encryption, secure connection, authentication plugins.
const ASKS: u32 = 0x0000_0200 | CAN_ENCRYPT as u32 | 0x0000_8000 | 0x0008_0000;
/// Maximum packet size of the client, and the character set.
const MOST: u32 = 1 << 24;
const UTF8: u8 = 45;

/// Makes the connections to one server.
#[derive(Debug, Clone)]
pub(super) struct Gate {
    place: ServerEndpoint,
    protection: Protection,
    files: TlsFiles,
    /// True if a password may be sent over an unencrypted connection.
    plain: bool,
    password: Option<String>,
}

/// A local port at which the driver can connect.
pub(super) struct Door {
    /// The port on this computer.
    pub(super) port: u16,
    failure: oneshot::Receiver<Failure>,
}

impl Door {
    /// Returns the error of the proxy, or `None` if the driver's own error is the cause.
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

    /// Connects to the server, directly or through a tunnel, and opens a local port for the driver.
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

    /// Forwards the traffic of both sides from the greeting to the end. Errors after the login are not returned.
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
        // When one side closes the connection, the other is closed, too.
        if let Err(error) = copy_bidirectional_with_sizes(&mut driver, &mut server, BUFFER, BUFFER).await {
            tracing::debug!(%error, "a connection ended");
        }
        Ok(())
    }

    /// Forwards the handshake from the greeting until the login is accepted or rejected. Returns the connection,
    /// encrypted if that was agreed.
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

/// Requests encryption from a server as the driver's response to its greeting would. Returns true if the server
/// supports it.
pub(super) async fn request_encryption(mut wire: &mut dyn Wire) -> io::Result<bool> {
    let greeting = read_packet(&mut wire).await?.content;
    if greeting.first() == Some(&ERROR) {
        // The message follows the error code.
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

/// Returns true if a greeting offers encryption. The greeting begins with the protocol's number and the server's
/// version.
fn can_encrypt(greeting: &[u8]) -> io::Result<bool> {
    let strange = || io::Error::other("what answers there is no MySQL server");
    let version = greeting.iter().position(|byte| *byte == 0).filter(|_| greeting.first() == Some(&10));
    // The connection id, eight bytes of the challenge and a zero byte precede the flags.
    let at = version.ok_or_else(strange)? + 1 + 4 + 8 + 1;
    let flags = greeting.get(at..at + 2).and_then(|flags| flags.try_into().ok()).ok_or_else(strange)?;
    Ok(u16::from_le_bytes(flags) & CAN_ENCRYPT != 0)
}

/// Converts an error of the proxy.
pub(super) fn to_warehouse_error(server: &str, failure: &Failure) -> WarehouseError {
    let server = server.to_owned();
    match failure {
        Failure::Cleartext => WarehouseError::Unprotected { server, cleartext: true },
        Failure::Unencrypted => WarehouseError::Unprotected { server, cleartext: false },
        Failure::Io(error) => WarehouseError::Unreachable { server, detail: error.to_string() },
    }
}

#[cfg(test)]
mod tests;
