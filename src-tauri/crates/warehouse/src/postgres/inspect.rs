//! Testing a PostgreSQL server: found, reached, encrypted, signed in to; then what the login is and may do.

use super::family::Family;
use super::gate::Wire;
use super::pool::{Pool, Session};
use super::rights;
use crate::inspect::report::{Outcome, Report};
use crate::inspect::ssh::pass;
use crate::server::{Encryption, Place, Protection, TlsFiles};
use crate::ssh::{SshRoute, Tunnel};
use crate::{OpenOptions, ServerAddress};
use rustls::pki_types::ServerName;
use rustls::{CertificateError, Error as TlsError, ProtocolVersion};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_postgres::config::{Host, SslNegotiation};
use tokio_rustls::TlsConnector;
use vitrine_domain::TestStage;

/// Asks a server whether it encrypts.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// A place of the address, and what its name leads to; nothing where it is a socket of this machine.
type Found = (Place, Vec<SocketAddr>);

/// The way to a server.
enum Way {
    /// A socket of this machine.
    Socket,
    /// Over the network.
    Direct(SocketAddr),
    /// Through another machine, to one of the address's hosts.
    Through(Arc<Tunnel>, usize),
}

impl Way {
    /// Connects anew.
    async fn connect(&self) -> io::Result<Box<dyn Wire>> {
        Ok(match self {
            Self::Socket => return Err(io::ErrorKind::Unsupported.into()),
            Self::Direct(address) => Box::new(TcpStream::connect(address).await?),
            Self::Through(tunnel, at) => Box::new(tunnel.connect(*at).await?),
        })
    }
}

pub(crate) async fn inspect(report: &mut Report<'_>, server: ServerAddress, options: &OpenOptions) {
    let pool = Pool::new(server.clone(), options);
    let reached = match pool.as_ref().ok().and_then(Pool::route) {
        None => {
            let Some(found) = report.run(TestStage::Name, names(&server)).await else { return };
            report.run(TestStage::Reach, reach(found)).await
        }
        Some(route) => {
            let understood = async { Ok((understood(route), ())) };
            if report.run(TestStage::Name, understood).await.is_none() {
                return;
            }
            let Some(tunnel) = report.run(TestStage::Ssh, pass(route)).await else { return };
            report.run(TestStage::Reach, reach_through(route, tunnel)).await
        }
    };
    let Some(reached) = reached else { return };
    if report.run(TestStage::Tls, encryption(&server, &reached)).await.is_none() {
        return;
    }
    let limit = report.limit();
    let login = async {
        let pool = pool.map_err(Outcome::of_error)?;
        let session = pool.begin(limit).await.map_err(Outcome::of_error)?;
        let database = server.database();
        Ok((Outcome::ok(format!("The server lets this login into the database {database}.")), (pool, session)))
    };
    let Some((pool, session)) = report.run(TestStage::Login, login).await else { return };
    look(report, &session).await;
    pool.rest(session).await;
    pool.clear();
}

fn understood(route: &SshRoute) -> Outcome {
    let hosts: Vec<String> = route.places().iter().map(Place::name).collect();
    Outcome::ok(format!("The address is understood. {} looks up {}.", route.host(), hosts.join(", ")))
}

/// Reaches a server through another machine: what answers there is asked for a byte.
async fn reach_through(route: &SshRoute, tunnel: Arc<Tunnel>) -> Result<(Outcome, (Place, Way)), Outcome> {
    let mut failure = None;
    for (at, place) in route.places().iter().enumerate() {
        let since = tunnel.mark();
        let asked = async {
            let mut stream = tunnel.connect(at).await?;
            stream.write_all(&SSL_REQUEST).await?;
            stream.read_u8().await
        };
        match asked.await {
            Ok(_) => {
                let outcome = Outcome::ok(format!("Something listens at {place}, seen from {}.", route.host()));
                return Ok((outcome, (place.clone(), Way::Through(tunnel, at))));
            }
            Err(error) => {
                let outcome = tunnel.reason(since).await.map(Outcome::of_error);
                failure = Some(outcome.unwrap_or_else(|| {
                    Outcome::failed(format!("{place} does not answer, seen from {}.", route.host()))
                        .lines([error.to_string()])
                }));
            }
        }
    }
    Err(failure.unwrap_or_else(|| Outcome::failed("The address names no host.")))
}

async fn look(report: &mut Report<'_>, session: &Session) {
    if session.family != Family::Postgres {
        report.run(TestStage::Role, rights::of_other(session)).await;
        return;
    }
    if report.run(TestStage::Role, rights::role(&session.client)).await.is_none() {
        return;
    }
    let Some(schemas) = report.run(TestStage::Readable, rights::readable(&session.client)).await else { return };
    report.schemas(schemas);
    report.run(TestStage::Rights, rights::beyond_reading(&session.client)).await;
}

async fn names(server: &ServerAddress) -> Result<(Outcome, Vec<Found>), Outcome> {
    let places = server.hosts().map_err(Outcome::failed)?;
    let (mut found, mut lines, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for place in places {
        let Host::Tcp(name) = &place.host else {
            lines.push(format!("{place}: a socket of this machine"));
            found.push((place, Vec::new()));
            continue;
        };
        let addresses: Vec<SocketAddr> = match place.address {
            Some(address) => vec![SocketAddr::new(address, place.port)],
            None => match tokio::net::lookup_host((name.as_str(), place.port)).await {
                Ok(addresses) => addresses.collect(),
                Err(_) => Vec::new(),
            },
        };
        if addresses.is_empty() {
            unknown.push(name.clone());
            continue;
        }
        let shown: Vec<String> = addresses.iter().map(ToString::to_string).collect();
        lines.push(format!("{name}: {}", shown.join(", ")));
        found.push((place, addresses));
    }
    let unknown = unknown.join(", ");
    let advice = "Check the spelling. A name that only your company's network knows needs its VPN.";
    match (found.is_empty(), unknown.is_empty()) {
        (true, _) => Err(Outcome::failed(format!("Nothing here knows the host {unknown}.")).advice(advice)),
        (false, false) => Ok((
            Outcome::warning(format!("Nothing here knows the host {unknown}; the others are found."))
                .lines(lines)
                .advice(advice),
            found,
        )),
        (false, true) => Ok((Outcome::ok("The address is understood, and its host is found.").lines(lines), found)),
    }
}

async fn reach(found: Vec<Found>) -> Result<(Outcome, (Place, Way)), Outcome> {
    let (mut failures, mut refused) = (Vec::new(), false);
    for (place, addresses) in found {
        #[cfg(unix)]
        if let Host::Unix(folder) = &place.host {
            let path = folder.join(format!(".s.PGSQL.{}", place.port));
            match tokio::net::UnixStream::connect(&path).await {
                Ok(_) => return Ok((Outcome::ok("The server listens on this machine."), (place, Way::Socket))),
                Err(error) => failures.push(format!("{}: {error}", path.display())),
            }
            continue;
        }
        for address in addresses {
            match TcpStream::connect(address).await {
                Ok(_) => {
                    let outcome = Outcome::ok(format!("Something listens at {address}.")).lines(failures);
                    return Ok((outcome, (place, Way::Direct(address))));
                }
                Err(error) => {
                    refused |= error.kind() == std::io::ErrorKind::ConnectionRefused;
                    failures.push(format!("{address}: {error}"));
                }
            }
        }
    }
    let advice = if refused {
        "The machine answers, and nothing listens at this port. Check the port, and that PostgreSQL runs and listens for connections from elsewhere (listen_addresses)."
    } else {
        "Check the host, the network (VPN, firewall), and that the server runs."
    };
    Err(Outcome::failed("The server cannot be reached.").lines(failures).advice(advice))
}

async fn encryption(server: &ServerAddress, (place, way): &(Place, Way)) -> Result<(Outcome, ()), Outcome> {
    let protection = server.protection().map_err(Outcome::failed)?;
    if matches!(way, Way::Socket) {
        return Ok((Outcome::skipped("A socket of this machine needs no encryption."), ()));
    }
    let (here, ssh) = (place.is_local(), server.ssh());
    let plain = |why: &str| {
        let open = "Have the server encrypt, and add sslmode=verify-full to the address.";
        match (here, &ssh) {
            (true, None) => Outcome::ok(format!("Not encrypted: {why}. The connection does not leave this machine.")),
            (true, Some(ssh)) => {
                Outcome::ok(format!("Encrypted by SSH to {ssh}, where the server is; not by the server: {why}."))
            }
            (false, None) => {
                Outcome::warning(format!("Not encrypted: {why}. Whoever listens on the way reads all rows."))
                    .advice(open)
            }
            (false, Some(ssh)) => Outcome::warning(format!(
                "Encrypted by SSH as far as {ssh}, and not from there on: {why}. Whoever listens there reads all rows."
            ))
            .advice(open),
        }
    };
    if protection == Protection::Disable {
        return Ok((plain("the address says sslmode=disable"), ()));
    }
    let direct = server.config().is_ok_and(|config| config.get_ssl_negotiation() == SslNegotiation::Direct);
    let name = match &place.host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(_) => place.name(),
    };
    let files = server.tls_files().unwrap_or_default();
    let failed = |detail: String| {
        Outcome::failed("The encrypted connection could not be made.")
            .lines([detail])
            .advice("Check that the port belongs to PostgreSQL, and the certificate of the server.")
    };
    match handshake(way, &name, (Protection::Verify, &files), direct).await {
        Ok(Some(version)) => {
            let outcome = Outcome::ok(format!("{}; the certificate is one that this machine trusts for {name}.", said(version)));
            let advice = "sslmode=verify-full in the address makes sure that it stays so.";
            Ok((if protection == Protection::Verify { outcome } else { outcome.advice(advice) }, ()))
        }
        Ok(None) if protection == Protection::Prefer => Ok((plain("the server does not encrypt"), ())),
        Ok(None) => Err(Outcome::failed("The server does not encrypt, and the address asks for it.")
            .advice("Switch encryption on at the server (ssl = on). Only where the network itself is safe: sslmode=disable.")),
        Err(Handshake::Certificate(reason)) if protection == Protection::Verify => {
            Err(Outcome::failed(format!("The certificate is not one that this machine trusts for {name}."))
                .lines([reason])
                .advice("Install the authority's certificate on this machine, or name its file (sslrootcert=PATH), and write the host as the certificate does."))
        }
        Err(Handshake::Certificate(reason)) => {
            match handshake(way, &name, (Protection::Require, &files), direct).await {
                Ok(Some(version)) => {
                    let message = format!("{}; the certificate was not verified.", said(version));
                    // Who pretends to be the server has to be on this machine already.
                    let outcome = if here { Outcome::ok(message) } else { Outcome::warning(message) };
                    Ok((
                        outcome.lines([reason]).advice(
                            "Somebody between could pretend to be the server. Install its authority's certificate here (or name it in SSL_CERT_FILE) and add sslmode=verify-full to the address.",
                        ),
                        (),
                    ))
                }
                Ok(None) => Err(failed("the server answered differently the second time".to_owned())),
                Err(error) => Err(failed(error.to_string())),
            }
        }
        Err(error) => Err(failed(error.to_string())),
    }
}

fn said(version: ProtocolVersion) -> &'static str {
    match version {
        ProtocolVersion::TLSv1_3 => "Encrypted with TLS 1.3",
        ProtocolVersion::TLSv1_2 => "Encrypted with TLS 1.2",
        _ => "Encrypted",
    }
}

/// Why an encrypted connection was not made.
#[derive(Debug, thiserror::Error)]
enum Handshake {
    #[error("{0}")]
    Certificate(String),
    #[error("{0}")]
    Other(String),
}

/// Connects anew and encrypts; gives the version, and `None` where the server does not encrypt.
async fn handshake(
    way: &Way,
    name: &str,
    (protection, files): (Protection, &TlsFiles),
    direct: bool,
) -> Result<Option<ProtocolVersion>, Handshake> {
    let other = |error: &dyn std::fmt::Display| Handshake::Other(error.to_string());
    let mut socket = way.connect().await.map_err(|error| other(&error))?;
    if !direct {
        socket.write_all(&SSL_REQUEST).await.map_err(|error| other(&error))?;
        let mut answer = [0];
        socket.read_exact(&mut answer).await.map_err(|error| other(&error))?;
        match answer[0] {
            b'S' => {}
            b'N' => return Ok(None),
            _ => return Err(Handshake::Other("what answers is no PostgreSQL server".to_owned())),
        }
    }
    let mut config = Encryption::new(protection, files).map_err(Handshake::Other)?.config;
    if direct {
        config.alpn_protocols = vec![b"postgresql".to_vec()];
    }
    let name = ServerName::try_from(name.to_owned()).map_err(|error| other(&error))?;
    match TlsConnector::from(Arc::new(config)).connect(name, socket).await {
        Ok(stream) => Ok(Some(stream.get_ref().1.protocol_version().unwrap_or(ProtocolVersion::Unknown(0)))),
        Err(error) => Err(match error.get_ref().and_then(|cause| cause.downcast_ref::<TlsError>()) {
            Some(TlsError::InvalidCertificate(reason)) => Handshake::Certificate(reason_of(reason)),
            _ => Handshake::Other(error.to_string()),
        }),
    }
}

fn reason_of(error: &CertificateError) -> String {
    match error {
        CertificateError::UnknownIssuer => "It is signed by an authority that this machine does not know.".to_owned(),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "It is for another host name.".to_owned()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "It has expired.".to_owned(),
        other => format!("It cannot be trusted: {other:?}"),
    }
}
