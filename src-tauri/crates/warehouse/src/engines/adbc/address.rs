//! Addresses of databases behind a driver that the user added: `adbc:NAME?dialect=postgres&uri=...`. The password is
//! stored apart from the options, so that it never appears where an address is displayed; anything else that looks like
//! a secret is refused.

use crate::server::percent_decode;
use std::fmt;
use url::{Url, form_urlencoded};
use vitrine_domain::Dialect;
use vitrine_sql::DialectExt;
use vitrine_sql::dialect::ALL;
use vitrine_words::tr;

/// The scheme of these addresses.
pub(crate) const SCHEME: &str = "adbc";
/// The option with the location of the database.
const URI: &str = "uri";
/// The option in which a driver takes a password.
const PASSWORD: &str = "password";
/// Substrings of option names that mark a secret.
const SECRETS: [&str; 7] = ["password", "passwd", "pwd", "secret", "token", "credential", "private"];
/// Options that name the user.
const PERSONS: [&str; 2] = ["username", "user"];

/// A driver with its options and the SQL dialect of its database.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct DriverAddress {
    driver: String,
    dialect: Dialect,
    /// True if the address names the dialect.
    said: bool,
    /// The options of the driver, without a password.
    options: Vec<(String, String)>,
    password: Option<String>,
}

impl DriverAddress {
    /// Parses an address. The error names the problem and never repeats the address.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (scheme, rest) = text.split_once(':').unwrap_or_default();
        if !scheme.eq_ignore_ascii_case(SCHEME) {
            return Err(tr!("it must begin with {start}", start = format!("{SCHEME}:")));
        }
        let (driver, query) = rest.split_once('?').unwrap_or((rest, ""));
        let driver = driver.to_ascii_lowercase();
        let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if driver.is_empty() || !driver.chars().all(known) {
            return Err(tr!("write adbc:DRIVER?uri=..., with the name that the driver was added by"));
        }
        let (mut options, mut said, mut password) = (Vec::new(), None, None);
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let (name, mut value) = (name.into_owned(), value.into_owned());
            let lower = name.to_ascii_lowercase();
            if lower == PASSWORD {
                password = Some(value);
                continue;
            }
            if lower == URI
                && let Some((bare, word)) = taken_apart(&value)
            {
                value = bare;
                password = password.or(Some(word));
            }
            if SECRETS.iter().any(|word| lower.contains(word)) || holds_secret(&value) {
                return Err(tr!(
                    "it contains a password or a token, which would be stored in plain text: write a password as password=..., which is stored separately, or leave it where the driver looks for it, such as ~/.pgpass"
                ));
            }
            match (lower.as_str(), find_dialect(|known| known.eq_ignore_ascii_case(&value))) {
                ("dialect", Some(dialect)) => said = Some(dialect),
                ("dialect", None) => {
                    let all = dialect_names();
                    return Err(tr!("unknown dialect; known dialects are {all}", all));
                }
                ("driver" | "entrypoint" | "profile", _) => {
                    return Err(tr!(
                        "the option {name} is not allowed in addresses: the driver must be added by name first",
                        name
                    ));
                }
                _ => options.push((name, value)),
            }
        }
        let dialect = said.or(dialect_of_name(&driver)).ok_or_else(|| {
            let all = dialect_names();
            tr!("it does not name its SQL dialect; add dialect=NAME, one of {all}", all)
        })?;
        Ok(Self { driver, dialect, said: said.is_some(), options, password })
    }

    /// Returns the name under which the driver was added.
    pub fn driver_name(&self) -> &str {
        &self.driver
    }

    /// Returns the SQL dialect of the database.
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the same address with this password.
    pub(crate) fn with_password(mut self, password: Option<String>) -> Self {
        self.password = password;
        self
    }

    /// Returns the password. It is passed to the driver only.
    pub(crate) fn password(&self) -> Option<&str> {
        self.password.as_deref()
    }

    /// Returns the environment variable that may hold the password when the user cannot be asked: the driver's name
    /// with `_PASSWORD`.
    pub(crate) fn password_variable(&self) -> String {
        format!("{}_PASSWORD", self.driver.replace('-', "_").to_ascii_uppercase())
    }

    /// Returns true if the address names a user.
    pub(crate) fn names_person(&self) -> bool {
        self.options.iter().any(|(name, value)| PERSONS.contains(&name.as_str()) && !value.is_empty())
            || self.url_of_person().is_some()
    }

    /// Returns the options for the driver. The password is added where the user name is: in the URL, or else among the
    /// options.
    pub(crate) fn driver_options(&self) -> Vec<(String, String)> {
        let mut options = self.options.clone();
        let Some(password) = self.password() else { return options };
        let with_password = self.url_of_person().and_then(|mut url| {
            url.set_password(Some(password)).ok()?;
            Some(url.to_string())
        });
        match (with_password, options.iter_mut().find(|(name, _)| name == URI)) {
            (Some(url), Some((_, value))) => *value = url,
            _ => options.push((PASSWORD.to_owned(), password.to_owned())),
        }
        options
    }

    /// Returns the URL for the driver if it names a user.
    fn url_of_person(&self) -> Option<Url> {
        let (_, value) = self.options.iter().find(|(name, _)| name == URI)?;
        Url::parse(value).ok().filter(|url| !url.username().is_empty())
    }

    /// Returns the title that is shown for this database.
    pub fn title(&self) -> &str {
        &self.driver
    }
}

impl fmt::Display for DriverAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}:{}", self.driver)?;
        let named = self.dialect.sql().driver_names().first().filter(|_| self.said);
        let said = named.map(|word| ("dialect", *word));
        let own = self.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        for (at, (name, value)) in said.into_iter().chain(own).enumerate() {
            let (before, name) = (if at == 0 { '?' } else { '&' }, encode_component(name).replace('=', "%3D"));
            write!(f, "{before}{name}={}", encode_component(value))?;
        }
        Ok(())
    }
}

impl fmt::Debug for DriverAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DriverAddress({self})")
    }
}

/// Encodes a name or a value of an option. Only characters that would end it or be decoded differently are
/// percent-encoded, so that the text stays readable.
pub(crate) fn encode_component(text: &str) -> String {
    let is_read_otherwise = |c: char| matches!(c, '%' | '&' | '+' | '#') || c.is_whitespace() || c.is_control();
    let mut written = String::new();
    for c in text.chars() {
        match is_read_otherwise(c) {
            true => written.extend(form_urlencoded::byte_serialize(c.encode_utf8(&mut [0; 4]).as_bytes())),
            false => written.push(c),
        }
    }
    written
}

/// Returns the names of all dialects, separated by commas.
fn dialect_names() -> String {
    let names: Vec<&str> = ALL.iter().flat_map(|dialect| dialect.sql().driver_names()).copied().collect();
    names.join(", ")
}

/// Returns the first dialect with a name that fits.
fn find_dialect(fits: impl Fn(&str) -> bool) -> Option<Dialect> {
    ALL.into_iter().find(|dialect| dialect.sql().driver_names().iter().any(|known| fits(known)))
}

/// Returns the dialect that the name of a driver contains.
pub(super) fn dialect_of_name(driver: &str) -> Option<Dialect> {
    find_dialect(|known| driver.contains(known))
}

/// Returns the word with which addresses state a dialect.
pub(super) fn write_dialect(dialect: Dialect) -> &'static str {
    dialect.sql().driver_names().first().copied().unwrap_or_default()
}

/// Splits a URL into the URL without its password, and the password.
fn taken_apart(value: &str) -> Option<(String, String)> {
    let mut url = Url::parse(value).ok()?;
    let word = percent_decode(url.password()?);
    url.set_password(None).ok()?;
    Some((url.to_string(), word))
}

/// Returns true for a URL with a password and for a text with an assignment such as `password=...`.
fn holds_secret(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    Url::parse(value).is_ok_and(|url| url.password().is_some())
        || SECRETS.iter().any(|word| lower.contains(&format!("{word}=")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_written_so_that_it_is_read_again() {
        for text in [
            "adbc:sqlite?uri=/tmp/a+b%2Bc%23%2525.db",
            "adbc:mine?dialect=postgres&uri=postgresql://ann@db/größe?a=1%26b=2&x.y=1",
            "adbc:trino",
        ] {
            let address = DriverAddress::parse(text).unwrap();
            assert_eq!(address.to_string(), text);
            assert_eq!(DriverAddress::parse(&address.to_string()).unwrap(), address);
        }
        let typed = DriverAddress::parse("ADBC:SQLite?uri=/tmp/a.db").unwrap();
        assert_eq!((typed.driver_name(), typed.dialect()), ("sqlite", Dialect::Sqlite));
        for (text, dialect) in
            [("adbc:clickhouse?uri=x", Dialect::Clickhouse), ("adbc:mine?dialect=databricks", Dialect::Databricks)]
        {
            assert_eq!(DriverAddress::parse(text).map(|address| address.dialect()), Ok(dialect), "{text}");
        }
        assert_eq!(typed.driver_options(), [("uri".to_owned(), "/tmp/a.db".to_owned())]);
    }

    #[test]
    fn a_password_is_kept_apart_and_given_where_the_person_is_named() {
        let told = |address: &DriverAddress| {
            let all = address.driver_options();
            all.into_iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
        };
        for (text, shown, with) in [
            (
                "adbc:mssql?uri=sqlserver://ann:s%2540fe@db:1433?database=shop",
                "adbc:mssql?uri=sqlserver://ann@db:1433?database=shop",
                "uri=sqlserver://ann:s%40fe@db:1433?database=shop",
            ),
            (
                "adbc:mssql?uri=sqlserver://ann@db&password=s@fe",
                "adbc:mssql?uri=sqlserver://ann@db",
                "uri=sqlserver://ann:s%40fe@db",
            ),
            (
                "adbc:trino?uri=grpc://db:1&username=ann&password=s%40fe",
                "adbc:trino?uri=grpc://db:1&username=ann",
                "uri=grpc://db:1 username=ann password=s@fe",
            ),
        ] {
            let address = DriverAddress::parse(text).unwrap();
            assert_eq!((address.to_string().as_str(), address.password()), (shown, Some("s@fe")), "{text}");
            assert!(address.names_person() && !format!("{address:?}").contains("fe"), "{address:?}");
            assert_eq!(told(&address), with, "{text}");
            let bare = DriverAddress::parse(shown).unwrap();
            assert!(!told(&bare).contains("fe"), "{bare:?}");
            assert_eq!(bare.with_password(Some("s@fe".to_owned())), address);
        }
        assert!(!DriverAddress::parse("adbc:trino?uri=grpc://db:1").unwrap().names_person());
    }

    #[test]
    fn what_is_secret_or_not_understood_is_refused_and_not_repeated() {
        for (text, reason) in [
            ("adbc:", "adbc:DRIVER"),
            ("adbc:/usr/lib/x.so", "adbc:DRIVER"),
            ("adbc:mine?uri=x", "dialect=NAME"),
            ("adbc:mine?dialect=klingon", "unknown dialect"),
            ("adbc:sqlite?driver=/tmp/evil.so", "not allowed in addresses"),
            ("adbc:sqlite?entrypoint=Evil", "not allowed in addresses"),
            ("adbc:postgresql?uri=postgresql://db/shop?password=hidden", "plain text"),
            ("adbc:mssql?uri=sqlserver://db?user id=ann;pwd=hidden", "plain text"),
            ("adbc:snowflake?adbc.snowflake.sql.client_option.auth_token=hidden", "plain text"),
        ] {
            let error = DriverAddress::parse(text).unwrap_err();
            assert!(error.contains(reason) && !error.contains("hidden"), "{text}: {error}");
        }
    }
}
