//! The address of a database on a server, as a URL. The password is stored apart from the URL, so that no text made
//! from the address contains it.

mod admitted;
mod at_work;
mod key_file;
mod keys;
pub(crate) mod options;
mod place;
mod rules;
mod ssh_host;
mod tls;
mod tls_files;
mod wire;

use crate::WarehouseKind;
use options::take_option;
use std::fmt;
use url::{ParseError, Url};
use vitrine_words::tr;

pub(crate) use admitted::Admitted;
pub(crate) use at_work::{AtWork, Stops};
pub(crate) use key_file::Passphrase;
pub(crate) use options::percent_decode;
pub(crate) use place::{Protection, ServerEndpoint};
pub(crate) use rules::ServerRules;
pub(crate) use ssh_host::SshHost;
pub(crate) use tls::Encryption;
pub(crate) use tls_files::{MYSQL_OPTIONS, POSTGRES_OPTIONS, TlsFiles};
pub(crate) use wire::Wire;

/// The address of one database on a server.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ServerAddress {
    rules: &'static dyn ServerRules,
    /// The URL without a password.
    url: Url,
    password: Option<String>,
    /// The passphrase of the client certificate's key.
    passphrase: Option<Passphrase>,
    /// The passphrase of the key for the SSH host.
    ssh_passphrase: Option<Passphrase>,
}

impl ServerAddress {
    /// Parses `SCHEME://user:password@host:port/database?options` by the rules of its engine.
    pub(crate) fn parse_by(rules: &'static dyn ServerRules, text: &str) -> Result<Self, String> {
        let scheme = rules.scheme();
        let rest = rules.normalize(text.split_once(':').map_or("", |(_, rest)| rest));
        let mut url = Url::parse(&format!("{scheme}:{rest}")).map_err(|error| match error {
            ParseError::EmptyHost => rules.missing_host().unwrap_or_else(|| error.to_string()),
            _ => error.to_string(),
        })?;
        if url.cannot_be_a_base() || !rest.starts_with("//") {
            return Err(tr!("it must begin with {start}", start = format!("{scheme}://")));
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
        let server = Self { rules, url, password, passphrase: None, ssh_passphrase: None };
        server.protection()?;
        server.tls_files()?;
        let hosts = server.hosts()?;
        if ssh.is_some() {
            hosts.iter().try_for_each(|place| place.forward_target().map(drop))?;
            rules.check_tunnel(&server.url)?;
        }
        Ok(server)
    }

    /// Returns the kind of the server.
    pub fn kind(&self) -> WarehouseKind {
        self.rules.kind()
    }

    /// Returns the URL without the password.
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// Returns the address of another database with the same server and login.
    pub fn with_database(&self, name: &str) -> Self {
        let mut other = self.clone();
        self.rules.set_database(&mut other.url, name);
        other
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
        self.rules.password_binding(&self.url)
    }

    /// Returns the database's name; empty if the address names a whole MySQL or ClickHouse server.
    pub fn database_name(&self) -> String {
        self.rules.database_name(&self.url)
    }

    /// Returns the title that is shown for this address: the database, or the host if no database is named.
    pub fn title(&self) -> String {
        let host = || self.hosts().unwrap_or_default().first().map(ServerEndpoint::host_name).unwrap_or_default();
        Some(self.database_name()).filter(|name| !name.is_empty()).unwrap_or_else(host)
    }

    /// Returns the name of the user.
    pub(crate) fn user_name(&self) -> String {
        self.rules.user_name(&self.url)
    }

    /// Returns the hosts of the server, in the order in which they are tried.
    pub(crate) fn hosts(&self) -> Result<Vec<ServerEndpoint>, String> {
        self.rules.hosts(&self.url)
    }

    pub(crate) fn protection(&self) -> Result<Protection, String> {
        self.rules.protection(&self.url)
    }

    /// Returns the project, database or catalog of the schemas if table names have three parts.
    pub(crate) fn schema_container(&self) -> Option<String> {
        self.rules.schema_container(&self.url)
    }

    /// Returns the name of the driver that connects to the server.
    pub(crate) fn driver_name(&self) -> Option<&'static str> {
        self.rules.driver_name()
    }

    /// Returns the files for encryption that the address names.
    pub(crate) fn tls_files(&self) -> Result<TlsFiles, String> {
        let Some(options) = self.rules.tls_options() else { return Ok(TlsFiles::default()) };
        let mut files = TlsFiles::take_from_url(&mut self.url.clone(), options)?;
        files.passphrase.clone_from(&self.passphrase);
        Ok(files)
    }

    /// Returns the configuration for PostgreSQL's driver, without the password.
    pub(crate) fn postgres_config(&self) -> Result<tokio_postgres::Config, String> {
        self.rules.postgres_config(&self.url)
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
