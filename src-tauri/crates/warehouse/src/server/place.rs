//! The hosts of an address, and the protection of connections to them.

use super::options::strip_brackets;
use super::ssh_host::is_word;
use std::fmt;
use std::net::IpAddr;
use tokio_postgres::config::Host;
use vitrine_words::tr;

/// One of the hosts of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerEndpoint {
    pub(crate) host: Host,
    /// The IP address to connect to, if it is not resolved from the host's name.
    pub(crate) address: Option<IpAddr>,
    pub(crate) port: u16,
}

impl ServerEndpoint {
    /// Returns true if the connection stays on the connecting computer, which is this one or the SSH host.
    pub(crate) fn is_local(&self) -> bool {
        match (&self.host, self.address) {
            #[cfg(unix)]
            (Host::Unix(_), _) => true,
            (Host::Tcp(_), Some(address)) => address.is_loopback(),
            (Host::Tcp(name), None) => {
                name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
            }
        }
    }

    /// Returns host and port in the form of `ssh -L`.
    ///
    /// # Errors
    /// Fails for a socket, and for a name with characters that `ssh` could interpret.
    pub(crate) fn forward_target(&self) -> Result<String, String> {
        let host = match (&self.host, self.address) {
            (_, Some(address)) => address.to_string(),
            (Host::Tcp(name), None) => strip_brackets(name).to_owned(),
            #[cfg(unix)]
            (Host::Unix(_), None) => return Err(tr!("a socket cannot be reached through ssh; name a host")),
        };
        match host.parse::<IpAddr>() {
            Ok(IpAddr::V6(address)) => Ok(format!("[{address}]:{}", self.port)),
            Err(_) if !is_word(&host, "._-") => {
                Err(tr!("a host that is reached through ssh is named by letters, digits and . _ - alone"))
            }
            _ => Ok(format!("{host}:{}", self.port)),
        }
    }

    /// Returns the host as a password file names it.
    pub(crate) fn host_name(&self) -> String {
        match &self.host {
            Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            Host::Unix(_) => "localhost".to_owned(),
        }
    }
}

impl fmt::Display for ServerEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Host::Tcp(name) => f.write_str(name)?,
            #[cfg(unix)]
            Host::Unix(path) => write!(f, "{}", path.display())?,
        }
        if let Some(address) = self.address {
            write!(f, "[{address}]")?;
        }
        write!(f, ":{}", self.port)
    }
}

/// The protection of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protection {
    /// The connection is never encrypted.
    Disable,
    /// The connection is encrypted if the server supports it.
    Prefer,
    /// The connection is encrypted, without verifying the server.
    Require,
    /// The connection is encrypted, and the certificate must be valid for the host.
    Verify,
}
