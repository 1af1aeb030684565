//! Where a PostgreSQL database is and who signs in, as a URL. The password is kept apart from it, so that no text that
//! is made of the address holds it.

use std::fmt;
use url::Url;

/// How the connection is protected, in libpq's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Protection {
    /// Never encrypted.
    Disable,
    /// Encrypted where the server can.
    Prefer,
    /// Encrypted, whoever answers.
    Require,
    /// Encrypted, and the certificate must be that of the host.
    Verify,
}

/// The address of one database on a server.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ServerAddress {
    /// Without a password.
    url: Url,
    password: Option<String>,
}

impl ServerAddress {
    /// The schemes that name PostgreSQL; the first is the one that addresses are written with.
    pub(crate) const SCHEMES: [&'static str; 2] = ["postgresql", "postgres"];

    /// Reads `postgresql://user:password@host:port/database?options`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let rest = text.split_once(':').map_or(text, |(_, rest)| rest);
        let mut url = Url::parse(&format!("{}:{rest}", Self::SCHEMES[0])).map_err(|error| error.to_string())?;
        if url.cannot_be_a_base() || !rest.starts_with("//") {
            return Err("it is to begin with postgresql://".to_owned());
        }
        // What stands before an @ further on may be a part of the password, which would be shown.
        if url.fragment().is_some()
            || [url.path(), url.query().unwrap_or_default()].iter().any(|part| part.contains('@'))
        {
            return Err("the characters @ / ? # are written %40 %2F %3F %23 in a password".to_owned());
        }
        let password = url.password().map(decoded);
        // Fails only where there is no host, and then there is no password before it either.
        let _ = url.set_password(None);
        let password = take_option(&mut url, "password").or(password);
        let server = Self { url, password };
        server.protection()?;
        server.config()?;
        Ok(server)
    }

    /// The same server and person with another database.
    pub fn with_database(&self, name: &str) -> Self {
        let mut other = self.clone();
        other.url.set_path(&format!("/{name}"));
        other
    }

    /// The same address with this password.
    pub fn with_password(mut self, password: Option<String>) -> Self {
        self.password = password;
        self
    }

    /// The password, for those who connect and for nobody else.
    pub fn password(&self) -> Option<&str> {
        self.password.as_deref()
    }

    /// Host, port, database and person as a password file names them.
    pub fn login(&self) -> [String; 4] {
        let config = self.config().unwrap_or_default();
        let host = match config.get_hosts().first() {
            Some(tokio_postgres::config::Host::Tcp(host)) => host.clone(),
            _ => "localhost".to_owned(),
        };
        let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
        let person = config.get_user().map(str::to_owned).unwrap_or_default();
        let database = config.get_dbname().map_or_else(|| person.clone(), str::to_owned);
        [host, port, database, person]
    }

    /// The database's name.
    pub fn database(&self) -> String {
        let [_, _, database, _] = self.login();
        database
    }

    pub(super) fn protection(&self) -> Result<Protection, String> {
        match take_option(&mut self.url.clone(), "sslmode").as_deref() {
            Some("disable") => Ok(Protection::Disable),
            None | Some("allow" | "prefer") => Ok(Protection::Prefer),
            Some("require") => Ok(Protection::Require),
            // Checking the host as well is more than verify-ca asks for, and what it is for.
            Some("verify-ca" | "verify-full") => Ok(Protection::Verify),
            Some(other) => Err(format!(
                "sslmode={other} is not known; there are disable, allow, prefer, require, verify-ca and verify-full"
            )),
        }
    }

    /// What the driver needs to know, without the password.
    pub(super) fn config(&self) -> Result<tokio_postgres::Config, String> {
        let mut url = self.url.clone();
        // The driver knows fewer words for it than libpq does.
        take_option(&mut url, "sslmode");
        let cause = |error: &tokio_postgres::Error| std::error::Error::source(error).map(ToString::to_string);
        let mut config: tokio_postgres::Config =
            url.as_str().parse().map_err(|error| cause(&error).unwrap_or_else(|| error.to_string()))?;
        if config.get_hosts().is_empty() {
            config.host("localhost");
        }
        Ok(config)
    }
}

/// Takes an option out of a URL. The others stay as they are written: the driver reads no plus sign as a blank.
fn take_option(url: &mut Url, name: &str) -> Option<String> {
    let query = url.query()?.to_owned();
    let is_it = |pair: &&str| decoded(pair.split('=').next().unwrap_or_default()) == name;
    let (taken, others): (Vec<&str>, Vec<&str>) = query.split('&').partition(is_it);
    url.set_query((!others.is_empty()).then(|| others.join("&")).as_deref());
    taken.last().map(|pair| decoded(pair.split_once('=').map_or("", |(_, value)| value)))
}

/// Text without percent signs.
fn decoded(text: &str) -> String {
    let pair = format!("p={}", text.replace('+', "%2B"));
    url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, text)| text.into_owned()).unwrap_or_default()
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
        ] {
            let server = ServerAddress::parse(text).unwrap();
            assert_eq!(server.to_string(), shown);
            assert_eq!(server.password(), password);
            assert_eq!(format!("{server:?}"), format!("ServerAddress({shown})"));
        }
    }

    #[test]
    fn a_login_is_what_a_password_file_names() {
        let login = |text: &str| ServerAddress::parse(text).unwrap().login().join(" ");
        assert_eq!(login("postgresql://ann@db.example:6000/shop"), "db.example 6000 shop ann");
        assert_eq!(login("postgresql:///?user=ann"), "localhost 5432 ann ann");
        assert_eq!(login("postgresql://ann@%2Frun%2Fpg/shop"), "localhost 5432 shop ann");
    }

    #[test]
    fn what_is_not_understood_is_refused_by_name() {
        let error = |text: &str| ServerAddress::parse(text).unwrap_err();
        assert!(error("postgresql://h/d?sslmode=maybe").contains("sslmode=maybe"));
        assert!(error("postgresql://h/d?sslrootcert=x").contains("sslrootcert"));
        assert!(error("postgresql:shop").contains("postgresql://"));
        assert!(error("postgresql://h:port/d").contains("port"));
        for hidden in ["12/hid@", "12?hid@", "12#hid@"] {
            let said = error(&format!("postgresql://ann:{hidden}host/shop"));
            assert!(said.contains("%2F") && !said.contains("hid"), "{said}");
        }
    }
}
