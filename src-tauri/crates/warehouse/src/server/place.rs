//! The places that an address names, and how connections to them are protected.

use super::options::strip_brackets;
use super::ssh_host::is_word;
use std::fmt;
use std::net::IpAddr;
use tokio_postgres::config::Host;
use vitrine_words::tr;

/// One of the places that an address names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerEndpoint {
    pub(crate) host: Host,
    /// Goes before what the host's name leads to.
    pub(crate) address: Option<IpAddr>,
    pub(crate) port: u16,
}

impl ServerEndpoint {
    /// Whether what is sent there stays on the machine that connects: this one, or the one at the other end of SSH.
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

    /// Host and port as `ssh -L` names them.
    ///
    /// # Errors
    /// Where it is a socket, or its name could be taken for more than a name.
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

    /// As a password file names it.
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

/// How the connection is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protection {
    /// Never encrypted.
    Disable,
    /// Encrypted where the server can.
    Prefer,
    /// Encrypted, whoever answers.
    Require,
    /// Encrypted, and the certificate must be that of the host.
    Verify,
}
