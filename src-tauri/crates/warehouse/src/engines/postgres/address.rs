//! Parsing of PostgreSQL addresses: `postgresql://USER@HOST:PORT/DATABASE`, with libpq's options.

use crate::WarehouseKind;
use crate::server::options::take_option;
use crate::server::{POSTGRES_OPTIONS, Protection, ServerEndpoint, ServerRules, SshHost, TlsFiles};
use tokio_postgres::config::{Host, TargetSessionAttrs};
use url::Url;
use vitrine_words::tr;

/// The schemes of these addresses; they are written with the first one.
pub(crate) const SCHEMES: &[&str] = &["postgresql", "postgres"];
pub(super) const PORT: u16 = 5432;
/// Options that change neither the server that receives the password nor the protection of the connection.
const HARMLESS: [&str; 10] = [
    "application_name",
    "connect_timeout",
    "dbname",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
    "options",
    "tcp_user_timeout",
    "ssh_key",
];
/// Options that are part of the password's binding by their parsed value and not by their text.
const UNDERSTOOD: [&str; 7] =
    ["user", "host", "hostaddr", "port", "sslmode", "target_session_attrs", "load_balance_hosts"];

/// The rules of PostgreSQL addresses.
pub(crate) struct PostgresRules;

impl ServerRules for PostgresRules {
    fn kind(&self) -> WarehouseKind {
        WarehouseKind::Postgres
    }

    fn scheme(&self) -> &'static str {
        SCHEMES[0]
    }

    fn user_name(&self, url: &Url) -> String {
        self.postgres_config(url).ok().and_then(|config| config.get_user().map(str::to_owned)).unwrap_or_default()
    }

    fn database_name(&self, url: &Url) -> String {
        let config = self.postgres_config(url).unwrap_or_default();
        config.get_dbname().map_or_else(|| self.user_name(url), str::to_owned)
    }

    fn hosts(&self, url: &Url) -> Result<Vec<ServerEndpoint>, String> {
        let config = self.postgres_config(url)?;
        let (hosts, addresses, ports) = (config.get_hosts(), config.get_hostaddrs(), config.get_ports());
        if !hosts.is_empty() && !addresses.is_empty() && hosts.len() != addresses.len() {
            return Err(tr!(
                "it names {hosts} hosts and {addresses} addresses (hostaddr)",
                hosts = hosts.len(),
                addresses = addresses.len()
            ));
        }
        let count = hosts.len().max(addresses.len());
        if ports.len() > 1 && ports.len() != count {
            return Err(tr!("it names {count} hosts and {ports} ports", count, ports = ports.len()));
        }
        let place = |at: usize| {
            let address = addresses.get(at).copied();
            ServerEndpoint {
                host: hosts.get(at).cloned().unwrap_or_else(|| Host::Tcp(addresses[at].to_string())),
                address,
                port: ports.get(at).or(ports.first()).copied().unwrap_or(PORT),
            }
        };
        Ok((0..count).map(place).collect())
    }

    fn protection(&self, url: &Url) -> Result<Protection, String> {
        let names_authorities =
            || TlsFiles::take_from_url(&mut url.clone(), POSTGRES_OPTIONS).map(|files| files.names_authorities());
        match take_option(&mut url.clone(), "sslmode").as_deref() {
            Some("disable") => Ok(Protection::Disable),
            None | Some("allow" | "prefer") => Ok(Protection::Prefer),
            // As in libpq: an address with a certificate authority expects the server to be verified with it.
            Some("require") if names_authorities()? => Ok(Protection::Verify),
            Some("require") => Ok(Protection::Require),
            // The host name is also verified for verify-ca: this exceeds its definition, but serves its purpose.
            Some("verify-ca" | "verify-full") => Ok(Protection::Verify),
            Some(other) => Err(tr!(
                "sslmode={other} is not valid; use disable, allow, prefer, require, verify-ca or verify-full",
                other
            )),
        }
    }

    fn password_binding(&self, url: &Url) -> String {
        let hosts: Vec<String> = self.hosts(url).unwrap_or_default().iter().map(ToString::to_string).collect();
        let protection = match self.protection(url) {
            Ok(Protection::Disable) => "disable",
            Ok(Protection::Require) => "require",
            Ok(Protection::Verify) => "verify-full",
            Ok(Protection::Prefer) | Err(_) => "prefer",
        };
        let known = |name: &str| HARMLESS.contains(&name) || UNDERSTOOD.contains(&name);
        let pairs = url.query_pairs().filter(|(name, _)| !known(name));
        let mut others: Vec<String> = pairs.map(|(name, value)| format!("&{name}={value}")).collect();
        others.sort();
        format!("{}@{}?sslmode={protection}{}", self.user_name(url), hosts.join(","), others.concat())
    }

    fn tls_options(&self) -> Option<[&'static str; 3]> {
        Some(POSTGRES_OPTIONS)
    }

    fn normalize(&self, rest: &str) -> String {
        with_host_as_option(rest)
    }

    fn check_tunnel(&self, url: &Url) -> Result<(), String> {
        match self.postgres_config(url)?.get_target_session_attrs() {
            TargetSessionAttrs::Any => Ok(()),
            _ => Err(tr!("target_session_attrs is not supported through ssh")),
        }
    }

    fn postgres_config(&self, url: &Url) -> Result<tokio_postgres::Config, String> {
        let mut url = url.clone();
        // The driver supports fewer values than libpq; the gate implements them.
        take_option(&mut url, "sslmode");
        TlsFiles::take_from_url(&mut url, POSTGRES_OPTIONS)?;
        SshHost::take_from_url(&mut url)?;
        let cause = |error: &tokio_postgres::Error| std::error::Error::source(error).map(ToString::to_string);
        let mut config: tokio_postgres::Config =
            url.as_str().parse().map_err(|error| cause(&error).unwrap_or_else(|| error.to_string()))?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            config.host("localhost");
        }
        Ok(config)
    }
}

/// Converts the rest of an address, after its scheme, that names a user or a port but no host
/// (`//ann@/shop?host=/run`). User and port become options, where every URL parser accepts them. Empty options are
/// removed.
fn with_host_as_option(rest: &str) -> String {
    let Some(behind) = rest.strip_prefix("//") else { return rest.to_owned() };
    let end = behind.find(['/', '?', '#']).unwrap_or(behind.len());
    let (authority, place) = behind.split_at(end);
    let (login, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (place, query) = place.split_once('?').unwrap_or((place, ""));
    let mut options: Vec<String> = query
        .split('&')
        .filter(|pair| !pair.is_empty() && *pair != "host=" && *pair != "port=")
        .map(str::to_owned)
        .collect();
    let port = host.strip_prefix(':').unwrap_or_default();
    let is_named = !host.is_empty() && !host.starts_with(':');
    if place.contains('#') || is_named || (login.is_empty() && port.is_empty()) {
        let mark = if options.is_empty() { "" } else { "?" };
        return format!("//{authority}{place}{mark}{}", options.join("&"));
    }
    let (person, password) = login.split_once(':').unwrap_or((login, ""));
    // A plus sign in a login is literal, but in an option it means a space.
    let option = |name: &str, value: &str| format!("{name}={}", value.replace('+', "%2B").replace('&', "%26"));
    options.extend(
        [("user", person), ("password", password), ("port", port)]
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| option(name, value)),
    );
    format!("//{}?{}", if place.is_empty() { "/" } else { place }, options.join("&"))
}
