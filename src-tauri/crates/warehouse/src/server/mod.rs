//! The address of a database on a server, as a URL. The password is stored apart from the URL, so that no text made
//! from the address contains it.

mod admitted;
mod at_work;
mod clickhouse;
mod databricks;
mod key_file;
mod keys;
mod motherduck;
mod mysql;
mod openssh_key;
mod options;
mod place;
mod service;
mod snowflake;
mod ssh_host;
mod tls;
mod tls_files;
mod wire;

use options::{take_option, with_host_as_option};
use std::fmt;
use tls_files::{MYSQL_WORDS, POSTGRES_WORDS};
use tokio_postgres::config::{Host, TargetSessionAttrs};
use url::{ParseError, Url};
use vitrine_words::tr;

pub(crate) use admitted::Admitted;
pub(crate) use at_work::{AtWork, Stops};
pub(crate) use databricks::SqlWarehouse;
pub(crate) use key_file::Passphrase;
pub(crate) use options::percent_decode;
pub(crate) use place::{Protection, ServerEndpoint};
pub use service::with_service;
pub(crate) use snowflake::{Account, SignIn};
pub(crate) use ssh_host::SshHost;
pub(crate) use tls::Encryption;
pub(crate) use tls_files::TlsFiles;
pub(crate) use wire::Wire;

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

/// The protocol of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ServerKind {
    /// The protocol of PostgreSQL servers.
    Postgres,
    /// The protocol of MySQL and MariaDB.
    Mysql,
    /// Snowflake's protocol, implemented by a driver.
    Snowflake,
    /// The protocol of ClickHouse over HTTP.
    Clickhouse,
    /// The Statement Execution API of Databricks.
    Databricks,
    /// MotherDuck's endpoint for PostgreSQL's protocol.
    Motherduck,
}

impl ServerKind {
    const ALL: [Self; 6] =
        [Self::Postgres, Self::Mysql, Self::Snowflake, Self::Clickhouse, Self::Databricks, Self::Motherduck];

    /// Returns the schemes of this protocol. Addresses are written with the first one.
    pub(crate) fn schemes(self) -> &'static [&'static str] {
        match self {
            Self::Postgres => &["postgresql", "postgres"],
            Self::Mysql => &["mysql", "mariadb"],
            Self::Snowflake => &["snowflake"],
            Self::Clickhouse => &["clickhouse"],
            Self::Databricks => &["databricks"],
            Self::Motherduck => &["motherduck"],
        }
    }

    /// Returns the environment variable from which the server's own programs read a password.
    pub(crate) fn password_variable(self) -> &'static str {
        match self {
            Self::Postgres => "PGPASSWORD",
            Self::Mysql => "MYSQL_PWD",
            Self::Snowflake => "SNOWFLAKE_PASSWORD",
            Self::Clickhouse => "CLICKHOUSE_PASSWORD",
            Self::Databricks => "DATABRICKS_TOKEN",
            Self::Motherduck => "MOTHERDUCK_TOKEN",
        }
    }

    /// Returns the protocol of a scheme, in upper or lower case.
    pub(crate) fn of_scheme(scheme: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.schemes().iter().any(|known| known.eq_ignore_ascii_case(scheme)))
    }
}

/// The address of one database on a server.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ServerAddress {
    kind: ServerKind,
    /// The URL without a password.
    url: Url,
    password: Option<String>,
    /// The passphrase of the client certificate's key.
    passphrase: Option<Passphrase>,
    /// The passphrase of the key for the SSH host.
    ssh_passphrase: Option<Passphrase>,
}

impl ServerAddress {
    /// Parses `postgresql://user:password@host:port/database?options`, or the same with another server's scheme.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (scheme, rest) = text.split_once(':').unwrap_or_default();
        let kind = ServerKind::of_scheme(scheme).ok_or_else(|| tr!("`{scheme}` names no kind of server", scheme))?;
        let as_shown = (kind == ServerKind::Postgres).then(|| motherduck::of_endpoint(rest)).flatten();
        let (kind, rest) = as_shown.as_deref().map_or((kind, rest), |rest| (ServerKind::Motherduck, rest));
        let scheme = kind.schemes()[0];
        let rest = if kind == ServerKind::Postgres { with_host_as_option(rest) } else { rest.to_owned() };
        let mut url = Url::parse(&format!("{scheme}:{rest}")).map_err(|error| match (kind, error) {
            (ServerKind::Snowflake, ParseError::EmptyHost) => snowflake::no_account(),
            (_, error) => error.to_string(),
        })?;
        if url.cannot_be_a_base() || !rest.starts_with("//") {
            return Err(tr!("it is to begin with {start}", start = format!("{scheme}://")));
        }
        let mut others = url.clone();
        let ssh = SshHost::take_from_url(&mut others)?;
        // Text before a later @ may be a part of an unencoded password, which would then be displayed.
        if url.fragment().is_some()
            || [others.path(), others.query().unwrap_or_default()].iter().any(|part| part.contains('@'))
        {
            return Err(tr!("the characters @ / ? # are written %40 %2F %3F %23 in a password"));
        }
        let password = url.password().map(percent_decode);
        // Fails only without a host, and then the URL has no password either.
        let _ = url.set_password(None);
        let password = take_option(&mut url, "password").or(password);
        let server = Self { kind, url, password, passphrase: None, ssh_passphrase: None };
        if kind == ServerKind::Snowflake {
            return server.snowflake_account().map(|_| server);
        }
        server.protection()?;
        server.tls_files()?;
        let hosts = server.hosts()?;
        if ssh.is_some() {
            hosts.iter().try_for_each(|place| place.forward_target().map(drop))?;
            if kind == ServerKind::Postgres
                && server.postgres_config()?.get_target_session_attrs() != TargetSessionAttrs::Any
            {
                return Err(tr!("target_session_attrs cannot be asked for through ssh"));
            }
        }
        Ok(server)
    }

    /// Returns the protocol of the server.
    pub fn kind(&self) -> ServerKind {
        self.kind
    }

    /// Returns the address of another database with the same server and login.
    pub fn with_database(&self, name: &str) -> Self {
        let mut other = self.clone();
        match self.kind {
            ServerKind::Databricks => databricks::with_database(&mut other.url, name),
            _ => other.url.set_path(&format!("/{name}")),
        }
        other
    }

    /// Parses the parts of a Snowflake address.
    pub(crate) fn snowflake_account(&self) -> Result<Account, String> {
        snowflake::parse_account(&self.url)
    }

    /// Parses the parts of a Databricks address.
    pub(crate) fn databricks_warehouse(&self) -> Result<SqlWarehouse, String> {
        databricks::parse_warehouse(&self.url)
    }

    /// Returns the same address with this password.
    pub fn with_password(mut self, password: Option<String>) -> Self {
        self.password = password;
        self
    }

    /// Returns the password. It is used for connecting only.
    pub fn password(&self) -> Option<&str> {
        self.password.as_deref()
    }

    /// Returns the SSH host through which connections are made.
    pub(crate) fn ssh_host(&self) -> Option<SshHost> {
        SshHost::take_from_url(&mut self.url.clone()).ok().flatten()
    }

    /// Returns host, port, database and user as a password file names them, for each host.
    pub fn passfile_entries(&self) -> Vec<[String; 4]> {
        let (person, database, ssh) = (self.user_name(), self.database_name(), self.ssh_host());
        let name = |place: &ServerEndpoint| match &ssh {
            // A local address refers to the SSH host and not to this computer.
            Some(ssh) if place.is_local() => ssh.host().to_owned(),
            _ => place.host_name(),
        };
        let login = |place: ServerEndpoint| [name(&place), place.port.to_string(), database.clone(), person.clone()];
        self.hosts().unwrap_or_default().into_iter().map(login).collect()
    }

    /// Returns the identity of the login for which a password is stored: the user, all hosts with their addresses and
    /// ports, and the protection of the connection. A password is not used if any of them differs.
    pub fn password_binding(&self) -> String {
        match self.kind {
            ServerKind::Mysql => return mysql::password_binding(&self.url),
            ServerKind::Snowflake => return snowflake::password_binding(&self.url),
            ServerKind::Clickhouse => return clickhouse::password_binding(&self.url),
            ServerKind::Databricks => return databricks::password_binding(&self.url),
            ServerKind::Motherduck => return motherduck::password_binding(&self.url),
            ServerKind::Postgres => {}
        }
        let hosts: Vec<String> = self.hosts().unwrap_or_default().iter().map(ToString::to_string).collect();
        let protection = match self.protection() {
            Ok(Protection::Disable) => "disable",
            Ok(Protection::Require) => "require",
            Ok(Protection::Verify) => "verify-full",
            Ok(Protection::Prefer) | Err(_) => "prefer",
        };
        let known = |name: &str| HARMLESS.contains(&name) || UNDERSTOOD.contains(&name);
        let pairs = self.url.query_pairs().filter(|(name, _)| !known(name));
        let mut others: Vec<String> = pairs.map(|(name, value)| format!("&{name}={value}")).collect();
        others.sort();
        format!("{}@{}?sslmode={protection}{}", self.user_name(), hosts.join(","), others.concat())
    }

    /// Returns the database's name; empty if the address names a whole MySQL or ClickHouse server.
    pub fn database_name(&self) -> String {
        match self.kind {
            ServerKind::Mysql => return mysql::database_name(&self.url),
            ServerKind::Snowflake => return snowflake::database_name(&self.url),
            ServerKind::Clickhouse => return clickhouse::database_name(&self.url),
            ServerKind::Databricks => return databricks::database_name(&self.url),
            ServerKind::Motherduck => return motherduck::database_name(&self.url),
            ServerKind::Postgres => {}
        }
        let config = self.postgres_config().unwrap_or_default();
        config.get_dbname().map_or_else(|| self.user_name(), str::to_owned)
    }

    /// Returns the title that is shown for this address: the database, or the host if no database is named.
    pub fn title(&self) -> String {
        let host = || self.hosts().unwrap_or_default().first().map(ServerEndpoint::host_name).unwrap_or_default();
        Some(self.database_name()).filter(|name| !name.is_empty()).unwrap_or_else(host)
    }

    /// Returns the name of the user.
    pub(crate) fn user_name(&self) -> String {
        match self.kind {
            ServerKind::Mysql => return mysql::user_name(&self.url),
            ServerKind::Snowflake => return snowflake::user_name(&self.url),
            ServerKind::Clickhouse => return clickhouse::user_name(&self.url),
            ServerKind::Databricks => return databricks::user_name(&self.url),
            ServerKind::Motherduck => return motherduck::user_name(&self.url),
            ServerKind::Postgres => {}
        }
        self.postgres_config().ok().and_then(|config| config.get_user().map(str::to_owned)).unwrap_or_default()
    }

    /// Returns the hosts of the server, in the order in which they are tried.
    pub(crate) fn hosts(&self) -> Result<Vec<ServerEndpoint>, String> {
        match self.kind {
            ServerKind::Mysql => return mysql::parse_endpoint(&self.url).map(|place| vec![place]),
            ServerKind::Snowflake => return snowflake::parse_endpoint(&self.url).map(|place| vec![place]),
            ServerKind::Clickhouse => return clickhouse::parse_endpoint(&self.url).map(|place| vec![place]),
            ServerKind::Databricks => return databricks::parse_endpoint(&self.url).map(|place| vec![place]),
            ServerKind::Motherduck => return motherduck::parse_endpoint(&self.url).map(|place| vec![place]),
            ServerKind::Postgres => {}
        }
        let config = self.postgres_config()?;
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
                port: ports.get(at).or(ports.first()).copied().unwrap_or(5432),
            }
        };
        Ok((0..count).map(place).collect())
    }

    pub(crate) fn protection(&self) -> Result<Protection, String> {
        match self.kind {
            ServerKind::Mysql => return mysql::parse_protection(&self.url),
            // The driver always encrypts and verifies the certificate, independent of the address.
            ServerKind::Snowflake => return Ok(Protection::Verify),
            ServerKind::Clickhouse => return clickhouse::parse_protection(&self.url),
            ServerKind::Databricks => return Ok(databricks::parse_protection(&self.url)),
            ServerKind::Motherduck => return Ok(motherduck::parse_protection(&self.url)),
            ServerKind::Postgres => {}
        }
        match take_option(&mut self.url.clone(), "sslmode").as_deref() {
            Some("disable") => Ok(Protection::Disable),
            None | Some("allow" | "prefer") => Ok(Protection::Prefer),
            // As in libpq: an address with a certificate authority expects the server to be verified with it.
            Some("require") if self.tls_files()?.names_authorities() => Ok(Protection::Verify),
            Some("require") => Ok(Protection::Require),
            // The host name is also verified for verify-ca: this exceeds its definition, but serves its purpose.
            Some("verify-ca" | "verify-full") => Ok(Protection::Verify),
            Some(other) => Err(tr!(
                "sslmode={other} is not known; there are disable, allow, prefer, require, verify-ca and verify-full",
                other
            )),
        }
    }

    /// Returns the files for encryption that the address names.
    pub(crate) fn tls_files(&self) -> Result<TlsFiles, String> {
        let words = match self.kind {
            ServerKind::Postgres | ServerKind::Clickhouse => POSTGRES_WORDS,
            ServerKind::Mysql => MYSQL_WORDS,
            ServerKind::Snowflake | ServerKind::Databricks | ServerKind::Motherduck => return Ok(TlsFiles::default()),
        };
        let mut files = TlsFiles::take_from_url(&mut self.url.clone(), words)?;
        files.passphrase.clone_from(&self.passphrase);
        Ok(files)
    }

    /// Returns the configuration for PostgreSQL's driver, without the password.
    pub(super) fn postgres_config(&self) -> Result<tokio_postgres::Config, String> {
        if self.kind == ServerKind::Motherduck {
            return motherduck::postgres_config(&self.url);
        }
        let mut url = self.url.clone();
        // The driver supports fewer values than libpq; the gate implements them.
        take_option(&mut url, "sslmode");
        TlsFiles::take_from_url(&mut url, POSTGRES_WORDS)?;
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

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.url.as_str())
    }
}

impl fmt::Debug for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServerAddress({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_kept_and_never_shown() {
        for (text, shown, password) in [
            ("postgres://ann:s%40fe+1@db.example:6000/shop", "postgresql://ann@db.example:6000/shop", Some("s@fe+1")),
            (
                "postgresql://ann@db/shop?password=x&sslmode=require",
                "postgresql://ann@db/shop?sslmode=require",
                Some("x"),
            ),
            (
                "postgresql://ann@db/shop?options=-c%20x%3D1&password=a%2Bb",
                "postgresql://ann@db/shop?options=-c%20x%3D1",
                Some("a+b"),
            ),
            ("postgresql:///shop?host=%2Frun%2Fpg", "postgresql:///shop?host=%2Frun%2Fpg", None),
            (
                "postgresql://ann:s%40fe+1@/shop?host=/run/pg",
                "postgresql:///shop?host=/run/pg&user=ann",
                Some("s@fe+1"),
            ),
        ] {
            let server = ServerAddress::parse(text).unwrap();
            assert_eq!(server.to_string(), shown);
            assert_eq!(server.password(), password);
            assert_eq!(format!("{server:?}"), format!("ServerAddress({shown})"));
        }
    }

    #[test]
    fn a_login_is_what_a_password_file_names() {
        let login = |text: &str| {
            let logins = ServerAddress::parse(text).unwrap().passfile_entries();
            logins.iter().map(|login| login.join(" ")).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(login("postgresql://ann@db.example:6000/shop"), "db.example 6000 shop ann");
        assert_eq!(login("postgresql://ann@a,b:2/shop"), "a 5432 shop ann, b 2 shop ann");
        assert_eq!(login("postgresql:///shop?user=ann&hostaddr=10.0.0.1"), "10.0.0.1 5432 shop ann");
        assert_eq!(login("postgresql:///?user=ann"), "localhost 5432 ann ann");
        assert_eq!(login("postgresql://ann@%2Frun%2Fpg/shop"), "localhost 5432 shop ann");
        assert_eq!(login("postgresql://ann@db/shop?ssh=bob@bastion"), "db 5432 shop ann");
        assert_eq!(login("postgresql://ann@localhost/shop?ssh=bob@bastion:2222"), "bastion 5432 shop ann");
    }

    #[test]
    fn a_socket_is_named_by_an_option_beside_a_person() {
        for text in [
            "postgresql://ann@/shop?host=/run/pg&port=6000",
            "postgresql://ann@:6000/shop?host=%2Frun%2Fpg",
            "postgresql:///shop?host=/run/pg&port=6000&user=ann",
            "postgresql://ann@%2Frun%2Fpg:6000/shop",
        ] {
            let server = ServerAddress::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let places: Vec<String> = server.hosts().unwrap().iter().map(ToString::to_string).collect();
            assert_eq!(
                (places, server.user_name(), server.database_name()),
                (vec!["/run/pg:6000".to_owned()], "ann".to_owned(), "shop".to_owned()),
                "{text}"
            );
        }
        let plain = ServerAddress::parse("postgresql://ann@/shop?host=/run/pg&port=").unwrap();
        assert_eq!(plain.hosts().unwrap()[0].to_string(), "/run/pg:5432");
        let nowhere = ServerAddress::parse("postgresql://ann@/shop").unwrap();
        assert_eq!(nowhere.hosts().unwrap()[0].to_string(), "localhost:5432");
    }

    #[test]
    fn a_password_is_bound_to_everything_that_says_where_it_goes_and_how() {
        let binding = |text: &str| ServerAddress::parse(text).unwrap().password_binding();
        let own = binding("postgresql://ann@db.example/shop");
        assert_eq!(own, "ann@db.example:5432?sslmode=prefer");
        for same in [
            "postgres://ann:word@db.example:5432/other?application_name=x",
            "postgresql://db.example/shop?user=ann&sslmode=allow",
        ] {
            assert_eq!(binding(same), own, "{same}");
        }
        for other in [
            "postgresql://bob@db.example/shop",
            "postgresql://ann@db.example:6000/shop",
            "postgresql://ann@db.example,evil.example/shop",
            "postgresql://ann@db.example/shop?host=evil.example",
            "postgresql://ann@db.example/shop?hostaddr=6.6.6.6",
            "postgresql://ann@db.example/shop?sslmode=disable",
            "postgresql://ann@db.example/shop?sslmode=require",
            "postgresql://ann@db.example/shop?sslmode=verify-full",
            "postgresql://ann@db.example/shop?channel_binding=disable",
            "postgresql://ann@db.example/shop?ssh=ann@bastion",
        ] {
            assert_ne!(binding(other), own, "{other}");
        }
    }

    #[test]
    fn what_stays_on_this_machine_is_told_by_the_address_that_is_connected_to() {
        let local =
            |text: &str| ServerAddress::parse(text).unwrap().hosts().unwrap().iter().all(ServerEndpoint::is_local);
        for text in [
            "postgresql:///shop",
            "postgresql://LOCALHOST/d",
            "postgresql://127.0.0.1/d",
            "postgresql://[::1]/d",
            "postgresql:///d?host=%2Frun",
        ] {
            assert!(local(text), "{text}");
        }
        for text in [
            "postgresql://db/d",
            "postgresql://localhost/d?hostaddr=6.6.6.6",
            "postgresql:///d?hostaddr=6.6.6.6",
            "postgresql://localhost,db/d",
        ] {
            assert!(!local(text), "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused_by_name() {
        let error = |text: &str| ServerAddress::parse(text).unwrap_err();
        assert!(error("postgresql://h/d?sslmode=maybe").contains("sslmode=maybe"));
        assert!(error("postgresql://h/d?sslcrl=x").contains("sslcrl"));
        assert!(error("postgresql://h/d?sslcert=x").contains("sslkey"));
        assert!(error("postgresql:shop").contains("postgresql://"));
        assert!(error("postgresql://h:port/d").contains("port"));
        for unforwarded in
            ["postgresql:///d?host=%2Frun&ssh=b", "postgresql://h%20x/d?ssh=b", "postgresql://h%25h/d?ssh=b"]
        {
            assert!(error(unforwarded).contains("through ssh"), "{unforwarded}");
        }
        assert!(error("postgresql://h/d?target_session_attrs=read-write&ssh=b").contains("through ssh"));
        for hidden in ["12/hid@", "12?hid@", "12#hid@"] {
            let said = error(&format!("postgresql://ann:{hidden}host/shop"));
            assert!(said.contains("%2F") && !said.contains("hid"), "{said}");
        }
    }
}
