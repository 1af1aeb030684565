//! Resolves and reaches a server before login.

use super::protocol::Protocol;
use super::report::{Outcome, Report};
use super::ssh::sign_in_by_ssh;
use crate::ServerAddress;
use crate::server::{ServerEndpoint, Wire};
use crate::ssh::{SshRoute, Tunnel};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_postgres::config::Host;
use vitrine_domain::TestStage;
use vitrine_words::{tr, translate_constant};

/// An endpoint of the address with its resolved addresses; these are empty for a socket of this computer.
type ResolvedPlace = (ServerEndpoint, Vec<SocketAddr>);

/// The route to a server.
pub(super) enum Way {
    /// Through a socket of this computer.
    Socket,
    /// Directly over the network, to this address.
    Direct(SocketAddr),
    /// Through an SSH tunnel, to the address's host with this index.
    Through(Arc<Tunnel>, usize),
}

impl Way {
    /// Opens a new connection over this route.
    pub(super) async fn connect(&self) -> io::Result<Box<dyn Wire>> {
        Ok(match self {
            Self::Socket => return Err(io::ErrorKind::Unsupported.into()),
            Self::Direct(address) => Box::new(TcpStream::connect(address).await?),
            Self::Through(tunnel, at) => Box::new(tunnel.connect(*at).await?),
        })
    }
}

/// Resolves and reaches a server; returns the endpoint that answered and the route to it.
pub(super) async fn reach_server(
    report: &mut Report<'_>,
    server: &ServerAddress,
    route: Option<&SshRoute>,
    protocol: &Protocol,
) -> Option<(ServerEndpoint, Way)> {
    let Some(route) = route else {
        let found = report.run_stage(TestStage::Name, resolve_hosts(server)).await?;
        return report.run_stage(TestStage::Reach, reach_first_address(found, protocol)).await;
    };
    report.run_stage(TestStage::Name, async { Ok((describe_route(route), ())) }).await?;
    let tunnel = report.run_stage(TestStage::Ssh, sign_in_by_ssh(route)).await?;
    report.run_stage(TestStage::Reach, reach_through(route, tunnel, protocol)).await
}

fn describe_route(route: &SshRoute) -> Outcome {
    let hosts: Vec<String> = route.server_endpoints().iter().map(ServerEndpoint::host_name).collect();
    Outcome::ok(tr!(
        "The address is understood. {host} looks up {hosts}.",
        host = route.host(),
        hosts = hosts.join(", ")
    ))
}

/// Reaches a server through an SSH tunnel: sends the protocol's opening bytes and waits for the first byte of the
/// answer.
async fn reach_through(
    route: &SshRoute,
    tunnel: Arc<Tunnel>,
    protocol: &Protocol,
) -> Result<(Outcome, (ServerEndpoint, Way)), Outcome> {
    let mut failure = None;
    for (at, place) in route.server_endpoints().iter().enumerate() {
        let since = tunnel.log_position();
        let asked = async {
            let mut stream = tunnel.connect(at).await?;
            stream.write_all(protocol.opening).await?;
            stream.read_u8().await
        };
        match asked.await {
            Ok(_) => {
                let outcome =
                    Outcome::ok(tr!("Something listens at {place}, seen from {host}.", place, host = route.host()));
                return Ok((outcome, (place.clone(), Way::Through(tunnel, at))));
            }
            Err(error) => {
                let outcome = tunnel.find_end_reason(since).await.map(Outcome::of_error);
                failure = Some(outcome.unwrap_or_else(|| {
                    Outcome::failed(tr!("{place} does not answer, seen from {host}.", place, host = route.host()))
                        .with_lines([error.to_string()])
                }));
            }
        }
    }
    Err(failure.unwrap_or_else(|| Outcome::failed(tr!("The address names no host."))))
}

async fn resolve_hosts(server: &ServerAddress) -> Result<(Outcome, Vec<ResolvedPlace>), Outcome> {
    let places = server.hosts().map_err(Outcome::failed)?;
    let (mut found, mut lines, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for place in places {
        let Host::Tcp(name) = &place.host else {
            lines.push(tr!("{place}: a socket of this computer", place));
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
    let advice = tr!("Check the spelling. A name that only your company's network knows needs its VPN.");
    match (found.is_empty(), unknown.is_empty()) {
        (true, _) => Err(Outcome::failed(tr!("Nothing here knows the host {unknown}.", unknown)).with_advice(advice)),
        (false, false) => Ok((
            Outcome::warning(tr!("Nothing here knows the host {unknown}; the others are found.", unknown))
                .with_lines(lines)
                .with_advice(advice),
            found,
        )),
        (false, true) => {
            Ok((Outcome::ok(tr!("The address is understood, and its host is found.")).with_lines(lines), found))
        }
    }
}

async fn reach_first_address(
    found: Vec<ResolvedPlace>,
    protocol: &Protocol,
) -> Result<(Outcome, (ServerEndpoint, Way)), Outcome> {
    let (mut failures, mut refused) = (Vec::new(), false);
    for (place, addresses) in found {
        #[cfg(unix)]
        if let Host::Unix(path) = &place.host {
            let path = (protocol.socket)(path, place.port);
            match tokio::net::UnixStream::connect(&path).await {
                Ok(_) => return Ok((Outcome::ok(tr!("The server listens on this computer.")), (place, Way::Socket))),
                Err(error) => failures.push(format!("{}: {error}", path.display())),
            }
            continue;
        }
        for address in addresses {
            match TcpStream::connect(address).await {
                Ok(_) => {
                    let outcome = Outcome::ok(tr!("Something listens at {address}.", address)).with_lines(failures);
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
        tr!(
            "The machine answers, and nothing listens at this port. Check the port, and that {product} runs and listens for connections from elsewhere ({setting}).",
            product = protocol.product,
            setting = translate_constant(protocol.listens)
        )
    } else {
        tr!("Check the host, the network (VPN, firewall), and that the server runs.")
    };
    Err(Outcome::failed(tr!("The server cannot be reached.")).with_lines(failures).with_advice(advice))
}
